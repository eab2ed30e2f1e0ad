/** A window too narrow for side pane and agent at once shows one of them. The zoom of the window counts. */
import { useSyncExternalStore } from 'react'
import { onSetting, settingNow } from '../state/mirror/settings.ts'

const NARROW_PIXELS = 820

export const isNarrow = (): boolean => window.innerWidth / (settingNow('appearance.zoom') / 100) <= NARROW_PIXELS

function subscribe(changed: () => void): () => void {
  window.addEventListener('resize', changed)
  const stop = onSetting('appearance.zoom', changed)
  return () => {
    window.removeEventListener('resize', changed)
    stop()
  }
}

export const useNarrow = (): boolean => useSyncExternalStore(subscribe, isNarrow)
