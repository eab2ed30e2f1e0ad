/** What was changed, to be looked at hunk by hunk: found good, taken back, or both undone. */
import { z } from 'zod'
import { event, request } from './define.ts'
import { FileHash, ReviewId, SessionId, TurnId, WorkspaceId } from './id.ts'
import { WirePath } from './path.ts'
import { LineSpan } from './session-event.ts'

/** Characters of both texts together above which a file is looked at as a whole. */
export const MOST_REVIEW_CHARS = 2_000_000
/** Bytes of one side of a picture that is sent to a page. */
export const MOST_REVIEW_BYTES = 20_000_000

/**
 * Since when. `turn`: the session's latest one, unless another is named. `git`: what differs from HEAD; nothing is accepted
 * there, for that is staging.
 */
export const ReviewScope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('turn'), sessionId: SessionId, turnId: TurnId.optional() }),
  z.object({ kind: z.literal('session'), sessionId: SessionId }),
  z.object({ kind: z.literal('git') }),
])
export type ReviewScope = z.infer<typeof ReviewScope>

/** Who wrote it since: `you` by saving in a window, `outside` any other program, `mixed` the agent and somebody else. */
export const ReviewAuthor = z.enum(['agent', 'you', 'outside', 'mixed', 'unknown'])
export type ReviewAuthor = z.infer<typeof ReviewAuthor>

export const ReviewFile = z.object({
  path: WirePath,
  change: z.enum(['changed', 'created', 'deleted', 'renamed']),
  /** Where it was before it was renamed. */
  from: WirePath.nullable(),
  /** `text` has hunks; the others are told in words. `lineEnds`, `encoding`, `mode`: nothing else changed. */
  kind: z.enum(['text', 'image', 'binary', 'huge', 'lineEnds', 'encoding', 'mode', 'submodule', 'link']),
  by: ReviewAuthor,
  /** Lines still to be looked at. */
  added: z.number().int(),
  removed: z.number().int(),
  /** Hunks still to be looked at; 1 for what has none. */
  left: z.number().int(),
  /** Of `mode` (and beside `text`) permission bits in octal, of `lineEnds` those, of `link` and `submodule` where they lead. */
  facts: z.object({ before: z.string(), after: z.string() }).nullable(),
})
export type ReviewFile = z.infer<typeof ReviewFile>

export const ReviewHunk = z.object({
  /** The same as long as its lines are. */
  id: z.string(),
  base: LineSpan,
  now: LineSpan,
  by: ReviewAuthor,
  /** Only line ends differ, or whether there is one at the end. */
  ends: z.boolean(),
})
export type ReviewHunk = z.infer<typeof ReviewHunk>

export const FileReview = z.object({
  file: ReviewFile,
  /** Names both texts: an act on another state of the file is refused where its hunks are not there any more. */
  version: z.string(),
  /** The review's base, with all that was accepted in it; null where there is no text. */
  base: z.string().nullable(),
  /** What is saved. */
  now: z.string().nullable(),
  nowHash: FileHash.nullable(),
  hunks: z.array(ReviewHunk),
})
export type FileReview = z.infer<typeof FileReview>

/** `hunks` null: the whole file, whatever it is. */
export const ReviewChoice = z.object({
  path: WirePath,
  version: z.string().optional(),
  hunks: z.array(z.string()).min(1).nullable(),
})
export type ReviewChoice = z.infer<typeof ReviewChoice>

const acted = z.object({
  /** Undone by this; null where nothing was done. */
  reviewId: ReviewId.nullable(),
  files: z.number().int(),
  /** Left alone, with words for a person: changed since, both wrote it, cannot be written. */
  left: z.array(z.object({ path: WirePath, message: z.string() })),
})
const here = { workspaceId: WorkspaceId, scope: ReviewScope }
const chosen = z.object({
  ...here,
  /** Null: everything in the scope that the agent alone wrote. */
  choices: z.array(ReviewChoice).min(1).max(10_000).nullable(),
})

export const review = {
  list: request(
    z.object(here),
    z.object({
      /** What the agent wrote, by path. */
      files: z.array(ReviewFile),
      /** What others wrote since, and the agent did not. */
      others: z.array(ReviewFile),
      /** What `undo` would take back. */
      lastAct: ReviewId.nullable(),
      /** There were more than are listed. */
      truncated: z.boolean(),
    }),
  ),
  /** Throws `not_found` where the scope holds no change of it. */
  file: request(z.object({ ...here, path: WirePath }), FileReview),
  /** Bytes of a picture before and after; null where there was none or it is not kept. */
  picture: request(
    z.object({ ...here, path: WirePath, side: z.enum(['base', 'now']) }),
    z.object({ base64: z.string().nullable(), mediaType: z.string() }),
  ),
  /** Never shown again. `unsupported` in the git scope. */
  accept: request(chosen, acted),
  /** Writes the base back. Unsaved text stays; what somebody else changed since is left alone and named. */
  revert: request(chosen, acted),
  /** The latest act of the scope, or this one. What changed since is left alone and named. */
  undo: request(z.object({ ...here, reviewId: ReviewId.optional() }), acted),
  /** Something that reviews of this workspace or this session show is another now; a session also stands for who it works for. */
  changed: event(z.object({ workspaceId: WorkspaceId.nullable(), sessionId: SessionId.nullable() })),
} as const
