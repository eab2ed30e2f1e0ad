/** One window: isolated, sandboxed, shown when it has something to show. */
import { BrowserWindow, nativeTheme } from 'electron'
import { APP_ORIGIN } from './app-scheme.ts'
import { type Bounds, rememberBounds } from './bounds.ts'

export function createWindow(options: {
  preload: string
  stateDir: string
  bounds: Partial<Bounds>
  icon: string
}): BrowserWindow {
  const { maximized, ...bounds } = options.bounds
  const window = new BrowserWindow({
    ...bounds,
    minWidth: 400,
    minHeight: 300,
    show: false,
    title: 'Belay',
    // Elsewhere it is in the executable.
    ...(process.platform === 'linux' ? { icon: options.icon } : {}),
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#101417' : '#fcfdfe',
    webPreferences: {
      preload: options.preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  })
  if (maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit' && !window.isDestroyed()) window.reload()
  })
  rememberBounds(window, options.stateDir)
  void window.loadURL(`${APP_ORIGIN}/index.html`).catch(() => {})
  return window
}
