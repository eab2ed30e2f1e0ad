/** Sub-agents at work: what they write stands in their own logs until the call that they work for ends. */
import { toFault } from '#contract/error'
import type { SessionId } from '#contract/id'
import type { SessionState } from '#contract/session-fold'
import type { ReviewedSession, ReviewPorts } from './ports.ts'

/** With the sessions of sub-agents that still work, at any depth. */
export function withWorkers<T>(
  ports: Pick<ReviewPorts, 'session'>,
  state: SessionState,
  work: (workers: ReviewedSession[]) => Promise<T>,
): Promise<T> {
  const found: ReviewedSession[] = []
  const seen = new Set<SessionId>()
  const enter = async (waiting: readonly SessionId[]): Promise<T> => {
    const [next, ...rest] = waiting
    if (next === undefined) return work(found)
    if (seen.has(next)) return enter(rest)
    seen.add(next)
    try {
      return await ports.session(next, session => {
        found.push(session)
        return enter([...rest, ...workersOf(session.state)])
      })
    } catch (thrown) {
      // Its log went away: what it wrote is somebody's, and no more is known.
      if (found.some(each => each.state.facts.sessionId === next) || toFault(thrown).code !== 'not_found') throw thrown
      return enter(rest)
    }
  }
  return enter(workersOf(state))
}

function workersOf({ items, facts }: SessionState): SessionId[] {
  if (facts.running === null) return []
  return [...items.values()].flatMap(item =>
    item.kind === 'tool'
      ? (item.subagents ?? []).flatMap(({ sessionId, outcome }) => (outcome === null ? [sessionId] : []))
      : [],
  )
}
