/** The list of sessions as a person reads it: pinned, then by day, archived last; branches stand under what they branched off. Pure. */
import type { SessionId } from '#contract/id'
import type { SessionSummary } from '#contract/session'

export type GroupName = 'pinned' | 'today' | 'yesterday' | 'week' | 'older' | 'archived'
export interface SessionLineOf {
  readonly kind: 'session'
  readonly summary: SessionSummary
  /** 0: no branch, or one whose parent is not in the list. */
  readonly depth: number
  /** Null: nothing branched off it. */
  readonly open: boolean | null
}
export type SessionLine = { readonly kind: 'group'; readonly name: GroupName; readonly count: number } | SessionLineOf

interface ListOptions {
  readonly query: string
  readonly archived: boolean
  readonly now: number
  /** Whose branches are folded away. */
  readonly folded?: ReadonlySet<SessionId>
}

const DAY_MS = 86_400_000

interface Node {
  readonly summary: SessionSummary
  readonly branches: Node[]
}

/** Of it or a branch of it: work on a branch keeps the whole tree where a person looks. */
const newest = ({ summary, branches }: Node): number => Math.max(summary.changedAt, ...branches.map(newest))

function groupOf(node: Node, now: number): GroupName {
  if (node.summary.archived) return 'archived'
  if (node.summary.pinned) return 'pinned'
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  const at = newest(node)
  if (at >= midnight) return 'today'
  if (at >= midnight - DAY_MS) return 'yesterday'
  return at >= midnight - 7 * DAY_MS ? 'week' : 'older'
}
const order: readonly GroupName[] = ['pinned', 'today', 'yesterday', 'week', 'older', 'archived']

/** One that was pinned or archived for itself stands for itself. */
const belongsUnder = (summary: SessionSummary, parent: SessionSummary): boolean =>
  summary.archived === parent.archived && (!summary.pinned || parent.pinned)

function treesOf(sessions: readonly SessionSummary[]): Node[] {
  const nodes = new Map(sessions.map(summary => [summary.sessionId, { summary, branches: [] } as Node]))
  const roots: Node[] = []
  for (const node of nodes.values()) {
    const { forkedFrom } = node.summary
    const parent = forkedFrom && nodes.get(forkedFrom.sessionId)
    if (parent && belongsUnder(node.summary, parent.summary)) parent.branches.push(node)
    else roots.push(node)
  }
  return roots
}

/** `query` is looked for in titles and first words; archived ones show only when asked for. */
export function linesOf(sessions: readonly SessionSummary[], options: ListOptions): SessionLine[] {
  const query = options.query.trim().toLowerCase()
  const shown = sessions.filter(
    ({ archived, title, preview }) =>
      (options.archived || !archived) && (query === '' || `${title}\n${preview}`.toLowerCase().includes(query)),
  )
  const trees = treesOf(shown)
  const linesUnder = (node: Node, depth: number): SessionLine[] => {
    const { summary, branches } = node
    const open = branches.length === 0 ? null : !options.folded?.has(summary.sessionId)
    return [
      { kind: 'session', summary, depth, open },
      ...(open ? branches.flatMap(branch => linesUnder(branch, depth + 1)) : []),
    ]
  }
  return order.flatMap((name): SessionLine[] => {
    const members = trees.filter(tree => groupOf(tree, options.now) === name)
    if (members.length === 0) return []
    if (name !== 'pinned') members.sort((a, b) => newest(b) - newest(a))
    return [{ kind: 'group', name, count: members.length }, ...members.flatMap(tree => linesUnder(tree, 0))]
  })
}
