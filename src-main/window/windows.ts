/** All windows: which folder each shows, which was used last, where the next one goes, and that all of them come back. */
import { app, type BrowserWindow, screen } from 'electron'
import type { Log } from '../../sidecar/base/log.ts'
import { logMarks, mark } from '../marks.ts'
import type { MainSettings } from '../settings.ts'
import { apart, fresh, nearest, rescued } from './bounds.ts'
import { keepInReach, workAreas } from './displays.ts'
import { onGround } from './ground.ts'
import { type OpenWindow, openWindow } from './open-window.ts'
import type { WindowState, WindowStates } from './window-states.ts'

export interface Windows {
  /** The one used last first. */
  readonly all: readonly OpenWindow[]
  /** The window that shows the folder comes to the front; where none does, and for null, one is opened. */
  open(folder: string | null): OpenWindow
  /** Another window than `except` that shows the folder comes to the front. False: there is none. */
  focus(folder: string, except: BrowserWindow | null): boolean
  /** The windows of the last run, as the settings have it, and one for `folder`. At least one is there then. */
  restore(folder: string | null): void
  /** The one used last comes to the front; there is one then. */
  showSome(): void
  /** After the theme was set. */
  repaint(): void
  /** All go out of sight and are remembered as they are now, whatever becomes of them afterwards. Never rejects. */
  end(): Promise<void>
}

/** `serve`: a window begins; what is returned is called when it has closed. */
export function createWindows(options: {
  preload: string
  icon: string
  settings: MainSettings
  states: WindowStates
  serve: (opened: OpenWindow) => () => void
  log: Log
}): Windows {
  const { settings, states, preload, icon, log } = options
  /** The one used last first. */
  let all: OpenWindow[] = []
  let ended = false

  const changed = () => {
    if (!ended) states.keep(all.filter(({ window }) => !window.isDestroyed()).map(({ state }) => state))
  }
  const boundsOfAll = () => all.map(({ window }) => window.getNormalBounds())
  const openAt = (state: WindowState, inFront: boolean) => {
    mark('window')
    const opened = openWindow(state, { preload, icon, settings, inFront, log, changed })
    const { window } = opened
    all = inFront ? [opened, ...all] : [...all, opened]
    const leave = options.serve(opened)
    window.once('show', () => mark('shown') && logMarks(log))
    window.on('focus', () => {
      all = [opened, ...all.filter(each => each !== opened)]
      changed()
    })
    window.on('close', event => {
      // Elsewhere than on macOS the last window's end is the app's, which asks first: it stays while the person may say no.
      if (process.platform === 'darwin' || ended || all.length > 1) return
      event.preventDefault()
      app.quit()
    })
    window.on('closed', () => {
      leave()
      all = all.filter(each => each !== opened)
      changed()
    })
    opened.begin()
    changed()
    return opened
  }
  const openNew = (folder: string | null) => {
    // The first one of a run that shows no folder is as large as the one used last.
    const known = folder === null ? (all.length === 0 ? states.lastOpen[0] : null) : states.of(folder)
    const bounds = placeFor(known?.bounds ?? null, boundsOfAll())
    return openAt({ folder, bounds, mode: known?.mode ?? 'normal', zoom: known?.zoom ?? null }, true)
  }
  const focus = (folder: string, except: BrowserWindow | null) => {
    const found = all.find(each => each.folder === folder && each.window !== except)
    found?.toFront()
    return found !== undefined
  }
  const open = (folder: string | null) => {
    const there = folder === null ? undefined : all.find(each => each.folder === folder)
    if (!there) return openNew(folder)
    there.toFront()
    return there
  }
  const repaint = () => {
    for (const each of all) each.repaint()
  }

  keepInReach(() => all.map(({ window }) => window))
  onGround(repaint)
  return {
    get all() {
      return all
    },
    open,
    focus,
    restore(folder) {
      const wanted = folder === null || settings.restoreWindows === 'preserve' ? lastOnes(settings, states) : []
      for (const [index, state] of wanted.entries())
        openAt({ ...state, bounds: placeFor(state.bounds, boundsOfAll()) }, index === 0 && folder === null)
      if (folder !== null || wanted.length === 0) open(folder)
    },
    showSome() {
      const latest = all[0]
      if (latest) latest.toFront()
      else openNew(null)
    },
    repaint,
    async end() {
      changed()
      ended = true
      for (const { window } of all) window.hide()
      await states.flush()
    },
  }
}

function lastOnes({ restoreWindows }: MainSettings, { lastOpen }: WindowStates): readonly WindowState[] {
  if (restoreWindows === 'none') return []
  if (restoreWindows === 'one') return lastOpen.slice(0, 1)
  return restoreWindows === 'folders' ? lastOpen.filter(({ folder }) => folder !== null) : lastOpen
}

type Bounds = WindowState['bounds']
/** In reach, and not exactly upon another window. Without a place of its own: beside the window used last, or where the pointer is. */
function placeFor(known: Bounds | null, others: readonly Bounds[]): Bounds {
  const areas = workAreas()
  const before = others[0] ?? null
  const here = () => screen.getDisplayNearestPoint(screen.getCursorScreenPoint()).workArea
  const wanted = known ? rescued(known, areas) : fresh(before ? nearest(before, areas) : here(), before)
  return apart(wanted, others, nearest(wanted, areas))
}
