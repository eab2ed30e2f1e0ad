/**
 * The tree of sessions: forks and the worktrees they work in, what each branch changed, two of them side by side, and the
 * way of a session out of Belay and back in.
 */
import { z } from 'zod'
import { request } from './define.ts'
import { FileHash, ItemId, RequestId, SessionId, WorkspaceId } from './id.ts'
import { Usage } from './session-event.ts'

/** Lines and files that a session's agents wrote: since it began, or since it branched off. */
export const Changed = z.object({
  files: z.number().int().nonnegative(),
  added: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
})
export type Changed = z.infer<typeof Changed>

/** Where a session branched off: the last item that both have; null: it began empty. Its parent may be gone. */
export const ForkedFrom = z.object({ sessionId: SessionId, atItemId: ItemId.nullable() })
export type ForkedFrom = z.infer<typeof ForkedFrom>

export const WantedWorktree = z.object({
  /** A new branch of that name; without one its HEAD is detached. */
  branch: z.string().min(1).max(250).optional(),
  /** Absolute or `~/…`, not there yet or empty; without one beside the repository, in `<repository>-worktrees`. */
  path: z.string().min(1).max(4096).optional(),
  /** `head`: as the last commit has it. `checkpoint`: with all that was not committed when that message had been answered. */
  files: z.enum(['head', 'checkpoint']).default('checkpoint'),
})
export type WantedWorktree = z.infer<typeof WantedWorktree>

/** A worktree that Belay made for a session, by its own ledger. */
export const SessionWorktree = z.object({
  sessionId: SessionId,
  /** Null: the session is gone, its worktree is not. */
  title: z.string().nullable(),
  /** What the session works in; `top` and it differ where a part of a repository was opened. */
  folder: z.string(),
  top: z.string(),
  /** Of the workspace that it branched off from. */
  home: z.string(),
  branch: z.string().nullable(),
  madeAt: z.number(),
  /** `gone`: its folder is not there any more. `foreign`: what is there now is no worktree that Belay made. */
  state: z.enum(['here', 'gone', 'foreign']),
  /** What removing it would lose; null: nobody looked, or git does not say. */
  left: z
    .object({
      /** Files that are in no commit, also ignored ones, but no folders that are ignored as a whole; and 1 for a merge or rebase under way. */
      uncommitted: z.number().int(),
      files: z.array(z.string()).max(100),
      /** Commits that are on no remote and on no other branch. */
      commits: z.number().int(),
    })
    .nullable(),
})
export type SessionWorktree = z.infer<typeof SessionWorktree>

/** A command that looks like a run of tests, the last time that it ran in a branch. */
export const TestRun = z.object({
  itemId: ItemId,
  at: z.number(),
  durationMs: z.number().nonnegative(),
  outcome: z.enum(['passed', 'failed', 'unknown']),
  exitCode: z.number().nullable(),
})
export type TestRun = z.infer<typeof TestRun>

/** One side of a comparison: what it did after the last item that both have. */
export const ComparedBranch = z.object({
  sessionId: SessionId,
  title: z.string(),
  folder: z.string(),
  turns: z.number().int(),
  items: z.number().int(),
  usage: Usage,
  /** US dollars; null where no price is known. */
  cost: z.number().nullable(),
  changed: Changed,
})
export type ComparedBranch = z.infer<typeof ComparedBranch>

/** How a file stands in a branch. `hash` null: it is not there. */
export const ComparedFile = z.object({
  hash: FileHash.nullable(),
  /** Whether its agents wrote it since the branches parted. */
  written: z.boolean(),
  /** `log`: as its last write left it; `folder`: as it lies in its own worktree now. */
  from: z.enum(['log', 'folder']),
  /** Whether its bytes can be shown. */
  kept: z.boolean(),
})
export type ComparedFile = z.infer<typeof ComparedFile>

export const Comparison = z.object({
  /** The last item that both have; null: they have nothing in common. */
  ancestor: ItemId.nullable(),
  a: ComparedBranch,
  b: ComparedBranch,
  /** By path, relative to each one's own folder; `root` names one of several roots. The first 2,000; `more` says how many else. */
  files: z.array(z.object({ root: z.string(), path: z.string(), a: ComparedFile, b: ComparedFile })),
  more: z.number().int(),
  /** The same command line in both, or in one. */
  tests: z.array(z.object({ command: z.string(), a: TestRun.nullable(), b: TestRun.nullable() })),
})
export type Comparison = z.infer<typeof Comparison>

/** One side of a file: its text, or why there is none to show. */
export const ComparedText = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.enum(['absent', 'binary', 'large', 'not_kept']) }),
])
export type ComparedText = z.infer<typeof ComparedText>

const which = z.object({ sessionId: SessionId })
const pair = { a: SessionId, b: SessionId }

export const sessionTree = {
  /**
   * A branch from an item of any session, also one that runs or is only read: what stands up to there is in both, and neither
   * hears of the other again. Rules that were allowed for the parent, its queue and its pin are not the branch's. All of it or
   * nothing; the same `requestId` twice is one fork. Throws words (`invalid`, `denied`, `unsupported`) where git refuses.
   */
  fork: request(
    z.object({
      sessionId: SessionId,
      /** The last item that the branch has; null: none. */
      atItemId: ItemId.nullable(),
      title: z.string().min(1).max(200).optional(),
      worktree: WantedWorktree.optional(),
      requestId: RequestId,
    }),
    z.object({
      sessionId: SessionId,
      /** Where it works: with a worktree a workspace that is not open yet. */
      workspaceId: WorkspaceId,
      folder: z.string(),
      /** Where it was cut, and whether that is later or earlier than asked: a call is never parted from its result. */
      atItemId: ItemId.nullable(),
      moved: z.enum(['later', 'earlier']).nullable(),
      /** Files that a worktree could not be given as they stood (not kept any more), relative; they are as in the last commit. */
      notBrought: z.array(z.string()),
    }),
  ),
  /** Worktrees that Belay made for sessions, those of that workspace or all; `left` is looked at anew. */
  worktrees: request(z.object({ home: z.string().optional() }), z.object({ worktrees: z.array(SessionWorktree) })),
  /**
   * Removes the worktree made for this session, and its branch where that has no commit of its own; with `left` where it holds work, and nothing is
   * removed then. A folder that is gone is only taken off the ledger. Throws `busy` while a turn runs in it.
   */
  removeWorktree: request(which, z.object({ removed: z.boolean(), worktree: SessionWorktree })),
  compare: request(z.object(pair), Comparison),
  /** Both sides of one file of a comparison. Texts above 5 MB are `large`. */
  compareFile: request(
    z.object({ ...pair, root: z.string().max(4096), path: z.string().max(4096) }),
    z.object({ a: ComparedText, b: ComparedText }),
  ),
  /**
   * What `export` wrote as `jsonl`, as a new session of this workspace, marked as imported: every record is checked, all names are new,
   * and nothing in it allows, runs or queues anything. Throws `invalid`, `too_large`; nothing is kept then.
   */
  import: request(
    z.object({ workspaceId: WorkspaceId, fileName: z.string().max(255), text: z.string().max(64_000_000) }),
    z.object({
      sessionId: SessionId,
      /** Records taken in, and those passed over: torn, of another shape, or not for a log from elsewhere. */
      records: z.number().int(),
      skipped: z.number().int(),
      subagents: z.number().int(),
      /** Contents that it speaks of and does not hold: outputs and images that cannot be opened. */
      missingBlobs: z.number().int(),
    }),
  ),
} as const
