/** What a person waits for goes before what nobody waits for. */
import { setTimeout as after } from 'node:timers/promises'

export interface Busy {
  during<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when nobody waits, and in any case after a while. Never rejects. */
  calm(): Promise<void>
}

const MOST_MS = 1000

export function createBusy(): Busy {
  let count = 0
  const waiting: (() => void)[] = []
  return {
    async during(work) {
      count += 1
      try {
        return await work()
      } finally {
        count -= 1
        if (count === 0) for (const resume of waiting.splice(0)) resume()
      }
    },
    async calm() {
      if (count === 0) return
      const timeout = new AbortController()
      const calm = new Promise<void>(resolve => void waiting.push(resolve))
      await Promise.race([calm, after(MOST_MS, undefined, { signal: timeout.signal, ref: false }).catch(() => {})])
      timeout.abort()
    },
  }
}
