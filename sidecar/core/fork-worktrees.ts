/** What forks need of git, of the files' history and of trust, tied together. */
import { BelayError } from '#contract/error'
import type { FileState, LedgerWrite } from '#contract/ledger'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import { bring } from '../git/made-worktrees/bring.ts'
import type { Git } from '../git/service.ts'
import type { Moment, Worktrees } from '../session/fork/ports.ts'
import { rootIdOf } from '../workspace/roots.ts'
import type { Workspaces } from '../workspace/service.ts'

export function forkWorktrees(rooms: { git: Git; checkpoints: Checkpoints; workspaces: Workspaces }): Worktrees {
  const { git, checkpoints, workspaces } = rooms
  return {
    async make({ moment, ...wish }) {
      const { workspaceId, sessionId } = wish
      const [root] = workspaces.get(workspaceId).info.roots
      if (!root) throw new BelayError('internal', 'A workspace without a folder.')
      const files = checkpoints.of(workspaceId)
      // First: what cannot be known makes no worktree.
      const then = wish.worktree.files === 'head' ? null : statesAt(moment, await since(files, moment), root.rootId)
      const { entry, isNew, changed } = await git.worktrees.make(wish)
      try {
        const notBrought =
          then === null
            ? []
            : await bring({ from: root.absolute, to: entry.folder, changed, then, contentOf: files.contentOf })
        await workspaces.trustAs(workspaceId, entry.folder)
        return { folder: entry.folder, rootIds: { [root.rootId]: rootIdOf(entry.folder) }, notBrought }
      } catch (fault) {
        if (isNew) await git.worktrees.unmake(sessionId)
        throw fault
      }
    },
    unmake: git.worktrees.unmake,
    list: git.worktrees.list,
    remove: git.worktrees.remove,
    read: git.worktrees.read,
    async foldersOf(home) {
      const entries = await git.worktrees.entries()
      return new Set(entries.flatMap(entry => (entry.home === home ? entry.folder : [])))
    },
    rootIdOf,
  }
}

type Files = ReturnType<Checkpoints['of']>

async function since(files: Files, moment: Moment | null): Promise<LedgerWrite[]> {
  const lines = moment ? await files.since(moment.checkpointId) : []
  if (lines) return lines
  throw new BelayError(
    'stale',
    'Nothing was forked: how the files stood at that message is not kept any more. Fork it with the files of the last commit.',
  )
}

/** What has been written since, undone: each path as it was before the first write that came later. */
function statesAt(moment: Moment | null, all: readonly LedgerWrite[], rootId: string): Map<string, FileState | null> {
  const lines = all.filter(({ path }) => path.rootId === rootId)
  const wasThere = ({ writers, at }: LedgerWrite) =>
    at <= (moment?.until ?? 0) ||
    writers.some(({ callId, sessionId }) => moment?.calls.has(callId) || moment?.sessions.has(sessionId))
  const then = new Map<string, FileState | null>()
  for (const { path, before } of lines.slice(lines.findLastIndex(wasThere) + 1))
    if (!then.has(path.path)) then.set(path.path, before)
  return then
}
