/** The window's own zoom in percent; null while it follows the setting. Kept by the tab, and by the desktop through a start. */
import { create } from 'zustand'
import { keepInTab, keptInTab } from './in-tab.ts'

const KEY = 'belay.zoom'
export const LEAST_ZOOM = 50
export const MOST_ZOOM = 200

export const ownZoom = create<{ readonly percent: number | null }>(() => ({ percent: atStart() }))

export function setOwnZoom(percent: number | null): void {
  ownZoom.setState({ percent })
  keepInTab(KEY, percent)
}

/** The desktop tells it in the address: it is there before anything is painted. */
function atStart(): number | null {
  const kept = keptInTab(KEY)
  const told = kept === undefined ? Number(new URLSearchParams(location.search).get('zoom') ?? Number.NaN) : kept
  return typeof told === 'number' && told >= LEAST_ZOOM && told <= MOST_ZOOM ? told : null
}
