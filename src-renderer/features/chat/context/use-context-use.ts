/** What fills the context of the shown session, asked of the core anew when the conversation goes on, and not more often than one looks. */
import { useEffect, useRef, useState } from 'react'
import type { ContextUse } from '#contract/context-use'
import type { SessionId } from '#contract/id'
import { belay } from '../../../client/index.ts'
import { useSessionFact } from '../../../state/mirror/session.ts'

const LEAST_PAUSE_MS = 2000

/** Null while nothing was said, and until the first answer. */
export function useContextUse(id: SessionId | null): ContextUse | null {
  const head = useSessionFact(id, 'head')
  const known = useSessionFact(id, 'contextTokens')
  const model = useSessionFact(id, 'producer')?.model
  const [use, setUse] = useState<{ id: SessionId; use: ContextUse } | null>(null)
  const askedAt = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these says that the answer may be another one now
  useEffect(() => {
    if (id === null || head === null) return
    const abort = new AbortController()
    const ask = () => {
      askedAt.current = Date.now()
      belay.session.contextUse({ sessionId: id }, { signal: abort.signal }).then(
        answer => !abort.signal.aborted && setUse({ id, use: answer }),
        // What was known last stays; the next step of the conversation asks again.
        () => {},
      )
    }
    const timer = setTimeout(ask, Math.max(0, askedAt.current + LEAST_PAUSE_MS - Date.now()))
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [id, head, known, model])
  return use && use.id === id && head !== null ? use.use : null
}
