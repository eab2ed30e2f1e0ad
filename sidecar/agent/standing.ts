/**
 * What of the path root..head a model is told, by the compactions on it and nothing else: a path without one is told whole, so
 * that a rewind to before it brings everything back.
 */
import type { ItemId } from '#contract/id'
import type { SessionState } from '#contract/session-fold'
import type { CompactionItem, Item } from '#contract/session-state'

export interface Standing {
  /** In the order they are told; a compaction stands where its summary does. */
  readonly items: readonly Item[]
  /** Whether the result of this call is told no more. */
  isCleared(id: ItemId): boolean
  /** Characters of its result, or of a text attached to it, that are told; null: as many as there are. */
  mostChars(id: ItemId): number | null
}

/** What a person answered is in these results, or what the agent means to do: they are few, short and needed. */
const spared = new Set(['ask_user', 'propose_plan', 'todo'])
/** A result that is shorter than what would stand for it stays. */
export const SHORT_RESULT = 200

export function standingOf(state: SessionState): Standing {
  const path = state.path.flatMap(id => state.items.get(id) ?? [])
  const compactions = path.filter(item => item.kind === 'compaction')
  const folding = compactions.findLast(({ summary }) => summary !== '')
  const clearing = compactions.findLast(({ clearedTo }) => clearedTo !== undefined)
  const capping = compactions.findLast(({ mostChars }) => mostChars !== undefined)
  if (compactions.length === 0) return { items: path, isCleared: () => false, mostChars: () => null }
  const places = new Map(path.map(({ id }, at) => [id, at]))
  const placeOf = (id: ItemId | undefined) => (id === undefined ? -1 : (places.get(id) ?? -1))
  const clearedTo = placeOf(clearing?.clearedTo)
  const cappedTo = placeOf(capping?.id)
  return {
    items: folding ? folded(path, folding, placeOf) : path.filter(item => item.kind !== 'compaction'),
    isCleared(id) {
      const item = state.items.get(id)
      if (item?.kind !== 'tool' || item.server || spared.has(item.tool) || placeOf(id) > clearedTo) return false
      return (item.preview?.text.length ?? 0) > SHORT_RESULT
    },
    mostChars: id => (placeOf(id) < cappedTo ? (capping?.mostChars ?? null) : null),
  }
}

/** The summary comes right behind the first request; the rest of the path follows. */
function folded(path: readonly Item[], folding: CompactionItem, placeOf: (id: ItemId) => number): Item[] {
  const kept = [...new Set(folding.kept ?? [])].map(placeOf).filter(at => at >= 0)
  const [first, ...others] = kept.sort((a, b) => a - b).flatMap(at => path[at] ?? [])
  const rest = path.slice(placeOf(folding.toItemId) + 1).filter(item => item.kind !== 'compaction')
  return [...(first ? [first] : []), folding, ...others, ...rest]
}
