/** From a session's path to the rows of the transcript. Pure; rows keep their keys while the path only grows. */
import type { AskId, ItemId, TurnId } from '#contract/id'
import type { SessionState } from '#contract/session-fold'
import type { Item } from '#contract/session-state'

export type Row =
  | { readonly kind: 'item'; readonly key: string; readonly itemId: ItemId }
  /** Consecutive looks around (read, list, glob, grep), folded into one line. */
  | { readonly kind: 'group'; readonly key: string; readonly itemIds: readonly ItemId[] }
  | { readonly kind: 'ask'; readonly key: string; readonly askId: AskId }
  | { readonly kind: 'footer'; readonly key: string; readonly turnId: TurnId }
  /** The agent works and shows nothing yet. */
  | { readonly kind: 'working'; readonly key: string }

const looks = new Set(['read', 'list', 'glob', 'grep'])
const isLook = (item: Item | undefined): boolean => item?.kind === 'tool' && looks.has(item.tool)

/** The agent's list itself stands above the field; each change of it is no news of its own. */
const isSilent = (item: Item | undefined): boolean => item?.kind === 'tool' && item.tool === 'todo'

export function rowsOf(state: SessionState): Row[] {
  const rows: Row[] = []
  const { items, turns, facts } = state
  const path = state.path.filter(id => !isSilent(items.get(id)))
  for (let i = 0; i < path.length; i++) {
    const id = path[i] as ItemId
    const item = items.get(id)
    if (!item) continue
    let end = i
    if (isLook(item))
      while (isLook(items.get(path[end + 1] as ItemId)) && items.get(path[end + 1] as ItemId)?.turnId === item.turnId)
        end++
    if (end > i) rows.push({ kind: 'group', key: id, itemIds: path.slice(i, end + 1) })
    else rows.push({ kind: 'item', key: id, itemId: id })
    i = end
    const next = items.get(path[end + 1] as ItemId)
    if (next?.turnId !== item.turnId && turns.get(item.turnId)?.endedAt)
      rows.push({ kind: 'footer', key: `end ${item.turnId}`, turnId: item.turnId })
  }
  const open = [...state.asks.values()].filter(ask => ask.answer === null)
  for (const ask of open) if (ask.kind === 'permission') rows.push({ kind: 'ask', key: ask.askId, askId: ask.askId })
  if (facts.running && open.length === 0) rows.push({ kind: 'working', key: 'working' })
  return rows
}
