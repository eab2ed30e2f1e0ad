/** Where the path of a conversation has other branches. Pure; one pass over the items. */
import type { BranchPoint } from '#contract/head'
import type { ItemId } from '#contract/id'
import type { SessionState } from '#contract/session-fold'
import type { Item } from '#contract/session-state'
import { tipsOf } from './aim.ts'

const TEXT_CHARS = 200

export function branchPoints(state: SessionState): BranchPoint[] {
  const { items, path, facts } = state
  const onPath = new Set(path)
  const children = new Map<ItemId | null, Item[]>()
  for (const item of items.values()) {
    if (item.parentId !== null && !onPath.has(item.parentId)) continue
    const known = children.get(item.parentId)
    if (known) known.push(item)
    else children.set(item.parentId, [item])
  }
  const isPoint = (parent: ItemId | null) => (children.get(parent)?.length ?? 0) > (parent === facts.head ? 0 : 1)
  const parents = [null, ...path].filter(isPoint)
  if (parents.length === 0) return []
  const tips = tipsOf(state)
  const branchOf = (item: Item): BranchPoint['branches'][number] => {
    const along = alongOf(items, item, tips.get(item.id) ?? item.id)
    const isPrompt = item.kind === 'message' && item.role === 'user'
    return {
      itemId: item.id,
      kind: isPrompt ? 'prompt' : 'answer',
      current: onPath.has(item.id),
      at: item.at,
      turns: new Set(along.map(({ turnId }) => turnId)).size,
      text: (isPrompt ? item.text : answerIn(along)).slice(0, TEXT_CHARS),
    }
  }
  return parents.map(parentId => ({ parentId, branches: (children.get(parentId) ?? []).map(branchOf) }))
}

/** From an item to the tip below it. */
function alongOf(items: ReadonlyMap<ItemId, Item>, from: Item, tip: ItemId): Item[] {
  const along: Item[] = []
  for (let item = items.get(tip); item; item = item.parentId === null ? undefined : items.get(item.parentId)) {
    along.push(item)
    if (item.id === from.id) break
  }
  return along.reverse()
}

/** What the first turn of it said last. */
function answerIn(along: readonly Item[]): string {
  const turnId = along[0]?.turnId
  const texts = along.flatMap(item => (item.kind === 'message' && item.turnId === turnId ? item.text : []))
  return texts.findLast(text => text !== '') ?? ''
}
