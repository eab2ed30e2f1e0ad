/**
 * Git, as a person uses it. Reads answer data; verbs answer `{ ok: true, … }` or a refusal with words and next steps, and only
 * they move the index and refs. Where nobody trusted the folder nothing runs: `status` says so, all else throws `untrusted`.
 */
import { z } from 'zod'
import { event, request } from './define.ts'
import { GitBlame, GitConflict, GitDiff, GitPerson, GitSide, GitText, Oid, Revision } from './git-content.ts'
import {
  GitBranch,
  GitChangedFile,
  GitCommit,
  GitCommitDetails,
  GitRemote,
  GitStash,
  GitTag,
  GitWorktree,
} from './git-history.ts'
import { outcome } from './git-outcome.ts'
import { GitFile, GitStatus } from './git-status.ts'
import { AskId, RootId, WorkspaceId } from './id.ts'
import { WirePath } from './path.ts'

export * from './git-content.ts'
export * from './git-history.ts'
export { GitNext, GitReason, GitRefusal } from './git-outcome.ts'
export * from './git-status.ts'

/** How far a clone is. `percent` of this phase; null where git does not say. */
export const CloneProgress = z.object({
  cloneId: z.string(),
  phase: z.enum(['preparing', 'receiving', 'resolving', 'checkingOut']),
  percent: z.number().min(0).max(100).nullable(),
})
export type CloneProgress = z.infer<typeof CloneProgress>

/** How far a verb is that takes long: fetch, pull, push. `cloneId` of a clone is an operation's id too. */
export const GitProgress = z.object({
  operationId: z.string(),
  phase: z.enum(['connecting', 'preparing', 'receiving', 'resolving', 'sending', 'merging', 'checkingOut', 'hook']),
  percent: z.number().min(0).max(100).nullable(),
})
export type GitProgress = z.infer<typeof GitProgress>

/**
 * Git or ssh asks who one is. For the client alone that started the operation; answered by `answer`, ended by `answered` also
 * when nobody did in time. What is answered goes to git and nowhere else: Belay keeps and logs nothing of it.
 */
export const GitAsk = z.object({
  askId: AskId,
  operationId: z.string(),
  kind: z.enum(['user', 'password', 'passphrase', 'hostKey', 'other']),
  /** Exactly the server that will get the answer, with its port where it is not the usual one; null where it is not said. */
  host: z.string().nullable(),
  /** The person the password is of, or the file of the key. */
  of: z.string().nullable(),
  /** The whole question in git's or ssh's words, unseen characters made visible. */
  question: z.string(),
  /** Not to be shown while it is typed. */
  secret: z.boolean(),
})
export type GitAsk = z.infer<typeof GitAsk>

/** A repository: the one that holds the root, or the one that holds the folder `inside` it. Paths are relative to the root. */
const here = {
  workspaceId: WorkspaceId,
  rootId: RootId,
  inside: z.string().max(4096).default(''),
}
const path = z.string().min(1).max(4096)
/** Files and folders; '' is everything below the root. */
const paths = z.array(z.string().max(4096)).min(1).max(5000)
/** Made by the client for what may take long: names it in `progressed`, `printed` and `asked`. Cancel by signal. */
const operationId = z.string().min(1).max(64)
const name = z.string().min(1).max(255)
const done = outcome({})
/** Lines of a difference by their number through all hunks; context lines among them count for nothing. */
const lines = z.array(z.number().int().nonnegative()).min(1).max(200_000)
const page = z.number().int().nonnegative().default(0)

export const git = {
  status: request(z.object(here), GitStatus),
  /** Pages of 5,000 of the files of the status with this version; `stale` is said by an empty `version`. */
  files: request(
    z.object({ ...here, version: z.number().int(), page }),
    z.object({ version: z.number().int().nullable(), files: z.array(GitFile), nextPage: z.number().int().nullable() }),
  ),
  /** Folders below the root that are repositories of their own (submodules among them), to be named as `inside`. */
  repositories: request(
    z.object({ workspaceId: WorkspaceId, rootId: RootId }),
    z.object({ folders: z.array(z.object({ inside: z.string(), submodule: z.boolean() })), truncated: z.boolean() }),
  ),
  /** The text of a file in HEAD; null where HEAD has none or it is not text. */
  headText: request(z.object({ workspaceId: WorkspaceId, path: WirePath }), z.object({ text: z.string().nullable() })),
  /** A file at one side, up to 5 MB. */
  text: request(z.object({ ...here, path, at: GitSide }), GitText),
  /** What differs between two sides of a file. `from` its other name on the old side, of what was renamed. */
  diff: request(z.object({ ...here, path, oldPath: path.optional(), from: GitSide, to: GitSide }), GitDiff),

  /** Takes the files as they are in the work tree into the index: new, changed and deleted. */
  stage: request(z.object({ ...here, paths }), done),
  unstage: request(z.object({ ...here, paths }), done),
  /** Lines of the difference from index to work tree with that token. All of them is the whole file. */
  stageLines: request(z.object({ ...here, path, token: z.string(), lines }), done),
  /** Lines of the difference from HEAD to index. */
  unstageLines: request(z.object({ ...here, path, token: z.string(), lines }), done),
  /** The files become as in the index; untracked ones go away. What they were is kept for `undoDiscard`. */
  discard: request(z.object({ ...here, paths }), outcome({ undoId: z.string() })),
  discardLines: request(z.object({ ...here, path, token: z.string(), lines }), outcome({ undoId: z.string() })),
  /** Refused (`stale`) where that would overwrite something newer. */
  undoDiscard: request(z.object({ ...here, undoId: z.string() }), done),

  /** Hooks and signing are run as git would; what they print comes as `printed`. `all`: with every change of tracked files. */
  commit: request(
    z.object({
      ...here,
      operationId,
      message: z.string().max(100_000),
      amend: z.boolean().default(false),
      signOff: z.boolean().default(false),
      all: z.boolean().default(false),
    }),
    outcome({ commit: Oid }),
  ),
  /** The message that a commit would begin with: of the merge in progress, the template, or (amend) of HEAD. */
  commitMessage: request(z.object({ ...here, amend: z.boolean().default(false) }), z.object({ message: z.string() })),
  /** A model writes it from what is staged, or, with nothing staged, from all changes of tracked files. Cancel by signal. */
  writeMessage: request(z.object(here), outcome({ message: z.string() })),
  /** HEAD goes back by one; its changes stay, staged. Refused (`stale`) where HEAD is not `commit`. */
  undoCommit: request(z.object({ ...here, commit: Oid }), outcome({ message: z.string() })),
  identity: request(z.object(here), z.object({ name: z.string().nullable(), email: z.string().nullable() })),
  /** `person`: for all repositories of this account; otherwise for this one. */
  setIdentity: request(z.object({ ...here, person: GitPerson, scope: z.enum(['repository', 'person']) }), done),

  /** Local ones first, each by their last commit, newest first. */
  branches: request(z.object(here), z.object({ branches: z.array(GitBranch) })),
  createBranch: request(
    z.object({ ...here, name, from: Revision.optional(), switchTo: z.boolean().default(true) }),
    done,
  ),
  /**
   * To a branch, to a remote branch (a local one that follows it is made), or, detached, to any commit. `stash`: takes changes
   * that stand in the way along through the stash.
   */
  switch: request(
    z.object({ ...here, to: Revision, detach: z.boolean().default(false), stash: z.boolean().default(false) }),
    outcome({ branch: z.string().nullable() }),
  ),
  renameBranch: request(z.object({ ...here, name, to: name }), done),
  /** Without force only what is merged; `unmerged` asks. */
  deleteBranch: request(z.object({ ...here, name, force: z.boolean().default(false) }), outcome({ commit: Oid })),
  /** `upstream` as in `origin/main`; null: none. */
  setUpstream: request(z.object({ ...here, name, upstream: Revision.nullable() }), done),
  merge: request(
    z.object({ ...here, operationId, from: Revision, how: z.enum(['auto', 'fastForward', 'commit']).default('auto') }),
    outcome({ result: z.enum(['upToDate', 'fastForward', 'merged']) }),
  ),
  rebase: request(z.object({ ...here, operationId, onto: Revision }), done),
  cherryPick: request(z.object({ ...here, operationId, commit: Oid }), done),
  revertCommit: request(z.object({ ...here, operationId, commit: Oid }), done),
  /** Of what is in progress. */
  proceed: request(z.object({ ...here, operationId, how: z.enum(['continue', 'skip', 'abort']) }), done),

  /** `remote` null: that of the branch, or the only one. */
  fetch: request(
    z.object({
      ...here,
      operationId,
      remote: name.nullable().default(null),
      all: z.boolean().default(false),
      prune: z.boolean().default(false),
    }),
    done,
  ),
  /** `configured`: as `pull.rebase` and `pull.ff` say; where both sides moved and nothing is configured, `rejected` asks which. */
  pull: request(
    z.object({
      ...here,
      operationId,
      how: z.enum(['configured', 'fastForward', 'merge', 'rebase']).default('configured'),
    }),
    outcome({ result: z.enum(['upToDate', 'fastForward', 'merged', 'rebased']) }),
  ),
  /** `publish`: makes the branch on that remote and follows it. `force`: only over what was last fetched, never over news. */
  push: request(
    z.object({
      ...here,
      operationId,
      remote: name.nullable().default(null),
      publish: z.boolean().default(false),
      force: z.boolean().default(false),
      tags: z.boolean().default(false),
    }),
    outcome({ result: z.enum(['upToDate', 'pushed']) }),
  ),
  /** Null: no answer, git gives up. Answers whether it was still asked. */
  answer: request(
    z.object({ askId: AskId, answer: z.string().max(10_000).nullable() }),
    z.object({ won: z.boolean() }),
  ),

  stashes: request(z.object(here), z.object({ stashes: z.array(GitStash) })),
  stashPush: request(
    z.object({
      ...here,
      message: z.string().max(10_000).default(''),
      untracked: z.boolean().default(true),
      /** Only what is staged, or only these; neither: everything in the repository. */
      staged: z.boolean().default(false),
      paths: paths.optional(),
    }),
    outcome({ stash: Oid }),
  ),
  stashFiles: request(z.object({ ...here, stash: Oid }), z.object({ files: z.array(GitChangedFile) })),
  /** `drop`: takes it off the list when all went well (pop). What was staged is staged again where that fits. */
  stashApply: request(
    z.object({ ...here, index: z.number().int().nonnegative(), stash: Oid, drop: z.boolean().default(false) }),
    done,
  ),
  /** The stash stays reachable by its commit until git cleans up: `stashRestore` brings it back. */
  stashDrop: request(z.object({ ...here, index: z.number().int().nonnegative(), stash: Oid }), done),
  stashRestore: request(z.object({ ...here, stash: Oid, message: z.string().max(10_000) }), done),

  /**
   * Newest first, in an order in which children stand before parents. `path` with `follow`: the history of one file through its
   * renames. Whoever shows it draws the graph; a filtered list has none.
   */
  log: request(
    z.object({
      ...here,
      skip: z.number().int().nonnegative().default(0),
      limit: z.number().int().positive().max(1000).default(200),
      of: z.union([z.enum(['head', 'all']), Revision]).default('head'),
      path: z.string().max(4096).optional(),
      follow: z.boolean().default(false),
      author: z.string().max(500).optional(),
      /** In the message; a whole or short commit name finds that commit. */
      text: z.string().max(500).optional(),
    }),
    z.object({ commits: z.array(GitCommit), more: z.boolean() }),
  ),
  commitDetails: request(z.object({ ...here, commit: Revision }), GitCommitDetails),
  /** Who wrote the lines of a file from `line` on, 2,000 at a time. `text`: as it stands unsaved in an editor. */
  blame: request(
    z.object({
      ...here,
      path,
      at: Revision.optional(),
      line: z.number().int().positive().default(1),
      text: z.string().max(5_000_000).optional(),
    }),
    GitBlame,
  ),

  conflict: request(z.object({ ...here, path }), GitConflict),
  /**
   * `worktree`: as the file lies there now. `ours`, `theirs`: that side whole, also where it is a deletion; what lay there is kept
   * for `undoDiscard`.
   */
  resolve: request(
    z.object({ ...here, path, as: z.enum(['worktree', 'ours', 'theirs', 'deleted']) }),
    outcome({ undoId: z.string().nullable() }),
  ),
  /** Back to the conflict as git left it; what lay there is kept for `undoDiscard`. */
  unresolve: request(z.object({ ...here, path }), outcome({ undoId: z.string().nullable() })),

  worktrees: request(z.object(here), z.object({ worktrees: z.array(GitWorktree) })),
  /** Into a folder that is not there yet (absolute or `~/…`), on a branch, a new branch, or detached. */
  addWorktree: request(
    z.object({
      ...here,
      folder: z.string().min(1).max(4096),
      branch: name.optional(),
      create: z.boolean().default(false),
      from: Revision.optional(),
    }),
    outcome({ folder: z.string() }),
  ),
  /** Refused (`dirty`) with changes in it unless forced; never the main one. */
  removeWorktree: request(
    z.object({ ...here, folder: z.string().min(1).max(4096), force: z.boolean().default(false) }),
    done,
  ),

  remotes: request(z.object(here), z.object({ remotes: z.array(GitRemote) })),
  addRemote: request(z.object({ ...here, name, address: z.string().max(4096) }), done),
  removeRemote: request(z.object({ ...here, name }), done),
  tags: request(z.object(here), z.object({ tags: z.array(GitTag) })),
  /** With a message it is an annotated tag. */
  createTag: request(
    z.object({ ...here, name, at: Revision.optional(), message: z.string().max(100_000).default('') }),
    done,
  ),
  deleteTag: request(z.object({ ...here, name }), outcome({ target: Oid })),

  /** Makes a repository of the root. `branch`: its first branch. */
  init: request(z.object({ workspaceId: WorkspaceId, rootId: RootId, branch: name.default('main') }), done),
  /**
   * Clones into a new folder below `into` (absolute, or `~/…`), named by the address unless `name` says otherwise. Cancel by
   * signal. After a failure or a cancel nothing is left of it. Asks (`asked`) with the clone's id; never overwrites.
   */
  clone: request(
    z.object({
      cloneId: z.string().min(1).max(64),
      address: z.string().max(4096),
      into: z.string().max(4096),
      name: z.string().max(255).optional(),
    }),
    z.object({ folder: z.string() }),
  ),
  /** For the client that clones. */
  cloning: event(CloneProgress),
  /** For the client that started the operation. */
  progressed: event(GitProgress),
  /** What hooks print while they run. Hostile text. */
  printed: event(z.object({ operationId: z.string(), text: z.string() })),
  asked: event(GitAsk),
  answered: event(z.object({ askId: AskId })),
  changed: event(GitStatus),
} as const
