/** All windows: which folder each shows, which was used last, where the next one goes, and that all of them come back. */
import { app, type BrowserWindow, screen } from 'electron'
import type { Shown } from '#contract/host'
import type { Log } from '../../sidecar/base/log.ts'
import type { MainSettings } from '../settings.ts'
import { APP_ORIGIN } from './app-scheme.ts'
import { apart, fresh, nearest, rescued } from './bounds.ts'
import { keepInReach, workAreas } from './displays.ts'
import { paintFrame } from './frame.ts'
import { groundNow, onGround } from './ground.ts'
import { keepPage, type Recovery } from './recovery.ts'
import { createWindow } from './window.ts'
import type { WindowState, WindowStates } from './window-states.ts'

/** What a window's host needs of it and of the others. */
export interface OpenWindow {
  readonly window: BrowserWindow
  /** What it shows, or was opened for. */
  readonly folder: string | null
  readonly takeGone: Recovery['takeGone']
  shows(shown: Shown): void
}

export interface Windows {
  /** The window that shows the folder comes to the front; where none does, and for null, one is opened. */
  open(folder: string | null): void
  /** Another window than `except` that shows the folder comes to the front. False: there is none. */
  focus(folder: string, except: BrowserWindow | null): boolean
  /** The windows of the last run, as the settings have it, and one for `folder`. At least one is there then. */
  restore(folder: string | null): void
  /** The one used last comes to the front; there is always one. */
  showSome(): void
  /** After the theme was set. */
  repaint(): void
  /** All go out of sight and are remembered as they are now, whatever becomes of them afterwards. Never rejects. */
  end(): Promise<void>
}

interface Open extends OpenWindow {
  folder: string | null
  zoom: number | null
}

const mac = process.platform === 'darwin'

export function createWindows(options: {
  preload: string
  settings: MainSettings
  states: WindowStates
  /** Serves a new window; what it returns is called when the window has closed. */
  serve: (opened: OpenWindow) => () => void
  log: Log
}): Windows {
  const { settings, states, log } = options
  const style = settings.titleBarStyle
  /** The one used last first. */
  let all: Open[] = []
  let ended = false

  const remember = () => {
    if (!ended) states.keep(all.map(stateOf))
  }
  const toFront = (opened: Open) => {
    all = [opened, ...all.filter(each => each !== opened)]
    remember()
  }
  const repaint = () => {
    for (const { window, zoom } of all) paintFrame(window, style, groundNow(), zoom)
  }

  const openAt = (state: WindowState, inFront: boolean) => {
    const { bounds, mode, zoom } = state
    const window = createWindow({ preload: options.preload, bounds, mode, zoom, style, ground: groundNow(), inFront })
    const page = keepPage(window, () => window.loadURL(addressOf(opened)), log)
    const opened: Open = {
      window,
      folder: state.folder,
      zoom,
      takeGone: page.takeGone,
      shows(shown) {
        window.setTitle(shown.title)
        if (mac) window.setRepresentedFilename(shown.file ?? '')
        if (mac) window.setDocumentEdited(shown.unsaved)
        opened.folder = shown.folder
        if (shown.zoom !== opened.zoom) {
          opened.zoom = shown.zoom
          paintFrame(window, style, groundNow(), shown.zoom)
        }
        remember()
      },
    }
    const leave = options.serve(opened)
    all = inFront ? [opened, ...all] : [...all, opened]
    for (const event of ['resize', 'move', 'maximize', 'unmaximize', 'enter-full-screen', 'leave-full-screen'] as const)
      window.on(event as 'move', remember)
    window.on('focus', () => toFront(opened))
    window.on('close', event => {
      // Elsewhere the last window's end is the app's, which asks first: the window stays while the person may say no.
      if (mac || ended || all.length > 1) return remember()
      event.preventDefault()
      app.quit()
    })
    window.on('closed', () => {
      leave()
      all = all.filter(each => each !== opened)
      remember()
    })
    page.begin()
    remember()
  }

  const focus = (folder: string, except: BrowserWindow | null) => {
    const found = all.find(each => each.folder === folder && each.window !== except)
    if (found) show(found.window)
    return found !== undefined
  }
  const openNew = (folder: string | null) => {
    const others = all.map(({ window }) => window.getNormalBounds())
    // The first one of a run without a folder is as large as the one used last.
    const known = folder === null ? (all.length === 0 ? states.lastOpen[0] : null) : states.of(folder)
    const bounds = placeFor(known?.bounds ?? null, others)
    openAt({ folder, bounds, mode: known?.mode ?? 'normal', zoom: known?.zoom ?? null }, true)
  }
  const open = (folder: string | null) => {
    if (folder === null || !focus(folder, null)) openNew(folder)
  }

  keepInReach(() => all.map(({ window }) => window))
  onGround(repaint)
  return {
    open,
    focus,
    restore(folder) {
      const wanted = folder === null || settings.restoreWindows === 'preserve' ? lastOnes(settings, states) : []
      for (const [index, state] of wanted.entries()) {
        const others = all.map(({ window }) => window.getNormalBounds())
        openAt({ ...state, bounds: placeFor(state.bounds, others) }, index === 0 && folder === null)
      }
      if (folder !== null || wanted.length === 0) open(folder)
    },
    showSome() {
      const latest = all[0]
      if (latest) show(latest.window)
      else openNew(null)
    },
    repaint,
    async end() {
      remember()
      ended = true
      for (const { window } of all) window.hide()
      await states.flush()
    },
  }
}

/** The page knows its zoom before its first paint. */
const addressOf = ({ zoom }: Open): string => `${APP_ORIGIN}/index.html${zoom === null ? '' : `?zoom=${zoom}`}`

function stateOf({ window, folder, zoom }: Open): WindowState {
  const mode = window.isFullScreen() ? 'fullscreen' : window.isMaximized() ? 'maximized' : 'normal'
  return { folder, bounds: window.getNormalBounds(), mode, zoom }
}

function lastOnes({ restoreWindows }: MainSettings, { lastOpen }: WindowStates): readonly WindowState[] {
  if (restoreWindows === 'none') return []
  if (restoreWindows === 'one') return lastOpen.slice(0, 1)
  return restoreWindows === 'folders' ? lastOpen.filter(({ folder }) => folder !== null) : lastOpen
}

/** In reach, and not exactly upon another window. Without a place of its own: beside the window used last, or where the pointer is. */
function placeFor(
  known: WindowState['bounds'] | null,
  others: readonly WindowState['bounds'][],
): WindowState['bounds'] {
  const areas = workAreas()
  const before = others[0] ?? null
  const here = () => screen.getDisplayNearestPoint(screen.getCursorScreenPoint()).workArea
  const wanted = known ? rescued(known, areas) : fresh(before ? nearest(before, areas) : here(), before)
  return apart(wanted, others, nearest(wanted, areas))
}

function show(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
