/** How a verb of git ends where that is no fault of anybody: done, or refused with a reason, words and next steps. */
import { z } from 'zod'

export const GitReason = z.enum([
  /** What was shown is no longer so: read again. */
  'stale',
  /** Another git holds a lock; the message names the file. */
  'locked',
  /** There is nothing to do it with: nothing staged, no stash, no commit yet. */
  'nothing',
  /** Files are in conflict; `files` names them. */
  'conflict',
  /** Changes of the work tree would be overwritten; `files` names them. */
  'dirty',
  /** Would lose commits that are nowhere else: asks for force. */
  'unmerged',
  'exists',
  'missing',
  /** A name that git does not take. */
  'name',
  'noUpstream',
  'noRemote',
  /** The other side has commits that this one has not. */
  'rejected',
  /** A hook, here or on the server, said no; `output` is what it said. */
  'hook',
  'auth',
  'network',
  /** Git does not know the name and address of the person. */
  'identity',
  'signing',
  /** Something else is in progress (a merge, a rebase). */
  'inProgress',
  /** Not for this file or this repository; the message says why. */
  'notPossible',
  /** Whatever else git said; `output` holds it. */
  'failed',
])
export type GitReason = z.infer<typeof GitReason>

/** What a person can do next, for the window to offer as buttons. */
export const GitNext = z.enum([
  'refresh',
  'retry',
  'commit',
  'stash',
  'discard',
  'resolve',
  'continue',
  'skip',
  'abort',
  'force',
  'fetch',
  'pull',
  'pullRebase',
  'pullMerge',
  'push',
  'publish',
  'addRemote',
  'setIdentity',
  'chooseName',
  'terminal',
])
export type GitNext = z.infer<typeof GitNext>

export const GitRefusal = z.object({
  ok: z.literal(false),
  reason: GitReason,
  /** What happened, what was kept, what to do. */
  message: z.string(),
  next: z.array(GitNext),
  /** Relative to the root; at most 100. */
  files: z.array(z.string()).optional(),
  /** What git and hooks printed, at most the last 20,000 characters. Hostile text. */
  output: z.string().optional(),
})
export type GitRefusal = z.infer<typeof GitRefusal>

/** Done with what it made, or refused. */
export const outcome = <S extends z.ZodRawShape>(shape: S) =>
  z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), ...shape }), GitRefusal])
