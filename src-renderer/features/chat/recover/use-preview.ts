/** What a rewind would do, looked at when the question opens; again when it is asked for. */
import { useEffect, useState } from 'react'
import { type Fault, toFault } from '#contract/error'
import type { RewindPreview, RewindTarget } from '#contract/head'
import type { SessionId } from '#contract/id'
import { settleDocuments } from '../../../client/document-pump.ts'
import { belay } from '../../../client/index.ts'

export interface Previewed {
  /** Null while it is being looked at. */
  readonly preview: RewindPreview | null
  readonly fault: Fault | null
  lookAgain(): void
}

/** `to` null: nothing is asked. */
export function usePreview(sessionId: SessionId, to: RewindTarget | null): Previewed {
  const [found, setFound] = useState<Pick<Previewed, 'preview' | 'fault'>>({ preview: null, fault: null })
  const [tries, setTries] = useState(0)
  const key = JSON.stringify(to)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks again
  useEffect(() => {
    const target = JSON.parse(key) as RewindTarget | null
    setFound({ preview: null, fault: null })
    if (!target) return
    const abort = new AbortController()
    const { signal } = abort
    settleDocuments()
      .then(() => belay.head.preview({ sessionId, to: target }, { signal }))
      .then(
        preview => signal.aborted || setFound({ preview, fault: null }),
        thrown => signal.aborted || setFound({ preview: null, fault: toFault(thrown) }),
      )
    return () => abort.abort()
  }, [sessionId, key, tries])
  return { ...found, lookAgain: () => setTries(count => count + 1) }
}
