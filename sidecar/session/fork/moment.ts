/** When an item was said, in terms of who wrote what: for bringing back how the files stood then. Pure. */
import type { ItemId } from '#contract/id'
import type { SessionState } from '#contract/session-fold'
import { pathTo, subagentsOf } from './cut.ts'
import type { Moment } from './ports.ts'

/** Null: nothing came after it, or nothing before it was kept; then it is now. */
export function momentOf(state: SessionState, atItemId: ItemId | null): Moment | null {
  const path = pathTo(state, atItemId)
  const last = path?.at(-1)
  if (!path || !last) return firstMoment(state)
  const next = [...state.items.values()].filter(item => item.parentId === last.id)
  if (next.length === 0) return null
  const checkpointId = path.findLast(({ turnId }) => state.turns.get(turnId)?.checkpointId)
  const known = checkpointId && state.turns.get(checkpointId.turnId)?.checkpointId
  if (!known) return firstMoment(state)
  const goesOn = next.some(({ turnId }) => turnId === last.turnId)
  const ended = goesOn ? null : state.turns.get(last.turnId)?.endedAt
  return {
    checkpointId: known,
    calls: new Set(path.flatMap(item => (item.kind === 'tool' ? item.callId : []))),
    sessions: new Set(subagentsOf(path)),
    until: ended ?? Math.min(...next.map(({ at }) => at)),
  }
}

/** Before anything was done: what the first turn with an effect began with. */
function firstMoment({ turns }: SessionState): Moment | null {
  const first = [...turns.values()].find(turn => turn.checkpointId)
  if (!first?.checkpointId) return null
  return { checkpointId: first.checkpointId, calls: new Set(), sessions: new Set(), until: 0 }
}
