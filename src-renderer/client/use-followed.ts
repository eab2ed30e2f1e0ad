/** A snapshot that stays fresh while its component is there, for pages that nobody else needs the data of. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { BelayEvent } from '#contract/index'
import { follow } from './index.ts'

export interface Followed<T> {
  readonly value: T | null
  /** Why the last look failed; what is known stays. */
  readonly fault: string | null
  /** Asks again now. */
  readonly again: () => void
}

/** `open` must be the same function as long as it asks for the same: another one starts anew. */
export function useFollowed<T>(open: (signal: AbortSignal) => Promise<T>, changed: BelayEvent): Followed<T> {
  const [state, setState] = useState<{ value: T | null; fault: string | null }>({ value: null, fault: null })
  const following = useRef<ReturnType<typeof follow> | null>(null)
  useEffect(() => {
    const current = follow<T>({
      open,
      onSnapshot: value => setState({ value, fault: null }),
      onFailed: ({ message }) => setState(({ value }) => ({ value, fault: message })),
      events: { [changed]: () => 'reopen' as const },
    })
    following.current = current
    return () => current.dispose()
  }, [open, changed])
  const again = useCallback(() => following.current?.reopen(), [])
  return { ...state, again }
}
