/** Where turns begin on a path, and how the one before ended: told to the model in fixed words. Compactions are looked through. */
import type { ItemId } from '#contract/id'
import type { SessionState } from '#contract/session-fold'
import type { Item, Turn } from '#contract/session-state'

/** The item itself, or the nearest one above it that is no compaction. */
export function behindCompactions({ items }: SessionState, id: ItemId | null): Item | undefined {
  let item = id === null ? undefined : items.get(id)
  while (item?.kind === 'compaction') item = item.parentId === null ? undefined : items.get(item.parentId)
  return item
}

/** The turn that the path was in before this item, also where that was compacted away. */
export function turnBefore(state: SessionState, { parentId }: Item): Turn | undefined {
  const before = behindCompactions(state, parentId)
  return before && state.turns.get(before.turnId)
}

/** Whether a turn without words of its own begins with this item. */
export const beginsWith = (state: SessionState, { parentId }: Item, { after }: Turn): boolean =>
  after !== undefined && behindCompactions(state, parentId)?.id === after

export function endedOddly(turn: Turn | undefined): string | null {
  if (turn?.outcome === 'stopped') return 'the person stopped the turn before this message.'
  if (turn?.outcome === 'lost') return 'the program ended in the middle of the turn before this message.'
  if (turn?.outcome === 'limit') return 'the turn before this message reached its limit of model calls.'
  if (turn?.outcome === 'error') return 'the turn before this message was cut off by an error of the model service.'
  return null
}

export const whyBrokenOff = (before: Turn | undefined): string => brokenOff[before?.outcome ?? 'done']

const brokenOff: Record<NonNullable<Turn['outcome']>, string> = {
  done: 'the turn before ended here.',
  stopped: 'the person stopped the turn here.',
  lost: 'the program ended in the middle of the turn.',
  limit: 'the turn reached its limit of model calls here.',
  error: 'the turn was cut off here by an error of the model service.',
}
