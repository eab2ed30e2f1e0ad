/**
 * A state cut down to what leads to one item: what a fork begins with. Pure. Promise: nothing of another branch or of what came
 * later is left, every call has its result, every turn its end, and nothing is allowed, waits or was spent.
 */
import type { CallId, ItemId, ReviewId, RootId, SessionId, TurnId } from '#contract/id'
import type { WirePath } from '#contract/path'
import type { FileWrite } from '#contract/session-event'
import { emptySession, hasEnded, type SessionState } from '#contract/session-fold'
import { factsOn } from '#contract/session-moves'
import type { Ask, Item, Review, Turn } from '#contract/session-state'
import { digestOfItems } from '../digest.ts'
import { emptyReplay, type Replayed } from '../replay.ts'
import type { Segment } from './segment.ts'

/** Where a branch from `at` can begin: at the end of what one answer of the model made, if all of that has ended; else before it. */
export function safePoint(state: SessionState, at: ItemId): SafePoint | null {
  const path = pathTo(state, at)
  if (!path) return null
  const wanted = path.length
  const next = new Map<ItemId, Item>()
  for (const item of state.items.values())
    if (item.parentId !== null && item.step !== undefined) next.set(item.parentId, item)
  for (let last = path.at(-1); last; ) {
    const follows = next.get(last.id)
    if (!follows || !isOneAnswer(last, follows)) break
    path.push(follows)
    last = follows
  }
  let end = path.findIndex(item => !ended(item))
  if (end < 0) end = path.length
  while (end > 0 && end < path.length && isOneAnswer(path[end - 1], path[end])) end--
  return { atItemId: path[end - 1]?.id ?? null, moved: end === wanted ? null : end > wanted ? 'later' : 'earlier' }
}

export interface SafePoint {
  readonly atItemId: ItemId | null
  readonly moved: 'later' | 'earlier' | null
}

const isOneAnswer = (a: Item | undefined, b: Item | undefined): boolean =>
  a?.step !== undefined && a.turnId === b?.turnId && a.step === b.step

const ended = (item: Item): boolean => hasEnded(item, 'output')

/** Root..`at`; null where it is not known. */
export function pathTo(state: SessionState, at: ItemId | null): Item[] | null {
  const path: Item[] = []
  for (let id = at; id !== null; ) {
    const item = state.items.get(id)
    if (!item) return null
    path.push(item)
    id = item.parentId
  }
  return path.reverse()
}

type Names = Pick<Segment, 'rootIds' | 'sessionIds'> & { isSame: boolean }
type Cut = Pick<Segment, 'atItemId' | 'atSeq' | 'whole' | 'rootIds' | 'sessionIds'>

/** The state of `from` cut as `cut` says, numbered on from its last event; where `at` is not known, up to nothing. */
export function cutReplay(from: Replayed, cut: Cut): Replayed {
  const { state } = from
  const { sessionId } = state.facts
  const path = pathTo(state, cut.atItemId) ?? []
  const kept = cut.whole ? [...state.items.values()] : path
  const names = { ...cut, isSame: Object.keys({ ...cut.rootIds, ...cut.sessionIds }).length === 0 }
  const items = kept.map(item => renamed(over(item), names))
  const cutState = emptySession(sessionId)
  cutState.path = path.map(item => item.id)
  const { seq } = state.facts
  const facts = { ...cutState.facts, ...factsOn(state.items, cutState.path), seq }
  cutState.facts = { ...facts, head: path.at(-1)?.id ?? null }
  for (const item of items) {
    cutState.items.set(item.id, item)
    if (item.kind === 'tool') cutState.calls.set(item.callId, item.id)
  }
  for (const turn of turnsOf(state, items, path)) cutState.turns.set(turn.turnId, turn)
  for (const ask of asksOf(state, cutState)) cutState.asks.set(ask.askId, ask)
  for (const review of reviewsOf(state, cut.atSeq)) cutState.reviews.set(review.reviewId, review)
  return { ...emptyReplay(sessionId), state: cutState, digest: digestOfItems(items) }
}

/** A turn that did not end here, or not with this item, was stopped as far as the branch goes: it can be continued. */
function turnsOf(state: SessionState, items: readonly Item[], path: readonly Item[]): Turn[] {
  const known = new Set(items.map(item => item.turnId))
  const last = path.at(-1)
  const cutShort =
    last && [...state.items.values()].some(item => item.parentId === last.id && item.turnId === last.turnId)
  return [...known].flatMap(turnId => {
    const turn = state.turns.get(turnId)
    if (!turn) return []
    const whole = turn.outcome !== null && !(cutShort && turnId === last.turnId && items.length === path.length)
    if (whole) return turn
    return {
      ...turn,
      outcome: 'stopped' as const,
      endedAt: last?.at ?? turn.startedAt,
      usage: null,
      cost: null,
      error: null,
    }
  })
}

/** Those that were answered, about what is still there. */
function asksOf(
  state: SessionState,
  { turns, calls }: { turns: Map<TurnId, Turn>; calls: Map<CallId, ItemId> },
): Ask[] {
  return [...state.asks.values()].filter(ask => {
    if (ask.answer === null || !turns.has(ask.turnId)) return false
    return ask.kind === 'permission' ? ask.calls.every(({ callId }) => calls.has(callId)) : calls.has(ask.callId)
  })
}

function reviewsOf({ reviews }: { reviews: Map<ReviewId, Review> }, atSeq: number): Review[] {
  return [...reviews.values()].flatMap(review => {
    if (review.seq > atSeq) return []
    return review.undone && review.undone.seq > atSeq ? { ...review, undone: null } : review
  })
}

/** A sub-agent that the end of its call left open is at work for the parent at most. */
function over(item: Item): Item {
  if (item.kind !== 'tool' || !item.subagents?.some(({ outcome }) => outcome === null)) return item
  return { ...item, subagents: item.subagents.map(each => ({ ...each, outcome: each.outcome ?? 'lost' })) }
}

/** With the names that its roots and its sub-agents' sessions have in the branch. */
function renamed(item: Item, { rootIds, sessionIds, isSame }: Names): Item {
  if (isSame) return item
  const at = (path: WirePath): WirePath => {
    const rootId: RootId | undefined = rootIds[path.rootId]
    return rootId ? { ...path, rootId } : path
  }
  if (item.kind === 'message' && item.attachments.some(({ path }) => path && rootIds[path.rootId]))
    return { ...item, attachments: item.attachments.map(each => ({ ...each, path: each.path && at(each.path) })) }
  if (item.kind !== 'tool') return item
  const files = item.files.map((file): FileWrite => ({ ...file, path: at(file.path) }))
  const lsp = item.lsp.map(each => ({ ...each, path: at(each.path) }))
  const subagents = item.subagents?.map(each => ({ ...each, sessionId: sessionIds[each.sessionId] ?? each.sessionId }))
  return { ...item, files, lsp, ...(subagents ? { subagents } : {}) }
}

/** Sessions of sub-agents that its items speak of. */
export const subagentsOf = (items: readonly Item[]): SessionId[] =>
  items.flatMap(item => (item.kind === 'tool' ? (item.subagents ?? []).map(({ sessionId }) => sessionId) : []))
