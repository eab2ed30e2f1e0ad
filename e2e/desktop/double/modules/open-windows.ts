/** The windows there are, in the order of their making, and in which order they had the focus. */
import type { BrowserWindow } from './browser-window.ts'

const open = new Set<BrowserWindow>()
/** The last one is in front. */
let stack: BrowserWindow[] = []
let focused: BrowserWindow | null = null

export const allWindows = (): BrowserWindow[] => [...open]
export const hasWindows = (): boolean => open.size > 0
export const forEachWindow = (visit: (window: BrowserWindow) => void): void => [...open].forEach(visit)
export const focusedWindow = (): BrowserWindow | null => focused

export function addWindow(window: BrowserWindow): void {
  open.add(window)
  stack = [window, ...stack]
}

export function removeWindow(window: BrowserWindow): void {
  open.delete(window)
  stack = stack.filter(each => each !== window)
  if (focused === window) focused = null
}

/** Who had the focus before, if it was another. */
export function moveFocus(to: BrowserWindow | null): BrowserWindow | null {
  const before = focused
  focused = to
  if (to) stack = [...stack.filter(each => each !== to), to]
  return before === to ? null : before
}

/** Who gets the focus when the front one goes. */
export const nextInFront = (fits: (window: BrowserWindow) => boolean): BrowserWindow | null =>
  stack.findLast(fits) ?? null
