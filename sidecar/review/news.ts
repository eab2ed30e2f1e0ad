/** Tells that a review shows something else now: at once after what a session's log says, soon after what the disk does. */
import type { SessionId, WorkspaceId } from '#contract/id'
import type { BelayPayload } from '#contract/index'
import type { SessionEvent } from '#contract/session-event'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { ReviewPorts } from './ports.ts'

type Changed = BelayPayload<'review/changed'>

/** A burst of changes on disk is told once in this time. */
const SETTLE_MS = 250

export interface News {
  readonly changed: Emitter<Changed>
  /** Files of this workspace changed on disk, or what git says of them. */
  touched(workspaceId: WorkspaceId): void
  dispose(): void
}

export function createNews({ happened, log }: Pick<ReviewPorts, 'happened' | 'log'>): News {
  const changed = createEmitter<Changed>(fault =>
    log('error', 'a listener of reviews failed', { fault: String(fault) }),
  )
  const due = new Map<WorkspaceId, NodeJS.Timeout>()
  const unhear = happened.on(({ sessionId, events }: { sessionId: SessionId; events: readonly SessionEvent[] }) => {
    if (events.some(concerns)) changed.emit({ workspaceId: null, sessionId })
  })
  return {
    changed,
    touched(workspaceId) {
      if (due.has(workspaceId)) return
      const timer = setTimeout(() => {
        due.delete(workspaceId)
        changed.emit({ workspaceId, sessionId: null })
      }, SETTLE_MS)
      due.set(workspaceId, timer)
    },
    dispose() {
      unhear()
      for (const timer of due.values()) clearTimeout(timer)
      due.clear()
    },
  }
}

const concerns = (event: SessionEvent): boolean =>
  event.type === 'tool.ended'
    ? event.files.length > 0
    : event.type === 'turn.started' || event.type === 'subagent.started' || event.type.startsWith('review.')
