import { expect, test } from 'vitest'
import type { SessionId, WorkspaceId } from '#contract/id'
import type { SessionSummary } from '#contract/session'
import { type ActivityMirror, activityOf, elsewhere } from './activity.ts'

const session = (home: string, more: Partial<SessionSummary>): SessionSummary => ({
  ...{ sessionId: `ses_${Math.random()}` as SessionId, title: '', roots: [home], createdAt: 0, changedAt: 0 },
  ...{ pinned: false, archived: false, unread: false, state: 'idle', preview: '', turns: 1, heldBy: null },
  ...{ forkedFrom: null, changed: { files: 0, added: 0, removed: 0 }, imported: false },
  ...more,
})
const recent = (name: string, openedAt: number) => ({
  ...{ folder: `/${name}`, home: `/${name}`, workspaceId: `wsp_${name}` as WorkspaceId, name, openedAt, exists: true },
})
const [app, docs] = [recent('app', 100), recent('docs', 50)]

test('what goes on in a workspace is that of its own sessions; an end counts once, until somebody has been there', () => {
  const activity: ActivityMirror = {
    recent: [app, docs],
    sessions: [
      session('/app', { state: 'running' }),
      session('/app', { state: 'asking' }),
      session('/docs', { unread: true, changedAt: 60 }),
      // It ended before the workspace was opened last.
      session('/docs', { unread: true, changedAt: 40 }),
      session('/strange', { state: 'asking' }),
    ],
    terminals: { wsp_docs: 2 },
  }
  expect(activityOf(activity, app)).toEqual({ working: 1, asking: 1, ended: 0, terminals: 0 })
  expect(activityOf(activity, docs)).toEqual({ working: 0, asking: 0, ended: 1, terminals: 2 })
  expect(elsewhere(activity, '/app')).toEqual({ working: 0, asking: 0, ended: 1 })
  expect(elsewhere(activity, '/docs')).toEqual({ working: 1, asking: 1, ended: 0 })
  expect(elsewhere(activity, undefined)).toEqual({ working: 1, asking: 1, ended: 1 })
})
