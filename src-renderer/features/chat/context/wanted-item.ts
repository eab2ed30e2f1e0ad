/** An item of the conversation that should come into view, however far up: older pages are fetched until it is there. */
import { create } from 'zustand'
import type { ItemId, SessionId } from '#contract/id'
import { loadOlder } from '../../../client/session-pump.ts'
import { sessionNow } from '../../../state/mirror/session.ts'
import type { Row } from '../rows.ts'

/** A new object each time, so that the same one can be asked for again. */
export const wantedItem = create<{ readonly wanted: { readonly itemId: ItemId } | null }>(() => ({ wanted: null }))

/** Does nothing where it is not on the path. Rejects with words where older pages cannot be had. */
export async function showItem(sessionId: SessionId, itemId: ItemId): Promise<void> {
  for (;;) {
    const state = sessionNow(sessionId)?.state
    if (!state) return
    if (state.items.has(itemId)) return wantedItem.setState({ wanted: { itemId } })
    const first = state.path[0]
    if (state.complete || first === undefined) return
    await loadOlder(sessionId)
    if (sessionNow(sessionId)?.state.path[0] === first) return
  }
}

/** The row that shows it, or the next one where it has none of its own. -1 where there is neither. */
export function rowOfItem(rows: readonly Row[], path: readonly ItemId[], itemId: ItemId): number {
  const from = path.indexOf(itemId)
  const later = new Set(from < 0 ? [] : path.slice(from))
  return rows.findIndex(
    row =>
      (row.kind === 'item' && later.has(row.itemId)) || (row.kind === 'group' && row.itemIds.some(id => later.has(id))),
  )
}
