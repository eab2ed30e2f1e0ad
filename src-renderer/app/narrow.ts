/** A window too narrow for side pane and agent at once shows one of them. */
import { useSyncExternalStore } from 'react'

const query = window.matchMedia('(max-width: 820px)')
const subscribe = (changed: () => void) => {
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

export const isNarrow = (): boolean => query.matches
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, isNarrow)
