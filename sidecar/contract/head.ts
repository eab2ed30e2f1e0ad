/**
 * Moving the head of a conversation: rewind and its undo, re-run, edit a prompt, go on, switch to another branch. Nothing is
 * erased by any of them; files are brought back only where nobody but the agent has changed them since.
 */
import { z } from 'zod'
import { request } from './define.ts'
import { ItemId, RequestId, SessionId, TurnId } from './id.ts'
import { RestoreLine } from './ledger.ts'
import { WirePath } from './path.ts'
import { PromptPart } from './session.ts'
import { Attachment, RefsOf } from './session-event.ts'

/** Where to: what follows is no longer part of the conversation, and stays as a branch of its own. */
export const RewindTarget = z.union([
  /** Before that message of the conversation, a person's or the agent's. */
  z.strictObject({ before: ItemId }),
  /** Before everything of that turn. */
  z.strictObject({ turn: TurnId }),
  /** So many turns back; all of them where there are fewer. */
  z.strictObject({ turns: z.number().int().positive() }),
  /** To the end of the branch that the item is in. */
  z.strictObject({ branch: ItemId }),
])
export type RewindTarget = z.infer<typeof RewindTarget>

export const RewindPart = z.enum(['conversation', 'files', 'both'])
export type RewindPart = z.infer<typeof RewindPart>

/** Of a line that is kept: what taking only the agent's lines out of it would give. */
export const RewindMerge = z.object({
  /** Places where both wrote the same lines: there the file stays as it is now. */
  conflicts: z.number().int().nonnegative(),
  added: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
})
export type RewindMerge = z.infer<typeof RewindMerge>

/** A file, and what becomes of it. */
export const RewindLine = RestoreLine.extend({
  /** Lines that come and go by it; null where it is no text, or too large to count. */
  added: z.number().int().nonnegative().nullable(),
  removed: z.number().int().nonnegative().nullable(),
  /** Offered where it is kept and both changed it; null: there is nothing to take out, or it is no text. */
  merge: RewindMerge.nullable(),
})
export type RewindLine = z.infer<typeof RewindLine>

/** What ran in the meantime. Its effects outside the captured files stay. */
export const RanCommand = z.object({
  command: z.string(),
  at: z.number(),
  exitCode: z.number().nullable(),
  /** It still runs, in the background. */
  running: z.boolean(),
  /** Of a kind that moves branches, HEAD or the stash of git. */
  movesRefs: z.boolean(),
})
export type RanCommand = z.infer<typeof RanCommand>

/** A repository that is not where it was: that is not undone. */
export const MovedRefs = z.object({ before: RefsOf, now: RefsOf })
export type MovedRefs = z.infer<typeof MovedRefs>

/** The words that would be free to be written anew. Attachments go back as parts of kind `kept`. */
export const FreedPrompt = z.object({ text: z.string(), attachments: z.array(Attachment) })
export type FreedPrompt = z.infer<typeof FreedPrompt>

export const RewindPreview = z.object({
  /** What leaves the conversation, and (of a switch) what comes in its place. */
  leaves: z.object({ turns: z.number().int(), messages: z.number().int() }),
  comes: z.object({ turns: z.number().int(), messages: z.number().int() }),
  prompt: FreedPrompt.nullable(),
  /** A turn runs: it is stopped first. */
  running: z.boolean(),
  files: z.object({
    /** By path. Empty where nothing was written since, or nothing can be had. */
    lines: z.array(RewindLine),
    /** There were more than are listed; all of them are brought back. */
    more: z.number().int(),
    /** Why the files cannot be brought back at all, in words for a person; null where they can. */
    unavailable: z.string().nullable(),
  }),
  /** Oldest first, the last 200. */
  commands: z.array(RanCommand),
  moreCommands: z.number().int(),
  refs: z.array(MovedRefs),
})
export type RewindPreview = z.infer<typeof RewindPreview>

const which = z.object({ sessionId: SessionId })
/** The same id twice is one move, over a restart too. */
const move = which.extend({ requestId: RequestId })
const withFiles = {
  /** Kept files to take the agent's lines out of, as the preview offered. */
  merge: z.array(WirePath).max(10_000).default([]),
  /** Files to leave as they are, whatever the preview said. */
  leave: z.array(WirePath).max(10_000).default([]),
}

export const Moved = z.object({
  /** False: there was nothing to move, or this id had moved it before. */
  moved: z.boolean(),
  prompt: FreedPrompt.nullable(),
  /** Each file and what became of it; empty where files were not asked for. */
  files: z.array(RewindLine),
})
export type Moved = z.infer<typeof Moved>

/** A place where the conversation went on in more than one way. */
export const BranchPoint = z.object({
  /** What they follow; null: they begin the conversation. */
  parentId: ItemId.nullable(),
  /** Oldest first. `itemId`: where it begins; the one with `current` is on the path. None is where the head is the place itself. */
  branches: z.array(
    z.object({
      itemId: ItemId,
      /** Another prompt, or another answer to the same. */
      kind: z.enum(['prompt', 'answer']),
      current: z.boolean(),
      at: z.number(),
      turns: z.number().int(),
      /** Its first words, cut at 200 characters. */
      text: z.string(),
    }),
  ),
})
export type BranchPoint = z.infer<typeof BranchPoint>

/** Throw `denied` for a sub-agent's session, `locked_elsewhere` and `read_only` as `session/prompt` does. */
export const head = {
  /** Looks at the files first; changes nothing. Throws `not_found` where the target is not in the conversation any more. */
  preview: request(which.extend({ to: RewindTarget }), RewindPreview),
  /** One file of the preview as text: as it is, as bringing it back makes it, and merged; null where it is none. */
  previewFile: request(
    which.extend({ to: RewindTarget, path: WirePath }),
    z.object({ now: z.string().nullable(), back: z.string().nullable(), merged: z.string().nullable() }),
  ),
  /**
   * Stops what runs, then all of it or nothing: the conversation moves only where the files did. Itself undone by `undo`.
   * Throws with words that say what was kept.
   */
  rewind: request(move.extend({ to: RewindTarget, what: RewindPart, ...withFiles }), Moved),
  /**
   * Takes the last move back (`undoableMove`), files included, over a restart too. `moveId`: the `requestId` of that move.
   * Throws `stale` where the conversation went on since.
   */
  undo: request(which.extend({ moveId: RequestId }), Moved),
  /** Answers the last request once more, or that of this item; the earlier answer stays as a branch. */
  rerun: request(move.extend({ itemId: ItemId.optional() }), z.object({ started: z.boolean() })),
  /** Rewinds to before that message of a person's and sends these words in its place. */
  edit: request(
    move.extend({ itemId: ItemId, parts: z.array(PromptPart).min(1).max(50), files: z.boolean(), ...withFiles }),
    Moved.extend({ itemId: ItemId.nullable() }),
  ),
  /** Goes on with a turn that stopped early, without new words. Throws `invalid` where the last one came to its end. */
  continue: request(move, z.object({ started: z.boolean() })),
  /** Where the path of the conversation has other branches, from its root on. Asked again when `facts.moves` or the turn changed. */
  branches: request(which, z.object({ points: z.array(BranchPoint) })),
} as const
