/** Keeps what goes on in all workspaces: which there were of late, and the sessions that run, ask or ended unseen. */
import type { SessionSummary } from '#contract/session'
import { activityStore } from '../state/mirror/activity-store.ts'
import { belay, follow, pty } from './index.ts'

const counts = ({ state, unread }: SessionSummary): boolean => state !== 'idle' || unread

/** Until the returned function is called. */
export function followActivity(): () => void {
  const following = follow({
    open: async signal => {
      const [{ folders }, { sessions }] = await Promise.all([
        belay.workspace.recent({}, { signal }),
        belay.session.list({}, { signal }),
      ])
      return { folders, sessions }
    },
    onSnapshot: ({ folders, sessions }) =>
      activityStore.setState({ recent: folders, sessions: sessions.filter(counts) }),
    events: {
      'session/listed': ({ sessionId, summary }) => {
        const others = activityStore.getState().sessions.filter(each => each.sessionId !== sessionId)
        activityStore.setState({ sessions: summary && counts(summary) ? [...others, summary] : others })
      },
    },
  })
  return () => following.dispose()
}

/** Asks again which workspaces there were and where terminals run. Never rejects: what was known stays. */
export async function refreshActivity(): Promise<void> {
  const [recent, all] = await Promise.allSettled([belay.workspace.recent({}), pty.terminal.list({})])
  if (recent.status === 'fulfilled') activityStore.setState({ recent: recent.value.folders })
  if (all.status === 'rejected') return
  const terminals: Record<string, number> = {}
  for (const { workspaceId, state } of all.value.terminals)
    if (state === 'running') terminals[workspaceId] = (terminals[workspaceId] ?? 0) + 1
  activityStore.setState({ terminals })
}
