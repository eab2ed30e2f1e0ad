/** Where the shown conversation has other branches: asked for when the head has moved or a turn has begun or ended. */
import { useEffect, useState } from 'react'
import type { BranchPoint } from '#contract/head'
import type { SessionId } from '#contract/id'
import { belay } from '../../../client/index.ts'
import { useSessionFact, useSessionStatus } from '../../../state/mirror/session.ts'

const none: readonly BranchPoint[] = []

/** The last that were told, until it is known better. A session whose head never moved has none. */
export function useBranches(sessionId: SessionId): readonly BranchPoint[] {
  const [points, setPoints] = useState(none)
  const ready = useSessionStatus(sessionId)?.status === 'ready'
  const moves = useSessionFact(sessionId, 'moves')
  const running = useSessionFact(sessionId, 'running')
  const asked = ready && moves !== null && moves.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: another move or turn asks again
  useEffect(() => {
    if (!asked) return setPoints(none)
    const abort = new AbortController()
    const { signal } = abort
    // Without an answer there is no way to another branch from here; the conversation itself is whole.
    belay.head.branches({ sessionId }, { signal }).then(
      told => signal.aborted || setPoints(told.points),
      () => {},
    )
    return () => abort.abort()
  }, [sessionId, asked, moves, running])
  return points
}
