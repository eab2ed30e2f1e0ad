/** How large everything in this window is: its own zoom while it has one, else the setting. */
import { onSetting, settingNow, settingsMirror } from '../state/mirror/settings.ts'
import { LEAST_ZOOM, MOST_ZOOM, ownZoom, setOwnZoom } from '../state/view/zoom.ts'

/** Percent. */
export const zoomNow = (): number => ownZoom.getState().percent ?? settingNow('appearance.zoom')

/** Returns the function that ends listening. */
export function onZoom(changed: () => void): () => void {
  const stops = [ownZoom.subscribe(changed), onSetting('appearance.zoom', changed)]
  return () => {
    for (const stop of stops) stop()
  }
}

export const zoomBy = (percent: number): void =>
  setOwnZoom(Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoomNow() + percent)))

/** It follows the setting again. */
export const zoomReset = (): void => setOwnZoom(null)

/** A person who changes the setting means every window. Call once. */
export function followZoomSetting(): void {
  settingsMirror.subscribe((state, before) => {
    const [now, then] = [state, before].map(({ values }) => values.get('appearance.zoom')?.layers.user)
    if (before.snapshot !== null && now !== then) zoomReset()
  })
}
