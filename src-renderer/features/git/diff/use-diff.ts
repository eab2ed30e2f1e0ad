/** Both sides of a file and what differs, asked again whenever git's state moved. What is shown stays until the next is whole. */
import { useEffect, useState } from 'react'
import { type Fault, toFault } from '#contract/error'
import type { GitDiff, GitText } from '#contract/git'
import { belay, useConnection } from '../../../client/index.ts'
import { useGitStatus } from '../../../state/mirror/git.ts'
import { useWorkspace } from '../../../state/view/workspace.ts'
import type { DiffArgument } from '../open.ts'

export interface Sides {
  readonly before: GitText
  readonly after: GitText
  readonly diff: GitDiff
}

export interface ShownDiff {
  readonly sides: Sides | null
  readonly fault: Fault | null
}

export function useDiff(argument: DiffArgument): ShownDiff {
  const workspaceId = useWorkspace()?.workspaceId
  const status = useGitStatus(argument.rootId)
  const connected = useConnection(state => state.sidecar === 'ready')
  const [shown, setShown] = useState<ShownDiff>({ sides: null, fault: null })
  const { rootId, path, oldPath, from, to } = argument
  const what = JSON.stringify([rootId, path, oldPath, from, to])
  // A commit never changes; all else does with every version of the status.
  const moving = typeof to === 'object' ? 0 : (status?.version ?? 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `what` is the argument, by value; `moving` says that it may differ now
  useEffect(() => {
    if (!workspaceId || !connected) return
    const abort = new AbortController()
    const { signal } = abort
    const at = { workspaceId, rootId }
    Promise.all([
      belay.git.text({ ...at, path: oldPath ?? path, at: from }, { signal }),
      belay.git.text({ ...at, path, at: to }, { signal }),
      belay.git.diff({ ...at, path, ...(oldPath ? { oldPath } : {}), from, to }, { signal }),
    ]).then(
      ([before, after, diff]) =>
        setShown(({ sides }) => ({
          fault: null,
          sides: sides && isSame(sides, { before, after, diff }) ? sides : { before, after, diff },
        })),
      thrown => {
        const fault = toFault(thrown)
        if (fault.code !== 'cancelled') setShown(({ sides }) => ({ sides, fault }))
      },
    )
    return () => abort.abort()
  }, [workspaceId, connected, what, moving])
  return shown
}

const isSame = (a: Sides, b: Sides): boolean =>
  a.diff.token === b.diff.token && textOf(a.before) === textOf(b.before) && textOf(a.after) === textOf(b.after)

export const textOf = (side: GitText): string => (side.kind === 'text' || side.kind === 'lfs' ? side.text : '')
