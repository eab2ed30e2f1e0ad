/** What the rules need from the rest of the house. */
import type { SessionId, WorkspaceId } from '#contract/id'
import type { AnyPath } from '#contract/path'
import type { WrittenRule } from '#contract/session-event'
import type { Root } from '#contract/workspace'
import type { Folders } from '../base/folders.ts'
import type { Log } from '../base/log.ts'

/** The rules that stand in a session's own log. */
export interface SessionRules {
  /** Throws `not_found` for an unknown session. */
  rules(sessionId: SessionId): Promise<readonly WrittenRule[]>
  /** Takes back what is not among these; none can be added so: throws `invalid`. */
  keepRules(sessionId: SessionId, rules: readonly WrittenRule[], clientId: string): Promise<void>
}

export interface PermissionOptions {
  folders: Folders
  log: Log
  /** Throws for an unknown workspace. */
  workspaceRoots(workspaceId: WorkspaceId): readonly Root[]
  dirtyPaths(workspaceId: WorkspaceId): readonly AnyPath[]
  /** Whether commands run in a jail that holds. Without it none does, and every command asks. */
  jailHolds?: () => boolean
  sessions?: SessionRules
}
