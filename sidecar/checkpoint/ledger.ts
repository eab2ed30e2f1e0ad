/** What the house may ask of the write ledger, and tell it. One ledger for each workspace; answers wait for what is being noticed. */
import type { SessionId } from '#contract/id'
import type { FileState, LedgerWrite, RestoreLine, Writer } from '#contract/ledger'
import type { AnyPath, WirePath } from '#contract/path'
import type { FileWrite, RestoredFile } from '#contract/session-event'
import type { Emitter } from '../base/emitter.ts'
import type { BroughtBack, Hands, Step } from './bring-back.ts'
import type { Without } from './without.ts'

/** Somebody of whom Belay knows what he writes, because he does it through Belay. */
export type Author =
  | { readonly by: 'agent'; readonly via: 'tool' | 'command'; readonly writer: Writer }
  | { readonly by: 'person'; readonly via: 'editor' | 'explorer' | 'git' | 'restore' }

/** One content in another's place, by their hashes. */
export interface Replaced {
  readonly before: string | null
  readonly after: string | null
  /** Of what was there: nobody may have seen it until now. */
  readonly bytesBefore: Uint8Array | null
}

export interface Checkpoint {
  readonly checkpointId: string
  readonly at: number
}

/** Something that may write anywhere is under way: a command, or what a person lets git do. */
export interface Bracket {
  /**
   * Looks again: what differs from the beginning is the author's. Settles what was written, one line for each path, in the
   * order of paths. `running`: it goes on, and from now on what changes may be its or somebody else's. Never rejects.
   */
  end(how?: { running: boolean }): Promise<Bracketed>
}
export interface Bracketed {
  readonly files: readonly BracketedFile[]
  /** Paths beyond the most that are told. */
  readonly more: number
  /** Nobody could look: what was written is not known. */
  readonly unseen: boolean
}
export type BracketedFile = Omit<FileWrite, 'beforeBlob' | 'afterBlob'> & {
  /** Null when nothing stood there, and for what is too large or one of too many. */
  readonly beforeBytes: Uint8Array | null
  readonly afterBytes: Uint8Array | null
}

export interface Ledger {
  /** All that is known of one path, oldest first. */
  writesOf(path: WirePath): Promise<LedgerWrite[]>
  /** What a session's calls wrote, also together with others, oldest first. */
  writesBy(sessionId: SessionId): Promise<LedgerWrite[]>
  /** Null where nothing is known of it. */
  lastWriter(path: WirePath): Promise<LedgerWrite | null>
  /**
   * Everything noticed after a checkpoint, oldest first; null where that is no longer kept. Looks first, unless told not to:
   * then what other programs did may be told later.
   */
  since(checkpointId: string, how?: { look: boolean }): Promise<LedgerWrite[] | null>
  /** The bytes of a state that is `kept`; null where they are gone or damaged. */
  contentOf(state: FileState): Promise<Uint8Array | null>

  /**
   * Looks at everything now. The same id as before where nothing has changed since. Null where nothing is kept: an untrusted
   * folder, a home folder.
   */
  take(): Promise<Checkpoint | null>
  /** Looks first, so that what somebody else has done until now is not the author's. Never rejects. */
  bracket(author: Author): Promise<Bracket>
  /** Looks first: what the command of a call wrote whose process ended before it could say so. */
  wroteOf(writer: Writer): Promise<Bracketed>
  /**
   * Before Belay itself writes a file: nobody else is said to have done it. What it answers is called after that, once, with what
   * was there and what is; null: nothing was written.
   */
  writing(absolute: string, author: Author): (written: Replaced | null) => void
  /** Afterwards: whatever has changed at or below the path is the author's. */
  wrote(absolute: string, author: Author): void
  /** Sessions whose calls wrote in the last half hour or may be writing now. */
  active(): Promise<SessionId[]>

  /** What bringing back a checkpoint would do. Looks first. Null as `since`. */
  plan(request: RestoreRequest): Promise<Plan | null>
  /**
   * Brings it back, all of it or nothing. `before` is the checkpoint of how it was before that: bringing that back undoes it.
   * `begun` is awaited before the first path is touched. Null as `since`.
   */
  restore(
    request: RestoreRequest,
    hands: Hands,
    begun?: (before: Checkpoint, steps: readonly Step[]) => Promise<void>,
  ): Promise<(BroughtBack & { before: Checkpoint }) | null>
  /**
   * Puts files back from `after` to `before`, all of them or none; those that are not as `after` any more are kept and named.
   * Null where nothing is kept of this folder.
   */
  undo(
    files: readonly RestoredFile[],
    hands: Hands,
    how: Undoing,
  ): Promise<(BroughtBack & { before: Checkpoint }) | null>
  /** Paths that got a new line. */
  readonly changed: Emitter<WirePath[]>
}

export interface RestoreRequest {
  readonly checkpointId: string
  /** Without them: all that has changed since. */
  readonly paths?: readonly WirePath[]
  /** Whose writes are taken back; all others' are kept. */
  mine(writer: Writer): boolean
  /** Whose writes stay, with all that came before them at the same path. */
  kept?(writer: Writer): boolean
  /** With text that a person has not saved. */
  readonly unsaved?: readonly AnyPath[]
  /** Kept ones to merge, where that can be done. */
  readonly merge?: readonly WirePath[]
  /** Paths to leave as they are. */
  readonly leave?: readonly WirePath[]
}

export interface Undoing {
  readonly unsaved: readonly AnyPath[]
  /** Some were not written, some but halfway: what is nowhere is put back too. */
  readonly afterCrash?: boolean | undefined
  /** Of what the ledger has no longer. */
  contentOf(state: FileState): Promise<Uint8Array | null>
  begun(before: Checkpoint, steps: readonly Step[]): Promise<void>
}

export interface Plan {
  /** By path. */
  readonly lines: readonly RestoreLine[]
  /** Of a kept line: the text without what is taken back; null where that is no text, or there is nothing to take out. */
  merged(line: RestoreLine): Promise<Without | null>
}
