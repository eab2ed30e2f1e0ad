/** From a session's path to the rows of the transcript. Pure; rows keep their keys while the path only grows. */
import type { BranchPoint } from '#contract/head'
import type { AskId, ItemId, TurnId } from '#contract/id'
import type { SessionState } from '#contract/session-fold'
import { undoableMove } from '#contract/session-moves'
import type { Item, Move } from '#contract/session-state'

export type Row =
  | { readonly kind: 'item'; readonly key: string; readonly itemId: ItemId }
  /** Consecutive looks around (read, list, glob, grep), folded into one line. */
  | { readonly kind: 'group'; readonly key: string; readonly itemIds: readonly ItemId[] }
  | { readonly kind: 'ask'; readonly key: string; readonly askId: AskId }
  | { readonly kind: 'footer'; readonly key: string; readonly turnId: TurnId }
  /** Here the conversation went on in more than one way. */
  | { readonly kind: 'branch'; readonly key: string; readonly point: BranchPoint; readonly itemId: ItemId }
  /** It was rewound to here, which can be taken back. */
  | { readonly kind: 'rewound'; readonly key: string; readonly move: Move }
  /** The agent works and shows nothing yet. */
  | { readonly kind: 'working'; readonly key: string }

const looks = new Set(['read', 'list', 'glob', 'grep'])
const isLook = (item: Item | undefined): boolean => item?.kind === 'tool' && looks.has(item.tool)

/** The agent's list itself stands above the field; each change of it is no news of its own. */
const isSilent = (item: Item | undefined): boolean => item?.kind === 'tool' && item.tool === 'todo'

const isPrompt = (item: Item): boolean => item.kind === 'message' && item.role === 'user'

export function rowsOf(state: SessionState, points: readonly BranchPoint[] = []): Row[] {
  const rows: Row[] = []
  const { items, turns, facts } = state
  const path = state.path.filter(id => !isSilent(items.get(id)))
  const branches = branchesAt(state, points)
  for (let i = 0; i < path.length; i++) {
    const id = path[i] as ItemId
    const item = items.get(id)
    if (!item) continue
    const { before, after } = branches.get(id) ?? {}
    if (before) rows.push(before)
    let end = i
    if (isLook(item))
      while (isLook(items.get(path[end + 1] as ItemId)) && items.get(path[end + 1] as ItemId)?.turnId === item.turnId)
        end++
    if (end > i) rows.push({ kind: 'group', key: id, itemIds: path.slice(i, end + 1) })
    else rows.push({ kind: 'item', key: id, itemId: id })
    if (after) rows.push(after)
    i = end
    const next = items.get(path[end + 1] as ItemId)
    // Words that are answered anew: what ended there is another answer, which is not shown.
    const again = isPrompt(item) && next !== undefined && turns.get(next.turnId)?.after === item.id
    if (next?.turnId !== item.turnId && turns.get(item.turnId)?.endedAt && !again)
      rows.push({ kind: 'footer', key: `end ${item.turnId}`, turnId: item.turnId })
  }
  const open = [...state.asks.values()].filter(ask => ask.answer === null)
  for (const ask of open) if (ask.kind === 'permission') rows.push({ kind: 'ask', key: ask.askId, askId: ask.askId })
  if (facts.running && open.length === 0) rows.push({ kind: 'working', key: 'working' })
  const move = undoableMove(facts)
  if (move?.reason === 'rewind') rows.push({ kind: 'rewound', key: `rewound ${move.requestId}`, move })
  return rows
}

type BranchRow = Extract<Row, { kind: 'branch' }>
type Branches = Map<ItemId, { before: BranchRow | undefined; after: BranchRow | undefined }>

/** Other prompts stand after the one that is shown, other answers before it: both right under the words of the person. */
function branchesAt({ path, items }: SessionState, points: readonly BranchPoint[]): Branches {
  const begun = new Map<ItemId, { row: BranchRow; isPrompt: boolean }>()
  const onPath = new Set(points.length > 0 ? path : [])
  for (const point of points) {
    // By the path, which is newer than what was told of the branches.
    const current = point.branches.find(({ itemId }) => onPath.has(itemId))
    if (!current || point.branches.length < 2) continue
    const { itemId, kind } = current
    const row: BranchRow = { kind: 'branch', key: `branch ${kind} ${point.parentId}`, point, itemId }
    begun.set(itemId, { row, isPrompt: kind === 'prompt' })
  }
  const found: Branches = new Map()
  let before: BranchRow | undefined
  for (const id of begun.size > 0 ? path : []) {
    const begins = begun.get(id)
    if (begins && !begins.isPrompt) before = begins.row
    // One that begins with what is not shown stands at what is.
    if (isSilent(items.get(id))) continue
    if (before || begins) found.set(id, { before, after: begins?.isPrompt ? begins.row : undefined })
    before = undefined
  }
  return found
}
