/** What a review needs from the rest of the house, in its own words; `core.ts` ties them. */
import type { GitStatus } from '#contract/git'
import type { BlobId, RootId, SessionId, TurnId, WorkspaceId } from '#contract/id'
import type { FileState, LedgerWrite } from '#contract/ledger'
import type { WirePath } from '#contract/path'
import type { SessionEvent, SessionEventDraft } from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'
import type { Emitter } from '../base/emitter.ts'
import type { Log } from '../base/log.ts'
import type { Workspace } from '../workspace/service.ts'

export interface ReviewedSession {
  readonly workspaceId: WorkspaceId
  readonly state: SessionState
  /** Throws where the session can only be read. */
  append(draft: SessionEventDraft): Promise<unknown>
  blob(bytes: Uint8Array): Promise<BlobId>
  readBlob(id: BlobId): Promise<Uint8Array | null>
}

/** Who else wrote: see checkpoint/ledger.ts. */
export interface Elsewhere {
  writesOf(path: WirePath): Promise<LedgerWrite[]>
  since(checkpointId: string, how: { look: boolean }): Promise<LedgerWrite[] | null>
  contentOf(state: FileState): Promise<Uint8Array | null>
}

/** What git says: see git/service.ts. */
export interface GitAsked {
  status(workspaceId: WorkspaceId, rootId: RootId): Promise<GitStatus>
  /** A file as HEAD has it, to the byte. */
  head(workspaceId: WorkspaceId, path: WirePath): Promise<InHead>
  /** The commits of a submodule: of HEAD, and the one that is checked out. */
  commits(workspaceId: WorkspaceId, path: WirePath): Promise<{ before: string; after: string }>
}
/** `mode` as git writes it. */
export type InHead =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly mode: string }
  | { readonly kind: 'missing' | 'tooLarge' | 'submodule' }

export interface ReviewPorts {
  /** Opens it if nobody has, keeps it open until `work` settles. Throws `not_found`. */
  session<T>(sessionId: SessionId, work: (session: ReviewedSession) => Promise<T>): Promise<T>
  /** Throws `not_found`. */
  workspace(workspaceId: WorkspaceId): Workspace
  /** Null where nothing is noticed of what others write. */
  elsewhere(workspaceId: WorkspaceId): Elsewhere | null
  readonly git: GitAsked
  /** The name of who asks, for the log. */
  nameOf(clientId: string): string
  readonly happened: Emitter<{ readonly sessionId: SessionId; readonly events: readonly SessionEvent[] }>
  readonly log: Log
}

/** The turn that is meant where none is named: the last one of the conversation as it stands. Null where there is none. */
export const latestTurn = ({ facts, items }: SessionState): TurnId | null =>
  facts.running ?? (facts.head === null ? null : (items.get(facts.head)?.turnId ?? null))
