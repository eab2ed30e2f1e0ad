/**
 * Who wrote what in a workspace: one line for each change of a path, in the order in which they were noticed. Review tells
 * the agent's from a person's by it, and taking back touches only what nobody else has changed since.
 */
import { z } from 'zod'
import { CallId, FileHash, SessionId, TurnId } from './id.ts'
import { WirePath } from './path.ts'

/** The call of an agent that wrote. */
export const Writer = z.object({ sessionId: SessionId, turnId: TurnId, callId: CallId })
export type Writer = z.infer<typeof Writer>

/** What stood at a path: a file, or a link, whose bytes are where it leads. */
export const FileState = z.object({
  kind: z.enum(['file', 'link']),
  /** Permission bits; 0 for a link. */
  mode: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  /** Of the raw bytes. Where `kept` is false it tells one state from another and nothing else. */
  hash: FileHash,
  /** Whether the content is kept, so that it can be shown and brought back. Not of very large or unreadable files. */
  kept: z.boolean(),
})
export type FileState = z.infer<typeof FileState>

export const LedgerWrite = z.object({
  /** Counts up within one root. */
  seq: z.number().int().positive(),
  /** When it was noticed: ms since 1970. */
  at: z.number().int(),
  path: WirePath,
  /** Null: nothing stood there. */
  before: FileState.nullable(),
  after: FileState.nullable(),
  /**
   * `agent`: the calls of `writers`, nobody else. `person`: by what they did in Belay. `outside`: some other program.
   * `mixed`: an agent and perhaps somebody else; nobody can tell whose which byte is.
   */
  by: z.enum(['agent', 'person', 'outside', 'mixed']),
  via: z.enum(['tool', 'command', 'editor', 'explorer', 'git', 'restore', 'unknown']),
  /** Several where commands ran at once. Empty for `person` and `outside`. */
  writers: z.array(Writer),
  /** The ignore rules leave it out: it can be taken back, and is shown nowhere else. */
  ignored: z.literal(true).optional(),
})
export type LedgerWrite = z.infer<typeof LedgerWrite>

/** What taking back would do to one path, or has done. */
export const RestoreLine = z.object({
  path: WirePath,
  /** `remove`: it was not there, and only the agent has written it since. `merge`: the agent's lines go, all others' stay. */
  action: z.enum(['restore', 'remove', 'merge', 'keep', 'cannot']),
  /** Of `keep` and `merge`: who else has changed it since. Of `cannot`: what is missing. Null for the others. */
  why: z
    .enum(['person', 'outside', 'mixed', 'other_session', 'unsaved', 'not_kept', 'damaged', 'in_the_way'])
    .nullable(),
  /** How it was then and how it is now; null: nothing. */
  was: FileState.nullable(),
  now: FileState.nullable(),
})
export type RestoreLine = z.infer<typeof RestoreLine>
