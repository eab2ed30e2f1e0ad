/** One command for the jail: what is asked of it, and what comes back. */
import type { CallId, SessionId, WorkspaceId } from '#contract/id'
import type { Violation } from '#contract/sandbox'
import type { Mode } from '#contract/session-event'
import type { Root } from '#contract/workspace'

export interface JailRequest {
  readonly command: string
  /** `bash` or `sh`. */
  readonly shell: string
  readonly cwd: string
  readonly sessionId: SessionId
  readonly workspaceId: WorkspaceId
  readonly callId: CallId
  /** In which mode, and by which agent; null for the session's own. */
  readonly mode: Mode
  readonly agent: string | null
  readonly roots: readonly Root[]
  /** It may see `.env` and its kind. */
  readonly withSecrets: boolean
  /** Told while it runs of what is known by then: each connection that was refused, once. Never throws. */
  stopped?(violation: Violation): void
  /** Whether it may connect there; asks a person where nothing else decides. Never rejects. */
  reach(host: string, port: number): Promise<boolean>
}

/** A command that is ready to be started, once. */
export interface JailedCommand {
  readonly words: readonly [string, ...string[]]
  readonly env: Record<string, string>
  /** Descriptors that it gets as 3, 4, ... */
  readonly inherit: readonly number[]
  /** Call it right after the start, whether that went well or not. */
  started(): void
  /** Call it once nothing of the command runs any more, or it did not start. `output`: the end of what it wrote. Never rejects. */
  finish(output: string): Promise<Violation[]>
}
