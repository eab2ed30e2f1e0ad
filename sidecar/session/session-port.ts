/** An open session as the agent sees it. */
import type { WorkspaceId } from '#contract/id'
import type { SessionPort } from '../agent/ports.ts'
import type { OpenSession } from './opened.ts'

export function portOf(
  open: OpenSession,
  { workspaceId, attended }: { workspaceId(): WorkspaceId; attended(): boolean },
): SessionPort {
  return {
    sessionId: open.sessionId,
    get workspaceId() {
      return workspaceId()
    },
    get state() {
      return open.state
    },
    append: (...drafts) => open.append(...drafts),
    live: delta => open.live(delta),
    blob: bytes => open.blob(bytes),
    readBlob: id => open.readBlob(id),
    attended,
  }
}
