/**
 * All changed files of a repository: the status brings the first 5,000, the rest comes in pages while the list is looked at.
 * A later version replaces the one before when it has come whole, so that the list never shrinks and grows again.
 */
import { useEffect } from 'react'
import { create } from 'zustand'
import type { GitFile, GitStatus } from '#contract/git'
import { belay } from '../../../client/index.ts'
import type { Here } from '../repository.ts'

interface Paged {
  readonly rootId: string
  readonly version: number
  readonly files: readonly GitFile[]
  readonly complete: boolean
}

/** Enough for any eye; what lies beyond is counted and taken by "all". */
const MOST_FILES = 200_000
const paged = create<{ readonly of: Paged | null }>(() => ({ of: null }))

const known = (status: GitStatus, of: Paged | null): readonly GitFile[] =>
  status.truncated && of?.rootId === status.rootId ? of.files : status.files

/** Those known now. */
export const filesNow = (status: GitStatus): readonly GitFile[] => known(status, paged.getState().of)

/** While mounted, brings the pages in. */
export function useAllFiles(at: Here, status: GitStatus): { files: readonly GitFile[]; complete: boolean } {
  const { workspaceId, rootId } = at
  const { truncated, version } = status
  const of = paged(state => state.of)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` is that of the status
  useEffect(() => {
    if (!truncated) return
    const abort = new AbortController()
    void readPages({ workspaceId, rootId }, status, abort.signal).catch(() => {})
    return () => abort.abort()
  }, [workspaceId, rootId, truncated, version])
  return { files: known(status, of), complete: !truncated || (of?.rootId === rootId && of.complete) }
}

async function readPages(at: Here, { version, files: first }: GitStatus, signal: AbortSignal): Promise<void> {
  const { rootId } = at
  const { of: before } = paged.getState()
  const isFirst = before?.rootId !== rootId || !before.complete
  const files = [...first]
  const show = (complete: boolean) => paged.setState({ of: { rootId, version, files: [...files], complete } })
  if (isFirst) show(false)
  for (let page: number | null = 1; page !== null && files.length < MOST_FILES; ) {
    const answer: Awaited<ReturnType<typeof belay.git.files>> = await belay.git.files(
      { ...at, version, page },
      { signal },
    )
    if (answer.version !== version || signal.aborted) return
    for (const file of answer.files) files.push(file)
    page = answer.nextPage
    if (isFirst && page !== null && page % 4 === 0) show(false)
  }
  show(true)
}
