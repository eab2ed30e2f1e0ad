/**
 * The last items of a session's path: what `session/open` carries, what a client folds further events into, and the older
 * pages that are put in front of it. Law (session-fold.test.ts): folding into a window equals the window of the folded.
 */
import type { ItemId } from './id.ts'
import type { LiveDelta } from './session-event.ts'
import { emptySession, hasEnded, liveKey, type SessionState } from './session-fold.ts'
import type { Ask, Item, SessionSnapshot, Turn } from './session-state.ts'

/** Where a window of `count` items starts: earlier where the running turn has something unfinished before it. */
function windowStart({ path, items, facts }: SessionState, count: number): number {
  let start = Math.max(0, path.length - count)
  if (facts.running === null) return start
  for (let index = path.length - 1; index >= 0; index--) {
    const item = items.get(path[index] as ItemId)
    if (item?.turnId !== facts.running) break
    if (!hasEnded(item, 'output')) start = Math.min(start, index)
  }
  return start
}

/**
 * The last `count` items of the path with what they refer to, and more where something before them is still unfinished,
 * so that its end finds it. Open asks and the running turn are always there.
 */
export function snapshotOf(state: SessionState, epoch: string, count: number): SessionSnapshot {
  const from = windowStart(state, count)
  const items = itemsOf(state, state.path.slice(from))
  const turnIds = new Set(items.map(item => item.turnId))
  if (state.facts.running) turnIds.add(state.facts.running)
  const asks = [...state.asks.values()].filter(ask => ask.answer === null || turnIds.has(ask.turnId))
  return {
    epoch,
    facts: state.facts,
    items,
    turns: [...turnIds].flatMap(id => state.turns.get(id) ?? []),
    asks,
    more: from > 0 || !state.complete,
    live: [...state.live].map(([key, text]) => {
      const [itemId, kind] = key.split(' ') as [ItemId, LiveDelta['kind']]
      return { itemId, kind, offset: 0, text }
    }),
  }
}

/** A page of the path that ends before `before`: what `session/older` answers. */
export function pageBefore(
  state: SessionState,
  before: ItemId,
  count: number,
): { items: Item[]; turns: Turn[]; asks: Ask[]; more: boolean } {
  const end = state.path.indexOf(before)
  const from = Math.max(0, end - count)
  const items = itemsOf(state, state.path.slice(from, Math.max(0, end)))
  const turnIds = new Set(items.map(item => item.turnId))
  return {
    items,
    turns: [...turnIds].flatMap(id => state.turns.get(id) ?? []),
    asks: [...state.asks.values()].filter(ask => turnIds.has(ask.turnId)),
    more: from > 0,
  }
}

/** The state that a snapshot stands for; further events fold into it as into the whole. */
export function stateFrom(snapshot: SessionSnapshot): SessionState {
  const state = emptySession(snapshot.facts.sessionId)
  state.facts = snapshot.facts
  state.complete = !snapshot.more
  state.path = snapshot.items.map(item => item.id)
  prependKnown(state, snapshot.items, snapshot.turns, snapshot.asks)
  for (const delta of snapshot.live) state.live.set(liveKey(delta.itemId, delta.kind), delta.text)
  return state
}

/** Puts an older page in front of a window. */
export function prependPage(
  state: SessionState,
  page: { items: Item[]; turns: Turn[]; asks: Ask[]; more: boolean },
): void {
  const onPath = new Set(state.path)
  const fresh = page.items.filter(item => !onPath.has(item.id))
  state.path = [...fresh.map(item => item.id), ...state.path]
  state.complete = !page.more
  prependKnown(state, fresh, page.turns, page.asks)
}

function prependKnown(state: SessionState, items: Item[], turns: Turn[], asks: Ask[]): void {
  for (const item of items) {
    state.items.set(item.id, item)
    if (item.kind === 'tool') state.calls.set(item.callId, item.id)
  }
  for (const turn of turns) if (!state.turns.has(turn.turnId)) state.turns.set(turn.turnId, turn)
  for (const ask of asks) if (!state.asks.has(ask.askId)) state.asks.set(ask.askId, ask)
}

const itemsOf = (state: SessionState, ids: readonly ItemId[]): Item[] => ids.flatMap(id => state.items.get(id) ?? [])
