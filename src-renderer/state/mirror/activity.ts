/** What goes on in each workspace, for reading: agents at work, asks that wait, ends that nobody saw, terminals. */
import type { StoreApi, UseBoundStore } from 'zustand'
import { type ActivityMirror, activityStore, type RecentWorkspace } from './activity-store.ts'

export type { ActivityMirror, RecentWorkspace } from './activity-store.ts'

export const activityMirror: UseBoundStore<
  Pick<StoreApi<ActivityMirror>, 'getState' | 'getInitialState' | 'subscribe'>
> = activityStore

export interface WorkspaceActivity {
  readonly working: number
  readonly asking: number
  /** Since it was last opened: what ended before that is no news. */
  readonly ended: number
  readonly terminals: number
}

export function activityOf(
  { sessions, terminals }: ActivityMirror,
  { home, workspaceId, openedAt }: Pick<RecentWorkspace, 'home' | 'workspaceId' | 'openedAt'>,
): WorkspaceActivity {
  const mine = sessions.filter(({ roots }) => roots[0] === home)
  const count = (state: 'running' | 'asking') => mine.filter(each => each.state === state).length
  return {
    working: count('running'),
    asking: count('asking'),
    ended: mine.filter(each => each.state === 'idle' && each.unread && each.changedAt > openedAt).length,
    terminals: terminals[workspaceId] ?? 0,
  }
}

/** Of all workspaces but the one known by `home`. */
export function elsewhere(activity: ActivityMirror, home: string | undefined): Omit<WorkspaceActivity, 'terminals'> {
  const sum = { working: 0, asking: 0, ended: 0 }
  for (const recent of activity.recent) {
    if (recent.home === home) continue
    const { working, asking, ended } = activityOf(activity, recent)
    sum.working += working
    sum.asking += asking
    sum.ended += ended
  }
  return sum
}
