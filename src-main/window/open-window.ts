/** A window as it stands: what its page says it shows, its place and mode for coming back, its page kept alive. */
import type { BrowserWindow } from 'electron'
import type { GoneReason, Shown } from '#contract/host'
import type { Log } from '../../sidecar/base/log.ts'
import type { MainSettings } from '../settings.ts'
import { paintFrame } from './frame.ts'
import { groundNow } from './ground.ts'
import { APP_ORIGIN } from './page-origin.ts'
import { keepPage } from './recovery.ts'
import { createWindow } from './window.ts'
import type { WindowState } from './window-states.ts'

export interface OpenWindow {
  readonly window: BrowserWindow
  /** What it shows, or was opened for. */
  readonly folder: string | null
  /** All folders of its workspace. */
  readonly folders: readonly string[]
  /** What it will come back as. */
  readonly state: WindowState
  shows(shown: Shown): void
  /** Why the page before this one is no more; once. */
  takeGone(): GoneReason | null
  /** One that has nothing to show yet comes when it has. */
  toFront(): void
  /** After the theme changed. */
  repaint(): void
  /** The page is asked for, once. */
  begin(): void
}

const mac = process.platform === 'darwin'
const moves = ['resize', 'move', 'maximize', 'unmaximize', 'enter-full-screen', 'leave-full-screen'] as const

/** `changed`: what it will come back as is another now. */
export function openWindow(
  initial: WindowState,
  options: {
    preload: string
    icon: string
    settings: MainSettings
    inFront: boolean
    log: Log
    changed: () => void
  },
): OpenWindow {
  const { preload, icon, changed } = options
  let { inFront } = options
  const { titleBarStyle: style } = options.settings
  let { folder, zoom } = initial
  let folders: readonly string[] = folder === null ? [] : [folder]
  let scale = zoom ?? options.settings.zoom
  const { bounds, mode } = initial
  const window = createWindow({
    preload,
    icon,
    bounds,
    mode,
    scale,
    style,
    ground: groundNow(),
    inFront: () => inFront,
  })
  // Its page knows the zoom before its first paint.
  const load = () => window.loadURL(`${APP_ORIGIN}/index.html${zoom === null ? '' : `?zoom=${zoom}`}`)
  const page = keepPage(window, load, options.log)
  const repaint = () => paintFrame(window, style, groundNow(), scale)
  let isShown = false
  window.once('show', () => {
    isShown = true
  })
  for (const event of moves) window.on(event as 'move', changed)
  return {
    window,
    get folder() {
      return folder
    },
    get folders() {
      return folders
    },
    get state() {
      const now = window.isFullScreen() ? 'fullscreen' : window.isMaximized() ? 'maximized' : 'normal'
      return { folder, bounds: window.getNormalBounds(), mode: isShown ? now : mode, zoom }
    },
    shows(shown) {
      window.setTitle(shown.title)
      if (mac) window.setRepresentedFilename(shown.file ?? '')
      if (mac) window.setDocumentEdited(shown.unsaved)
      const scaled = shown.scale !== scale
      ;({ folder, folders, zoom, scale } = shown)
      if (scaled) repaint()
      changed()
    },
    toFront() {
      inFront = true
      if (!isShown) return
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
    },
    takeGone: page.takeGone,
    repaint,
    begin: page.begin,
  }
}
