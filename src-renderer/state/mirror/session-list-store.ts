/** The list of sessions of the open workspace, and the agent's background commands. Written by client only. */
import { create } from 'zustand'
import type { Fault } from '#contract/error'
import type { BackgroundCommand, SessionSummary } from '#contract/session'

export interface SessionListMirror {
  readonly status: 'opening' | 'ready' | 'failed'
  readonly fault: Fault | null
  /** Pinned first, then newest first; archived ones are among them, marked. */
  readonly sessions: readonly SessionSummary[]
  readonly background: readonly BackgroundCommand[]
}

export const sessionListStore = create<SessionListMirror>(() => ({
  status: 'opening',
  fault: null,
  sessions: [],
  background: [],
}))
