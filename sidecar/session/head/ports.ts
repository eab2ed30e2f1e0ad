/** What moving the head needs from the rest of the house, in its own words; `core.ts` ties it. */
import type { SessionId, WorkspaceId } from '#contract/id'
import type { FileState, RestoreLine, Writer } from '#contract/ledger'
import type { AnyPath, WirePath } from '#contract/path'
import type { RefsOf, RestoredFile } from '#contract/session-event'
import type { Log } from '../../base/log.ts'
import type { Room } from '../conversation-room.ts'

/** A time that the files are brought back to, and whose writes since then are taken back. */
export interface FilesAt {
  readonly checkpointId: string
  /** ms since 1970: a folder that came since then and is empty afterwards goes. */
  readonly since: number
  mine(writer: Writer): boolean
  /** Whose writes stay, with all that came before them at the same path. */
  kept(writer: Writer): boolean
  readonly unsaved: readonly AnyPath[]
  readonly merge?: readonly WirePath[]
  readonly leave?: readonly WirePath[]
}

export interface FilesPlan {
  readonly lines: readonly RestoreLine[]
  /** Without the agent's lines; null where that is no text, or there is nothing to take out. */
  merged(line: RestoreLine): Promise<{ text: string; conflicts: number } | null>
}

/** One path that is about to be written, with its contents. */
export interface Restoring {
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
  readonly file: RestoredFile
}

export interface Restored {
  readonly lines: readonly RestoreLine[]
  /** Why nothing was done, where a path refused. */
  readonly failed: { readonly path: WirePath; readonly message: string } | null
  /** Puts all back as it was before. Answers what somebody else has changed since, which stays. */
  takeBack(): Promise<WirePath[]>
}

/** The files of one workspace: see checkpoint/ledger.ts. Answers null where that checkpoint is no longer kept. */
export interface Files {
  plan(at: FilesAt): Promise<FilesPlan | null>
  contentOf(state: FileState): Promise<Uint8Array | null>
  /** All of it or nothing. `begun` is awaited before the first path is touched. */
  restore(
    at: FilesAt,
    begun: (checkpointId: string, files: readonly Restoring[]) => Promise<void>,
  ): Promise<Restored | null>
  /**
   * Puts files back from `after` to `before`, all of them or none; those that are not as `after` any more are kept and named.
   * `contentOf` is asked for what the ledger has no longer. `afterCrash`: some were not written, some but halfway.
   */
  undo(
    files: readonly RestoredFile[],
    how: {
      /** As in `FilesAt`. */
      since: number
      afterCrash?: boolean
      contentOf(state: FileState): Promise<Uint8Array | null>
      begun(checkpointId: string | null, files: readonly Restoring[]): Promise<void>
    },
  ): Promise<Restored>
  unsaved(): readonly AnyPath[]
  /** Where the repositories of its roots are now. */
  refs(): Promise<RefsOf[]>
}

export interface HeadPorts {
  /** Opens it if nobody has, keeps it open until `work` settles. Throws `not_found`. */
  within<T>(sessionId: SessionId, work: (room: Room) => Promise<T>): Promise<T>
  /** Throws `not_found` where it is not open here. */
  files(workspaceId: WorkspaceId): Files
  /** The session and those that sub-agents worked in for it. */
  family(sessionId: SessionId): Promise<SessionId[]>
  /** Throws words where nothing can be worked on: its folder is away. */
  mayWork(workspaceId: WorkspaceId): void
  movesRefs(command: string): Promise<boolean>
  /** Commands that were left running, by the id in their call's detail. */
  stillRunning(workspaceId: WorkspaceId): Promise<ReadonlySet<string>>
  /** The name of who asks, for the log. */
  nameOf(clientId: string): string
  readonly log: Log
}
