/** The commits of a list, a page at a time as one scrolls. Asked anew when a branch moved; what is shown stays until that came. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Fault, toFault } from '#contract/error'
import type { GitCommit } from '#contract/git'
import { belay, useConnection } from '../../../client/index.ts'
import { useGitStatus } from '../../../state/mirror/git.ts'
import { useWorkspace } from '../../../state/view/workspace.ts'
import type { LogArgument } from '../open.ts'
import { emptyGraph, type GraphRow, type GraphState, graphRows } from './graph.ts'

export interface LogRow {
  readonly commit: GitCommit
  /** Null in a filtered list and in the history of a file: lines between would be untrue. */
  readonly graph: GraphRow | null
}

export interface Log {
  readonly rows: readonly LogRow[]
  readonly status: 'loading' | 'ready' | 'failed'
  readonly fault: Fault | null
  readonly more: boolean
  loadMore(): void
}

const PAGE = 200
const AFTER_TYPING_MS = 250

interface Loaded {
  readonly what: string
  readonly rows: readonly LogRow[]
  readonly graph: GraphState
  readonly more: boolean
}

export function useLog({ rootId, of, path }: LogArgument, text: string): Log {
  const workspaceId = useWorkspace()?.workspaceId
  const status = useGitStatus(rootId)
  const connected = useConnection(state => state.sidecar === 'ready')
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [fault, setFault] = useState<Fault | null>(null)
  const loading = useRef<AbortController | null>(null)
  const filter = text.trim()
  const what = JSON.stringify([rootId, of, path, filter])
  const moved = `${status?.head ?? ''} ${status?.refs ?? ''}`

  const load = useCallback(
    async (from: Loaded | null, limit: number) => {
      if (!workspaceId) return
      loading.current?.abort()
      const mine = new AbortController()
      loading.current = mine
      try {
        const { commits, more } = await belay.git.log(
          {
            workspaceId,
            rootId,
            of,
            skip: from?.rows.length ?? 0,
            limit,
            ...(path ? { path, follow: true } : {}),
            ...(filter ? { text: filter } : {}),
          },
          { signal: mine.signal },
        )
        const drawn = filter || path ? null : graphRows(toGraph(commits), from?.graph ?? emptyGraph)
        const rows = commits.map((commit, at): LogRow => ({ commit, graph: drawn?.rows[at] ?? null }))
        setFault(null)
        setLoaded({ what, rows: [...(from?.rows ?? []), ...rows], graph: drawn?.state ?? emptyGraph, more })
      } catch (thrown) {
        const failed = toFault(thrown)
        if (failed.code !== 'cancelled') setFault(failed)
      } finally {
        if (loading.current === mine) loading.current = null
      }
    },
    [workspaceId, rootId, of, path, filter, what],
  )
  const shown = useRef(0)
  shown.current = loaded?.what === what ? loaded.rows.length : 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: `moved` says that the commits may be others now
  useEffect(() => {
    if (!connected) return
    const timer = setTimeout(
      () => void load(null, Math.min(1000, Math.max(PAGE, shown.current))),
      filter ? AFTER_TYPING_MS : 0,
    )
    return () => {
      clearTimeout(timer)
      loading.current?.abort()
    }
  }, [load, connected, moved, filter])
  return {
    rows: loaded?.rows ?? [],
    status: fault ? 'failed' : loaded ? 'ready' : 'loading',
    fault,
    more: loaded?.more ?? false,
    loadMore: () => {
      if (loaded?.more && loaded.what === what && !loading.current) void load(loaded, PAGE)
    },
  }
}

const toGraph = (commits: readonly GitCommit[]) => commits.map(({ oid, parents }) => ({ hash: oid, parents }))
