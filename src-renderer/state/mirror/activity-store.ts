/** What goes on in all workspaces, the one in front among them. Written by client only. */
import { create } from 'zustand'
import type { WorkspaceId } from '#contract/id'
import type { SessionSummary } from '#contract/session'

export interface RecentWorkspace {
  readonly folder: string
  readonly workspaceId: WorkspaceId
  readonly home: string
  readonly name: string
  readonly openedAt: number
  readonly exists: boolean
}

export interface ActivityMirror {
  /** Latest first. */
  readonly recent: readonly RecentWorkspace[]
  /** Those that run, ask, or ended unseen. */
  readonly sessions: readonly SessionSummary[]
  /** Terminals in which something may run, by workspace; as they were when last asked. */
  readonly terminals: Readonly<Record<string, number>>
}

export const activityStore = create<ActivityMirror>(() => ({ recent: [], sessions: [], terminals: {} }))
