/** Calls that were made while there was no connection. Each waits its time, in order, and then goes on or rejects. */
import { BelayError } from '#contract/error'

export interface WaitingCalls<L> {
  /** Rejects with `cancelled`, or with the given fault when no connection came in time. */
  wait(signal?: AbortSignal): Promise<L>
  resume(live: L): void
}

export function createWaitingCalls<L>(waitMs: number, tooLate: () => BelayError): WaitingCalls<L> {
  const waiting = new Set<(live: L) => void>()
  return {
    wait(signal) {
      return new Promise((resolve, reject) => {
        const leave = (fault: BelayError) => {
          waiting.delete(resume)
          finish()
          reject(fault)
        }
        const aborted = () => leave(new BelayError('cancelled', 'Cancelled.'))
        const timer = setTimeout(() => leave(tooLate()), waitMs)
        const finish = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', aborted)
        }
        const resume = (live: L) => {
          finish()
          resolve(live)
        }
        if (signal?.aborted) return aborted()
        signal?.addEventListener('abort', aborted)
        waiting.add(resume)
      })
    },
    resume(live) {
      const all = [...waiting]
      waiting.clear()
      for (const each of all) each(live)
    },
  }
}
