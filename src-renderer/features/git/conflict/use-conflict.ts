/** The sides of a file in conflict, and which of their lines differ from the base; asked again while it is in conflict. */
import { useEffect, useState } from 'react'
import { type Fault, toFault } from '#contract/error'
import type { GitConflict, GitDiff } from '#contract/git'
import type { WirePath } from '#contract/path'
import { belay, useConnection } from '../../../client/index.ts'
import { useGitMark } from '../../../state/mirror/git.ts'
import { useWorkspace } from '../../../state/view/workspace.ts'
import { blocksOf } from '../diff/blocks.ts'

export interface Sides {
  readonly conflict: GitConflict
  /** Lines that are not as in the base, counted from 1. */
  readonly oursChanged: readonly number[]
  readonly theirsChanged: readonly number[]
}

export interface ShownConflict {
  /** Kept when the file is resolved: the sides stay to be looked at. */
  readonly sides: Sides | null
  readonly fault: Fault | null
  readonly resolved: boolean
}

export function useConflict({ rootId, path }: WirePath): ShownConflict {
  const workspaceId = useWorkspace()?.workspaceId
  const connected = useConnection(state => state.sidecar === 'ready')
  const resolved = useGitMark({ rootId, path })?.state !== 'conflicted'
  const [shown, setShown] = useState<Omit<ShownConflict, 'resolved'>>({ sides: null, fault: null })
  useEffect(() => {
    if (!workspaceId || !connected || resolved) return
    const abort = new AbortController()
    const { signal } = abort
    const at = { workspaceId, rootId, path }
    const changed = async (to: 'ours' | 'theirs') =>
      addedLines(await belay.git.diff({ ...at, from: 'base', to }, { signal }))
    const read = async (): Promise<Sides> => {
      const conflict = await belay.git.conflict(at, { signal })
      const isText = (side: GitConflict['base']) => side.kind === 'text'
      const based = isText(conflict.base)
      const [oursChanged, theirsChanged] = await Promise.all([
        based && isText(conflict.ours) ? changed('ours') : [],
        based && isText(conflict.theirs) ? changed('theirs') : [],
      ])
      return { conflict, oursChanged, theirsChanged }
    }
    read().then(
      sides => setShown({ sides, fault: null }),
      thrown => {
        const fault = toFault(thrown)
        if (fault.code !== 'cancelled') setShown(({ sides }) => ({ sides, fault }))
      },
    )
    return () => abort.abort()
  }, [workspaceId, connected, rootId, path, resolved])
  return { ...shown, resolved }
}

const addedLines = (diff: GitDiff): number[] => blocksOf(diff).flatMap(({ added }) => added.map(({ line }) => line))
