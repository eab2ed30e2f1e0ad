/** A key each: letters act on the card or the call that has the focus, arrows only where it has it itself; never while one is writing. */
import type { KeyboardEvent } from 'react'

export type Acts = Readonly<Record<string, (() => void) | false | undefined>>

export interface ActsHandle {
  acts(): Acts
}

export function actOn(event: KeyboardEvent, acts: Acts): void {
  const writing = event.target instanceof HTMLTextAreaElement || event.nativeEvent.isComposing
  if (writing || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  const act = acts[event.key.toLowerCase()]
  if (!act || (event.key.startsWith('Arrow') && event.target !== event.currentTarget)) return
  event.preventDefault()
  event.stopPropagation()
  act()
}

/** As `actOn`, and what it does not know is not for the card around it either. */
export function actHere(event: KeyboardEvent, acts: Acts): void {
  actOn(event, acts)
  if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation()
}
