/** Displays come and go while windows are open: a window that nobody can reach any more is brought where one can. */
import { type BrowserWindow, type Rectangle, screen } from 'electron'
import { inReach, rescued } from './bounds.ts'

/** The system moves windows itself first, and tells of one change in several pieces. */
const PAUSE_MS = 300

export const workAreas = (): Rectangle[] => screen.getAllDisplays().map(({ workArea }) => workArea)

/** For the life of the app. */
export function keepInReach(windows: () => readonly BrowserWindow[]): void {
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    const areas = workAreas()
    if (areas.length === 0) return
    for (const window of windows()) if (!window.isDestroyed()) bringBack(window, areas)
  }
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(look, PAUSE_MS)
  }
  screen.on('display-added', soon)
  screen.on('display-removed', soon)
  screen.on('display-metrics-changed', soon)
}

function bringBack(window: BrowserWindow, areas: readonly Rectangle[]): void {
  if (window.isMinimized() || window.isFullScreen()) return
  if (window.isMaximized()) {
    if (inReach(window.getBounds(), areas)) return
    window.unmaximize()
    window.setBounds(rescued(window.getNormalBounds(), areas))
    window.maximize()
    return
  }
  const now = window.getBounds()
  const next = rescued(now, areas)
  if (next.x !== now.x || next.y !== now.y || next.width !== now.width || next.height !== now.height)
    window.setBounds(next)
}
