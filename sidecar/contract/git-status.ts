/** What git says of a repository as it is now. Every path is relative to the root, as in a `WirePath`. */
import { z } from 'zod'
import { RootId } from './id.ts'
import { WirePath } from './path.ts'

/** One word for a file, as the explorer marks it. */
export const GitFileState = z.enum(['modified', 'added', 'deleted', 'renamed', 'untracked', 'conflicted'])
export type GitFileState = z.infer<typeof GitFileState>

/** `added` in the work tree: announced to git (`add --intent-to-add`), its content not staged yet. */
export const GitChange = z.enum(['modified', 'added', 'deleted', 'renamed', 'copied', 'typeChanged', 'untracked'])
export type GitChange = z.infer<typeof GitChange>

/** Who did what in a conflict. In a rebase `us` is the branch rebased onto. */
export const GitConflictKind = z.enum([
  'bothModified',
  'bothAdded',
  'bothDeleted',
  'addedByUs',
  'addedByThem',
  'deletedByUs',
  'deletedByThem',
])
export type GitConflictKind = z.infer<typeof GitConflictKind>

export const GitFile = z.object({
  path: WirePath,
  state: GitFileState,
  /** All of it is staged: nothing of it is left in the work tree alone. */
  staged: z.boolean(),
  /** HEAD to index; missing: the same. */
  index: GitChange.optional(),
  /** Index to work tree; missing: the same. */
  worktree: GitChange.optional(),
  /** The old path of what was renamed or copied; null outside the root. */
  from: z.string().nullable().optional(),
  conflict: GitConflictKind.optional(),
  /** A repository of its own, of which only the commit is looked at. */
  submodule: z.literal(true).optional(),
})
export type GitFile = z.infer<typeof GitFile>

export const GitProgressKind = z.enum(['merge', 'rebase', 'cherryPick', 'revert', 'bisect', 'am'])
export type GitProgressKind = z.infer<typeof GitProgressKind>

export const GitInProgress = z.object({
  kind: GitProgressKind,
  /** Of a rebase or a mail series: which step of how many. */
  step: z.number().int().nullable(),
  of: z.number().int().nullable(),
  /** The branch that is being rebased, or the short commit that is merged, picked or reverted. */
  what: z.string().nullable(),
})
export type GitInProgress = z.infer<typeof GitInProgress>

export const GitStatus = z.object({
  rootId: RootId,
  /** The folder below the root whose repository this is; '' for the one that holds the root itself. */
  inside: z.string(),
  /** There is a repository to work with: `standing` is `ready`. */
  repository: z.boolean(),
  /** `unavailable`: no git on this machine. `broken`, `bare`, `unavailable` carry words in `note`. */
  standing: z.enum(['ready', 'none', 'untrusted', 'bare', 'broken', 'unavailable']),
  note: z.string().nullable(),
  /** The top folder of the repository, absolute, for showing; null without one. It may lie above the root. */
  top: z.string().nullable(),
  /** A branch, or a short commit when detached. */
  branch: z.string().nullable(),
  detached: z.boolean(),
  /** The commit of HEAD; null before the first one. */
  head: z.string().nullable(),
  /** As in `origin/main`. */
  upstream: z.string().nullable(),
  /** It is configured, but there is no such branch (any more). */
  upstreamGone: z.boolean(),
  ahead: z.number().int(),
  behind: z.number().int(),
  inProgress: GitInProgress.nullable(),
  stashes: z.number().int(),
  /** Differs whenever a branch, a tag, a remote branch or a stash moved: lists of them are to be read again. */
  refs: z.string(),
  /** Of the whole root, whatever `files` holds. A file may count on both sides. */
  counts: z.object({
    staged: z.number().int(),
    unstaged: z.number().int(),
    untracked: z.number().int(),
    conflicted: z.number().int(),
    files: z.number().int(),
  }),
  /** Files staged elsewhere in the repository, which a commit takes along: the root is only a part of it. */
  stagedOutside: z.number().int(),
  /** The first 5,000, conflicts first, then by path. */
  files: z.array(GitFile),
  /** More than `files` holds: `git.files` pages them by `version`. */
  truncated: z.boolean(),
  version: z.number().int(),
})
export type GitStatus = z.infer<typeof GitStatus>
