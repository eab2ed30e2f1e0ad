/**
 * What gives way when a conversation is compacted, pure: results of calls first, then what is oldest. The first request and the
 * one that is being worked on stay as they are; a call goes or stays with its results; something always stays at the end.
 */
import type { ItemId } from '#contract/id'
import type { SessionState } from '#contract/session-fold'
import type { Told } from '../context.ts'
import { tokensOfMessage } from './size.ts'

/** The last call whose result gives way so that the last `kept` results stay; null where there are no more than those. */
export function clearTo(told: readonly Told[], kept: number): ItemId | null {
  const results = told.filter(({ message }) => message.role === 'tool')
  return results.at(-1 - kept)?.items[0] ?? null
}

export interface Fold {
  /** The first and the last item of what it stands for. */
  readonly from: ItemId
  readonly to: ItemId
  /** Requests of a person within it that stay. */
  readonly kept: readonly ItemId[]
  /** What is told no more from now on: what an earlier summary stands for is not in it. */
  readonly told: readonly Told[]
}

/** What stays at the end: messages, where each call counts with its results as one. */
export interface Tail {
  readonly least: number
  readonly most: number
  /** Guessed. `least` stay also where they are more. */
  readonly tokens: number
}

/** Null where there is nothing to fold but what stays anyway. `told`: the whole history, results cleared already. */
export function foldOf(state: SessionState, told: readonly Told[], tail: Tail): Fold | null {
  const places = new Map(state.path.map((id, at) => [id, at]))
  const placeOf = (id: ItemId) => places.get(id) ?? -1
  const units = unitsOf(told)
  const head = units.slice(0, units.length - tailOf(units, tail)).flat()
  const earlier = state.path.flatMap(id => {
    const item = state.items.get(id)
    return item?.kind === 'compaction' && item.summary !== '' ? placeOf(item.toItemId) : []
  })
  const end = Math.max(-1, ...earlier, ...head.flatMap(({ items }) => items).map(placeOf))
  const kept = keptOf(state, end)
  const folded = head.filter(({ items }) => !items.some(id => kept.includes(id)))
  const to = state.path[end]
  const from = state.path.find(id => !kept.includes(id))
  return to === undefined || from === undefined || folded.length === 0 ? null : { from, to, kept, told: folded }
}

/** A message of a person, or one of the model with the results of its calls. */
function unitsOf(told: readonly Told[]): Told[][] {
  const units: Told[][] = []
  for (const each of told) {
    const last = units.at(-1)
    if (each.message.role === 'tool' && last) last.push(each)
    else units.push([each])
  }
  return units
}

/** How many units stay at the end: at least one. */
function tailOf(units: readonly Told[][], { least, most, tokens }: Tail): number {
  let left = tokens
  let count = 0
  for (const unit of units.toReversed()) {
    left -= unit.reduce((sum, { message }) => sum + tokensOfMessage(message), 0)
    if (count >= Math.max(1, least) && (left < 0 || count >= most)) break
    count += 1
  }
  return count
}

/** The first request; and the one of the running turn, where that lies within what is folded. */
function keptOf({ path, items, facts, turns }: SessionState, end: number): ItemId[] {
  const requests = path.slice(0, end + 1).filter(id => {
    const item = items.get(id)
    return item?.kind === 'message' && (item.origin === 'user' || item.origin === 'queue')
  })
  const turn = facts.running === null ? undefined : turns.get(facts.running)
  // A turn that only goes on works on the request before it.
  const current = requests.findLast(id => items.get(id)?.turnId === turn?.turnId || turn?.after !== undefined)
  return [...new Set([requests[0], current].flatMap(id => id ?? []))]
}
