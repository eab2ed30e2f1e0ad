/** One window: isolated, sandboxed, shown when it has something to show, in the colours that its page will have. */
import { app, BrowserWindow, type Rectangle } from 'electron'
import type { TitleBarStyle } from '#contract/window-settings'
import { MIN_HEIGHT, MIN_WIDTH } from './bounds.ts'
import { frameOptions } from './frame.ts'
import type { Ground } from './ground.ts'
import { pagePreferences } from './preferences.ts'
import type { WindowState } from './window-states.ts'

export interface WindowOptions {
  readonly preload: string
  readonly icon: string
  readonly bounds: Rectangle
  readonly mode: WindowState['mode']
  /** Of its page, in percent. */
  readonly scale: number
  readonly style: TitleBarStyle
  readonly ground: Ground
  /** Whether it takes the focus, asked when it is shown. */
  readonly inFront: () => boolean
}

/** A page that never has anything to show (it crashed, it hangs) still gets its window, to be asked about in. */
const SHOWN_AFTER_MS = 8000

export function createWindow(options: WindowOptions): BrowserWindow {
  const { bounds, mode, style, ground } = options
  const window = new BrowserWindow({
    ...bounds,
    minWidth: MIN_WIDTH,
    minHeight: MIN_HEIGHT,
    show: false,
    title: 'Belay',
    // Elsewhere it is in the executable.
    ...(process.platform === 'linux' ? { icon: options.icon } : {}),
    backgroundColor: ground.page,
    ...frameOptions(style, ground, options.scale),
    webPreferences: pagePreferences(options.preload, app.isPackaged),
  })
  // On displays of different scales a new window takes its size by the wrong one: the second time it is right.
  window.setBounds(bounds)
  const show = () => {
    clearTimeout(late)
    if (window.isDestroyed() || window.isVisible()) return
    // Not before: both would show it.
    if (mode === 'maximized') window.maximize()
    if (mode === 'fullscreen') window.setFullScreen(true)
    if (options.inFront()) window.show()
    else window.showInactive()
  }
  const late = setTimeout(show, SHOWN_AFTER_MS)
  window.once('ready-to-show', show)
  window.once('closed', () => clearTimeout(late))
  return window
}
