/** Sessions that this window has open, folded from their events. Written by client only. */
import { create } from 'zustand'
import type { Fault } from '#contract/error'
import type { SessionId } from '#contract/id'
import type { SessionState } from '#contract/session-fold'
import type { SessionSnapshot } from '#contract/session-state'

/** `state` is changed in place by the fold; what changed in it is a new object (session-fold.ts), and `revision` counts. */
export interface SessionMirror {
  readonly state: SessionState
  readonly revision: number
  /** Counts changes of `state.path` alone: rows are derived from it, text is not. */
  readonly pathRevision: number
  readonly status: 'opening' | 'ready' | 'failed'
  readonly fault: Fault | null
  readonly loadingOlder: boolean
  /** What was lost of its log and passed over, as the opening found it; null where it was whole. */
  readonly repaired: SessionSnapshot['repaired'] | null
}

export interface SessionsMirror {
  readonly sessions: Readonly<Record<SessionId, SessionMirror>>
}

export const sessionStore = create<SessionsMirror>(() => ({ sessions: {} }))
