/** All changed files of a repository: the status brings the first 5,000, the rest comes in pages while the list is looked at. */
import { useEffect } from 'react'
import { create } from 'zustand'
import type { GitFile, GitStatus } from '#contract/git'
import { belay } from '../../../client/index.ts'
import type { Here } from '../repository.ts'

interface More {
  readonly rootId: string
  readonly version: number
  readonly files: readonly GitFile[]
  readonly complete: boolean
}

/** Enough for any eye; what lies beyond is counted and taken by "all". */
const MOST_FILES = 200_000
const more = create<{ readonly of: More | null }>(() => ({ of: null }))

const extra = (status: GitStatus, of: More | null): readonly GitFile[] =>
  of && of.rootId === status.rootId && of.version === status.version ? of.files : []

/** Those known now. */
export const filesNow = (status: GitStatus): readonly GitFile[] =>
  status.truncated ? [...status.files, ...extra(status, more.getState().of)] : status.files

/** While mounted, brings the pages in. */
export function useAllFiles(at: Here, status: GitStatus): { files: readonly GitFile[]; complete: boolean } {
  const { workspaceId, rootId } = at
  const { truncated, version } = status
  const of = more(state => state.of)
  useEffect(() => {
    if (!truncated) return
    const abort = new AbortController()
    void readPages({ workspaceId, rootId }, version, abort.signal).catch(() => {})
    return () => abort.abort()
  }, [workspaceId, rootId, truncated, version])
  const rest = extra(status, of)
  const current = of?.version === version && of.rootId === rootId
  return {
    files: truncated ? [...status.files, ...rest] : status.files,
    complete: !truncated || (current && of.complete),
  }
}

async function readPages(at: Here, version: number, signal: AbortSignal): Promise<void> {
  let files: GitFile[] = []
  for (let page: number | null = 1; page !== null && files.length < MOST_FILES; ) {
    const answer: Awaited<ReturnType<typeof belay.git.files>> = await belay.git.files(
      { ...at, version, page },
      { signal },
    )
    if (answer.version !== version || signal.aborted) return
    files = [...files, ...answer.files]
    page = answer.nextPage
    more.setState({ of: { rootId: at.rootId, version, files, complete: page === null } })
  }
}
