/** What a window is made with, refused where Electron refuses it and where no app of ours means it. */
import { isAbsolute } from 'node:path'

type Options = Electron.BrowserWindowConstructorOptions

/** What the system draws over the page; null where it draws a title bar. */
export function overlayOf({ frame, titleBarStyle, titleBarOverlay }: Options): Electron.TitleBarOverlay | null {
  if (!titleBarOverlay) return null
  if (frame !== false && (titleBarStyle ?? 'default') === 'default')
    throw new Error('electron double: a title bar overlay is shown only where the title bar is hidden')
  return titleBarOverlay === true ? {} : titleBarOverlay
}

/** Electron takes these, or only warns: the app's windows are isolated, sandboxed and without Node. */
const insecure: Electron.WebPreferences = {
  allowRunningInsecureContent: true,
  contextIsolation: false,
  enableDeprecatedPaste: true,
  experimentalFeatures: true,
  navigateOnDragDrop: true,
  nodeIntegration: true,
  nodeIntegrationInSubFrames: true,
  nodeIntegrationInWorker: true,
  plugins: true,
  sandbox: false,
  webSecurity: false,
  webviewTag: true,
}

/** The absolute path of its preload. */
export function checkedPreload({ webPreferences: given = {} }: Options): string | undefined {
  const weak = Object.entries(insecure).find(([name, value]) => given[name as keyof typeof given] === value)
  if (weak) throw new Error(`electron double: refuses the insecure webPreferences ${weak.join(': ')}`)
  const { preload } = given
  if (preload !== undefined && !isAbsolute(preload)) throw new Error('preload script must have absolute path.')
  return preload
}
