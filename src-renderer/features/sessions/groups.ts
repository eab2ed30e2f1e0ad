/** The list of sessions as a person reads it: pinned, then by day, archived last. Pure. */
import type { SessionSummary } from '#contract/session'

export type GroupName = 'pinned' | 'today' | 'yesterday' | 'week' | 'older' | 'archived'
export type SessionLine =
  | { readonly kind: 'group'; readonly name: GroupName; readonly count: number }
  | { readonly kind: 'session'; readonly summary: SessionSummary }

const DAY_MS = 86_400_000

const groupOf = (session: SessionSummary, now: number): GroupName => {
  if (session.archived) return 'archived'
  if (session.pinned) return 'pinned'
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  if (session.changedAt >= midnight) return 'today'
  if (session.changedAt >= midnight - DAY_MS) return 'yesterday'
  return session.changedAt >= midnight - 7 * DAY_MS ? 'week' : 'older'
}
const order: readonly GroupName[] = ['pinned', 'today', 'yesterday', 'week', 'older', 'archived']

/** `query` is looked for in titles and first words; archived ones show only when asked for. */
export function linesOf(
  sessions: readonly SessionSummary[],
  options: { query: string; archived: boolean; now: number },
): SessionLine[] {
  const query = options.query.trim().toLowerCase()
  const shown = sessions.filter(
    ({ archived, title, preview }) =>
      (options.archived || !archived) && (query === '' || `${title}\n${preview}`.toLowerCase().includes(query)),
  )
  return order.flatMap((name): SessionLine[] => {
    const members = shown.filter(session => groupOf(session, options.now) === name)
    if (members.length === 0) return []
    return [
      { kind: 'group', name, count: members.length },
      ...members.map((summary): SessionLine => ({ kind: 'session', summary })),
    ]
  })
}
