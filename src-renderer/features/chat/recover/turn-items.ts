/** Which items of the conversation a turn is made of, and what to call it. Pure. */
import type { RewindTarget } from '#contract/head'
import type { ItemId, TurnId } from '#contract/id'
import type { SessionState } from '#contract/session-fold'
import type { MessageItem, Turn } from '#contract/session-state'

/** In the order of the path; empty where the turn is not on it. */
export const itemsOfTurn = ({ path, items }: SessionState, turnId: TurnId): ItemId[] =>
  path.filter(id => items.get(id)?.turnId === turnId)

/** The last turn of the conversation as it stands, which need not be the last that began. */
export function lastTurnOf({ path, items, turns }: SessionState): Turn | null {
  const last = items.get(path.at(-1) as ItemId)
  return (last && turns.get(last.turnId)) ?? null
}

/** Whether there is something to go on with: it is the last turn, and came to no end of its own. */
export const canContinue = (state: SessionState, turnId: TurnId): boolean => {
  const turn = lastTurnOf(state)
  return turn?.turnId === turnId && state.facts.running === null && turn.outcome !== null && turn.outcome !== 'done'
}

/** The person's words at or before an item: what it answers. */
export function promptAt({ path, items }: SessionState, itemId: ItemId): MessageItem | null {
  for (let at = path.indexOf(itemId); at >= 0; at--) {
    const item = items.get(path[at] as ItemId)
    if (item?.kind === 'message' && item.role === 'user') return item
  }
  return null
}

/** The last message of the person's own; null without any. */
export const lastPromptOf = (state: SessionState): MessageItem | null => {
  const last = state.path.at(-1)
  return last === undefined ? null : promptAt(state, last)
}

/** The first item that a rewind takes out of the conversation; null where it is not among those that are known, or it takes none. */
export function firstOfTarget(state: SessionState, to: RewindTarget): ItemId | null {
  if ('before' in to) return to.before
  if ('turn' in to) return itemsOfTurn(state, to.turn)[0] ?? null
  if ('branch' in to) return null
  const turns = [...new Set(state.path.map(id => state.items.get(id)?.turnId))]
  const turnId = turns.at(-to.turns)
  return (turnId && itemsOfTurn(state, turnId)[0]) ?? null
}
