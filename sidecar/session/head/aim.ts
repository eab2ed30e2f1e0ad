/** Where a move of the head leads, and what leaves the conversation by it. Pure. */
import { BelayError } from '#contract/error'
import type { FreedPrompt, RewindTarget } from '#contract/head'
import type { ItemId } from '#contract/id'
import type { SessionState } from '#contract/session-fold'
import type { Item, MessageItem } from '#contract/session-state'

export interface Aim {
  readonly to: ItemId | null
  /** In path order: what is no longer on it, and what is on it in place of that. */
  readonly leaves: readonly Item[]
  readonly comes: readonly Item[]
  readonly reason: 'rewind' | 'switch'
}

/** Throws `not_found` where the target is not in the conversation any more. */
export function aimAt(state: SessionState, target: RewindTarget): Aim {
  if ('branch' in target) return switching(state, target.branch)
  const index = cutAt(itemsOf(state, state.path), target)
  return {
    to: state.path[index - 1] ?? null,
    leaves: itemsOf(state, state.path.slice(index)),
    comes: [],
    reason: 'rewind',
  }
}

/** To an item that is on the path. */
export function aimBack(state: SessionState, to: ItemId): Aim {
  const index = state.path.indexOf(to)
  if (index < 0) throw gone()
  return { to, leaves: itemsOf(state, state.path.slice(index + 1)), comes: [], reason: 'rewind' }
}

function cutAt(path: readonly Item[], target: Exclude<RewindTarget, { branch: ItemId }>): number {
  if ('turns' in target) {
    const begins = path.flatMap((item, at) => (isPrompt(item) ? [at] : []))
    if (begins.length === 0) throw new BelayError('not_found', 'Nothing was said yet that could be taken back.')
    return begins.at(-target.turns) ?? begins[0] ?? 0
  }
  const index = path.findIndex(item =>
    'turn' in target ? item.turnId === target.turn : item.id === target.before && item.kind === 'message',
  )
  if (index < 0) throw gone()
  return index
}

function switching(state: SessionState, inBranch: ItemId): Aim {
  if (!state.items.has(inBranch)) throw gone()
  const to = tipsOf(state).get(inBranch) ?? inBranch
  const path: ItemId[] = []
  for (let id: ItemId | null = to; id !== null; id = state.items.get(id)?.parentId ?? null) path.push(id)
  path.reverse()
  let common = 0
  while (common < path.length && path[common] === state.path[common]) common++
  const [leaves, comes] = [state.path.slice(common), path.slice(common)]
  return { to, leaves: itemsOf(state, leaves), comes: itemsOf(state, comes), reason: 'switch' }
}

/** Of each item where the branch that goes on from it ends: what was said last below it. */
export function tipsOf({ items }: SessionState): Map<ItemId, ItemId> {
  const tips = new Map<ItemId, ItemId>()
  // Whoever follows stands later in the log.
  for (const { id, parentId } of [...items.values()].reverse()) {
    const tip = tips.get(id) ?? id
    tips.set(id, tip)
    if (parentId !== null && !tips.has(parentId)) tips.set(parentId, tip)
  }
  return tips
}

/** Words that begin a turn. */
export const isPrompt = (item: Item | undefined): item is MessageItem =>
  item?.kind === 'message' && item.role === 'user' && (item.origin === 'user' || item.origin === 'queue')

/** The words that a rewind takes out first, to be written anew. */
export const freedBy = ({ leaves: [first], reason }: Pick<Aim, 'leaves' | 'reason'>): FreedPrompt | null =>
  reason === 'rewind' && first?.kind === 'message' && first.role === 'user'
    ? { text: first.text, attachments: first.attachments }
    : null

export const countOf = (items: readonly Item[]) => ({
  turns: new Set(items.map(({ turnId }) => turnId)).size,
  messages: items.filter(item => item.kind === 'message').length,
})

export const itemsOf = (state: SessionState, ids: readonly ItemId[]): Item[] =>
  ids.flatMap(id => state.items.get(id) ?? [])

const gone = () =>
  new BelayError('not_found', 'This message is not part of the conversation as it stands now. Nothing was changed.')
