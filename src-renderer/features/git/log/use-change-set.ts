/** What a commit or a stash changed, and the two sides its files are shown between. */
import { useEffect, useState } from 'react'
import { type Fault, toFault } from '#contract/error'
import type { GitChangedFile, GitCommitDetails, GitSide } from '#contract/git'
import { belay, useConnection } from '../../../client/index.ts'
import { useWorkspace } from '../../../state/view/workspace.ts'
import type { CommitArgument } from '../open.ts'

export type ChangedFile = GitChangedFile

export interface ChangeSet {
  readonly short: string
  readonly message: string
  /** Null for a stash. */
  readonly details: GitCommitDetails | null
  readonly files: readonly GitChangedFile[]
  readonly truncated: boolean
  readonly before: GitSide
  readonly after: GitSide
}

export function useChangeSet(of: CommitArgument): { set: ChangeSet | null; fault: Fault | null } {
  const workspaceId = useWorkspace()?.workspaceId
  const connected = useConnection(state => state.sidecar === 'ready')
  const [shown, setShown] = useState<{ set: ChangeSet | null; fault: Fault | null }>({ set: null, fault: null })
  const what = JSON.stringify(of)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `what` is the commit, by value
  useEffect(() => {
    if (!workspaceId || !connected) return
    const abort = new AbortController()
    const at = { workspaceId, rootId: of.rootId }
    const { signal } = abort
    const asked =
      'stash' in of
        ? belay.git.stashFiles({ ...at, stash: of.stash }, { signal }).then(answer => stashSet(of, answer.files))
        : belay.git.commitDetails({ ...at, commit: of.commit }, { signal }).then(commitSet)
    asked.then(
      set => setShown({ set, fault: null }),
      thrown => {
        const fault = toFault(thrown)
        if (fault.code !== 'cancelled') setShown({ set: null, fault })
      },
    )
    return () => abort.abort()
  }, [workspaceId, connected, what])
  return shown
}

const commitSet = (details: GitCommitDetails): ChangeSet => {
  const { commit, files, message, truncated } = details
  const [parent] = commit.parents
  return {
    short: commit.oid.slice(0, 8),
    message,
    details,
    files,
    truncated,
    before: parent ? { commit: parent } : 'nothing',
    after: { commit: commit.oid },
  }
}

/** A stash is a commit on what was HEAD then. */
const stashSet = (
  { stash, title }: Extract<CommitArgument, { stash: string }>,
  files: GitChangedFile[],
): ChangeSet => ({
  short: stash.slice(0, 8),
  message: title,
  details: null,
  files,
  truncated: false,
  before: { commit: `${stash}~1` },
  after: { commit: stash },
})
