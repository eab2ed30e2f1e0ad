/** What a move of the head means for the facts of a session: those that belong to a place, and what can be undone. Pure. */
import type { ItemId } from './id.ts'
import type { SessionEventOf } from './session-event.ts'
import type { Item, Move, SessionFacts } from './session-state.ts'

/** The last that was said of each on the path. */
export function factsOn(
  items: ReadonlyMap<ItemId, Item>,
  path: readonly ItemId[],
): Pick<SessionFacts, 'todo' | 'contextTokens'> {
  const found: Pick<Item, 'todo' | 'contextTokens'> = {}
  for (let i = path.length - 1; i >= 0 && !(found.todo && found.contextTokens !== undefined); i--) {
    const item = items.get(path[i] as ItemId)
    found.todo ??= item?.todo
    found.contextTokens ??= item?.contextTokens
  }
  return { todo: found.todo ?? [], contextTokens: found.contextTokens ?? null }
}

/** Moves that are remembered. */
const MOST_MOVES = 20

export function withMove(moves: readonly Move[], event: SessionEventOf<'head.moved'>): Move[] {
  const { requestId, reason, from, to, at, restoreId = null, undoes } = event
  const known = moves.map(move => (move.requestId === undoes ? { ...move, undone: true } : move))
  if (requestId === undefined) return known
  // An undoing is no move to be undone: what was undone can be done again by moving there.
  return [...known, { requestId, reason, from, to, restoreId, at, undone: undoes !== undefined }].slice(-MOST_MOVES)
}

/** The move that `head/undo` takes back; null where there is none, or the conversation went on since. */
export function undoableMove({ moves, head, running }: Pick<SessionFacts, 'moves' | 'head' | 'running'>): Move | null {
  const last = moves.findLast(move => !move.undone)
  return last && last.to === head && running === null ? last : null
}
