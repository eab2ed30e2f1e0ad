/**
 * A turn that an ended process left at an ask: nothing of it was running, so whoever opens the session goes on from there,
 * and the person's answer still counts.
 */
import type { ItemId, TurnId } from '#contract/id'
import type { SessionState } from '#contract/session-fold'
import type { Ask, Item, ToolItem, Turn } from '#contract/session-state'
import type { RequestedCall } from './blocks.ts'

export interface Suspended {
  readonly turn: Turn
  /** The prompt's item; without one, what the turn follows. */
  readonly itemId: ItemId
  readonly step: number
  /** Those of the step that have no end yet, in order. */
  readonly calls: readonly RequestedCall[]
}

/** Null where no turn is open, nothing waits for a person, or something may have been running. Pure. */
export function suspendedTurn(state: SessionState): Suspended | null {
  const turn = state.facts.running === null ? undefined : state.turns.get(state.facts.running)
  if (!turn) return null
  const items = itemsOf(state, turn.turnId)
  const open = items.filter(item => item.kind !== 'compaction' && !isOver(item))
  const asks = [...state.asks.values()].filter(ask => ask.answer === null && ask.turnId === turn.turnId)
  const itemId = items.find(item => item.kind === 'message' && item.role === 'user')?.id ?? turn.after
  const calls = open.filter(item => item.kind === 'tool')
  const [first] = calls
  if (!itemId || !first || calls.length < open.length || asks.length === 0) return null
  if (!asks.every(ask => asksFor(ask, calls)) || !calls.every(call => isWaiting(call, asks))) return null
  return {
    turn,
    itemId,
    step: first.step ?? 0,
    calls: calls.map(({ id, callId, tool, arguments: text }) => ({ itemId: id, callId, tool, arguments: text })),
  }
}

/** A turn's items stand at the end of the path. */
function itemsOf(state: SessionState, turnId: TurnId): Item[] {
  const items: Item[] = []
  for (let i = state.path.length - 1; i >= 0; i--) {
    const id = state.path[i]
    const item = id === undefined ? undefined : state.items.get(id)
    if (item?.turnId !== turnId) break
    items.unshift(item)
  }
  return items
}

function isOver(item: Item): boolean {
  if (item.kind === 'tool') return item.state !== 'requested' && item.state !== 'running'
  return item.kind === 'compaction' || item.ended
}

/** Not of a sub-agent, whose calls stand in another log. */
const asksFor = (ask: Ask, calls: readonly ToolItem[]): boolean => {
  const asked = ask.kind === 'permission' ? ask.calls : [ask]
  return asked.every(({ callId }) => calls.some(call => call.callId === callId))
}

/** What has begun may only be the question itself: that has no effect, and is put again. */
const isWaiting = ({ callId, state, server }: ToolItem, asks: readonly Ask[]): boolean =>
  !server && (state === 'requested' || asks.some(ask => ask.kind !== 'permission' && ask.callId === callId))
