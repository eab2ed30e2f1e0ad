/** Keeps the list of sessions and of background commands of one workspace. */
import type { WorkspaceId } from '#contract/id'
import type { SessionSummary } from '#contract/session'
import { sessionListStore } from '../state/mirror/session-list-store.ts'
import { belay, follow } from './index.ts'

const inOrder = (sessions: readonly SessionSummary[]): SessionSummary[] =>
  [...sessions].sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.changedAt - a.changedAt)

/** Until the returned function is called. One at a time: another workspace's list replaces the first. */
export function followSessionList(workspaceId: WorkspaceId, home: string): () => void {
  // A branch in a worktree works in another folder; it belongs to the tree of what it branched off.
  const mine = ({ roots, forkedFrom }: SessionSummary) =>
    roots[0] === home || sessionListStore.getState().sessions.some(each => each.sessionId === forkedFrom?.sessionId)
  const sessions = follow({
    async open(signal) {
      const [current, archived] = await Promise.all([
        belay.session.list({ workspaceId, branches: true }, { signal }),
        belay.session.list({ workspaceId, archived: true, branches: true }, { signal }),
      ])
      return [...current.sessions, ...archived.sessions]
    },
    onSnapshot: all => sessionListStore.setState({ status: 'ready', fault: null, sessions: inOrder(all) }),
    onFailed: (fault, retrying) =>
      sessionListStore.setState({ fault, ...(retrying ? {} : { status: 'failed' as const }) }),
    events: {
      'session/listed': ({ sessionId, summary }) => {
        const others = sessionListStore.getState().sessions.filter(each => each.sessionId !== sessionId)
        if (summary && !mine(summary)) return
        sessionListStore.setState({ sessions: inOrder(summary ? [...others, summary] : others) })
      },
    },
  })
  const background = follow({
    open: signal => belay.background.list({ workspaceId }, { signal }),
    onSnapshot: ({ commands }) => sessionListStore.setState({ background: commands }),
    events: {
      'background/changed': ({ command }) => {
        if (command.workspaceId !== workspaceId) return
        const others = sessionListStore.getState().background.filter(each => each.backgroundId !== command.backgroundId)
        sessionListStore.setState({ background: [...others, command] })
      },
    },
  })
  return () => {
    sessions.dispose()
    background.dispose()
    sessionListStore.setState({ status: 'opening', fault: null, sessions: [], background: [] })
  }
}
