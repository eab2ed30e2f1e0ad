/** Files as git has them: at a side, the difference of two sides, the sides of a conflict, who wrote which line. */
import { z } from 'zod'
import { GitConflictKind } from './git-status.ts'

/** A commit by its whole name. */
export const Oid = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/)
export type Oid = z.infer<typeof Oid>

/** Anything git resolves to a commit: a branch, a tag, `HEAD~2`. Never an option, never a range. */
export const Revision = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^[^-\s\u0000-\u001f\u007f][^\u0000-\u001f\u007f]*$/)
  .refine(text => !text.includes('..') && !text.startsWith('^'))

/** Where a file is looked at. `base`, `ours`, `theirs` only of a file in conflict; `nothing`: no file, as before it was added. */
export const GitSide = z.union([
  z.enum(['nothing', 'head', 'index', 'worktree', 'base', 'ours', 'theirs']),
  z.object({ commit: Revision }),
])
export type GitSide = z.infer<typeof GitSide>

export const GitText = z.discriminatedUnion('kind', [
  /** UTF-8; what is not valid in it is shown as U+FFFD and `exact` is false. */
  z.object({ kind: z.literal('text'), text: z.string(), exact: z.boolean() }),
  z.object({ kind: z.literal('missing') }),
  z.object({ kind: z.literal('binary'), bytes: z.number() }),
  z.object({ kind: z.literal('tooLarge'), bytes: z.number() }),
  z.object({ kind: z.literal('submodule'), commit: z.string() }),
  /** The file is a pointer of Git LFS: the content lies elsewhere. */
  z.object({ kind: z.literal('lfs'), text: z.string(), bytes: z.number() }),
])
export type GitText = z.infer<typeof GitText>

export const GitDiffLine = z.object({
  kind: z.enum(['context', 'added', 'removed']),
  /** Without its line end; `\r` before it is kept. */
  text: z.string(),
  /** The last line of a file that does not end in a line end. */
  unended: z.literal(true).optional(),
})
export type GitDiffLine = z.infer<typeof GitDiffLine>

export const GitHunk = z.object({
  oldStart: z.number().int(),
  oldLines: z.number().int(),
  newStart: z.number().int(),
  newLines: z.number().int(),
  /** What git shows after the second `@@`: the function around it. */
  heading: z.string(),
  /** The number of its first line, counted through all lines of all hunks: how lines are named to `stageLines`. */
  firstLine: z.number().int(),
  lines: z.array(GitDiffLine),
})
export type GitHunk = z.infer<typeof GitHunk>

export const GitDiff = z.object({
  /** Names exactly this difference; staging by line refuses (`stale`) when it is another by then. */
  token: z.string(),
  kind: z.enum(['same', 'text', 'binary', 'tooLarge', 'submodule']),
  change: z.enum(['modified', 'added', 'deleted']),
  /** As git writes them (`100644`, `100755`, `120000`, `160000`); null on the side without the file. */
  oldMode: z.string().nullable(),
  newMode: z.string().nullable(),
  hunks: z.array(GitHunk),
})
export type GitDiff = z.infer<typeof GitDiff>

export const GitConflict = z.object({
  kind: GitConflictKind,
  base: GitText,
  ours: GitText,
  theirs: GitText,
  /** The file as it lies in the work tree, with git's marks in it. */
  merged: GitText,
  /** What each side is called: a branch or a short commit. */
  oursName: z.string(),
  theirsName: z.string(),
})
export type GitConflict = z.infer<typeof GitConflict>

export const GitPerson = z.object({ name: z.string(), email: z.string() })
export type GitPerson = z.infer<typeof GitPerson>

/** `commit` is all zeros for lines that are not committed. */
export const GitBlame = z.object({
  /** Runs of lines of one commit, in order; lines count from 1. */
  runs: z.array(
    z.object({
      start: z.number().int(),
      count: z.number().int(),
      commit: Oid,
      /** Where the first of them stood in that commit. */
      originalLine: z.number().int(),
    }),
  ),
  commits: z.record(
    z.string(),
    z.object({ author: GitPerson, at: z.number(), subject: z.string(), path: z.string().nullable() }),
  ),
  /** The first line of the next page; null at the end. */
  nextLine: z.number().int().nullable(),
})
export type GitBlame = z.infer<typeof GitBlame>
