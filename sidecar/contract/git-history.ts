/** Commits, branches, tags, stashes, remotes and worktrees, as lists and in detail. Times are seconds since 1970. */
import { z } from 'zod'
import { GitPerson, Oid } from './git-content.ts'

export const GitRef = z.object({
  kind: z.enum(['branch', 'remote', 'tag', 'head', 'stash', 'other']),
  /** As a person says it: `main`, `origin/main`, `v1`. */
  name: z.string(),
  /** The branch that HEAD is on. */
  current: z.literal(true).optional(),
})
export type GitRef = z.infer<typeof GitRef>

export const GitCommit = z.object({
  oid: Oid,
  parents: z.array(Oid),
  author: GitPerson,
  /** When it was written, and when it was put where it is. */
  authoredAt: z.number(),
  committedAt: z.number(),
  subject: z.string(),
  refs: z.array(GitRef),
  /** In the history of one file: what the file was called then, relative to the root; null outside it. */
  path: z.string().nullable().optional(),
})
export type GitCommit = z.infer<typeof GitCommit>

/** A file that a commit or a stash changed. */
export const GitChangedFile = z.object({
  /** As the repository has it. */
  name: z.string(),
  /** Relative to the root; null outside it: shown, not opened. */
  path: z.string().nullable(),
  from: z.string().nullable().optional(),
  change: z.enum(['modified', 'added', 'deleted', 'renamed', 'copied', 'typeChanged']),
  /** Null for what has no lines. */
  added: z.number().int().nullable(),
  removed: z.number().int().nullable(),
  submodule: z.literal(true).optional(),
})
export type GitChangedFile = z.infer<typeof GitChangedFile>

export const GitCommitDetails = z.object({
  commit: GitCommit,
  committer: GitPerson,
  /** The whole message. */
  message: z.string(),
  signed: z.boolean(),
  /** Against the first parent; at most 5,000. */
  files: z.array(GitChangedFile),
  truncated: z.boolean(),
})
export type GitCommitDetails = z.infer<typeof GitCommitDetails>

export const GitBranch = z.object({
  /** `main`; of a remote branch with its remote: `origin/main`. */
  name: z.string(),
  /** Null for a local branch. */
  remote: z.string().nullable(),
  current: z.boolean(),
  commit: Oid,
  subject: z.string(),
  committedAt: z.number(),
  upstream: z.string().nullable(),
  upstreamGone: z.boolean(),
  ahead: z.number().int(),
  behind: z.number().int(),
  /** Checked out in another worktree, absolute. */
  worktree: z.string().nullable(),
})
export type GitBranch = z.infer<typeof GitBranch>

export const GitTag = z.object({
  name: z.string(),
  /** The commit (or whatever else) that it names in the end. */
  target: Oid,
  annotated: z.boolean(),
  message: z.string(),
  at: z.number(),
})
export type GitTag = z.infer<typeof GitTag>

export const GitStash = z.object({
  index: z.number().int(),
  /** With the index it names the stash: numbers move. */
  oid: Oid,
  message: z.string(),
  at: z.number(),
})
export type GitStash = z.infer<typeof GitStash>

/** Addresses without passwords. */
export const GitRemote = z.object({ name: z.string(), fetch: z.string(), push: z.string() })
export type GitRemote = z.infer<typeof GitRemote>

export const GitWorktree = z.object({
  /** Absolute; open it as a workspace of its own. */
  folder: z.string(),
  branch: z.string().nullable(),
  head: z.string().nullable(),
  /** The first one, which cannot be removed. */
  main: z.boolean(),
  /** The one that was asked. */
  current: z.boolean(),
  bare: z.boolean(),
  /** Why it is locked; '' where no reason was given; null where it is not. */
  locked: z.string().nullable(),
  /** Its folder is gone. */
  missing: z.boolean(),
})
export type GitWorktree = z.infer<typeof GitWorktree>
