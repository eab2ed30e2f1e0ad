/** A window too narrow for side pane and agent at once shows one of them. The zoom of the window counts. */
import { useSyncExternalStore } from 'react'
import { onZoom, zoomNow } from './zoom.ts'

const NARROW_PIXELS = 820

export const isNarrow = (): boolean => window.innerWidth / (zoomNow() / 100) <= NARROW_PIXELS

function subscribe(changed: () => void): () => void {
  window.addEventListener('resize', changed)
  const stop = onZoom(changed)
  return () => {
    window.removeEventListener('resize', changed)
    stop()
  }
}

export const useNarrow = (): boolean => useSyncExternalStore(subscribe, isNarrow)
