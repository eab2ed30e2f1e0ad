/** Two branches as they stand, and both sides of one of their files. */
import { useEffect, useState } from 'react'
import { type Fault, toFault } from '#contract/error'
import type { ComparedText, Comparison } from '#contract/session-tree'
import { belay, useConnection } from '../../../client/index.ts'
import type { CompareArgument } from './argument.ts'

interface Compared {
  readonly comparison: Comparison | null
  readonly fault: Fault | null
  again(): void
}

export function useComparison({ a, b }: CompareArgument): Compared {
  const connected = useConnection(state => state.sidecar === 'ready')
  const [shown, setShown] = useState<Omit<Compared, 'again'>>({ comparison: null, fault: null })
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks again
  useEffect(() => {
    if (!connected) return
    const abort = new AbortController()
    const { signal } = abort
    belay.session.compare({ a, b }, { signal }).then(
      comparison => signal.aborted || setShown({ comparison, fault: null }),
      thrown => signal.aborted || setShown({ comparison: null, fault: toFault(thrown) }),
    )
    return () => abort.abort()
  }, [a, b, connected, tries])
  return { ...shown, again: () => setTries(count => count + 1) }
}

export interface FileSides {
  readonly a: ComparedText
  readonly b: ComparedText
}

/** Null while it is being read. */
export function useFileSides(
  { a, b }: CompareArgument,
  file: Comparison['files'][number] | null,
): FileSides | { fault: Fault } | null {
  const [sides, setSides] = useState<FileSides | { fault: Fault } | null>(null)
  const { root, path } = file ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: another state of the file is read anew
  useEffect(() => {
    setSides(null)
    if (root === undefined || path === undefined) return
    const abort = new AbortController()
    const { signal } = abort
    belay.session.compareFile({ a, b, root, path }, { signal }).then(
      found => signal.aborted || setSides(found),
      thrown => signal.aborted || setSides({ fault: toFault(thrown) }),
    )
    return () => abort.abort()
  }, [a, b, root, path, file?.a.hash, file?.b.hash])
  return sides
}
