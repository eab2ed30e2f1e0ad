/** The pause between two tries: 100 ms, doubling to 5 s, shaken so that many windows do not come back in one beat. */

const FIRST_MS = 100
const LONGEST_MS = 5000
/** A success that ends sooner than this does not count: a process that crashes at once is not asked in a tight loop. */
const LASTING_MS = 2000

export interface Retry {
  /** Resolves when the next try is due. */
  pause(): Promise<void>
  /** The next try is due now, and the pauses begin from the shortest. */
  now(): void
  succeeded(): void
}

export function createRetry(random: () => number = Math.random): Retry {
  let failures = 0
  let succeededAt = Number.POSITIVE_INFINITY
  let wake: (() => void) | null = null
  return {
    pause() {
      if (performance.now() - succeededAt > LASTING_MS) failures = 0
      succeededAt = Number.POSITIVE_INFINITY
      const ms = Math.min(LONGEST_MS, FIRST_MS * 2 ** failures++) * (0.5 + random() / 2)
      return new Promise(resolve => {
        const timer = setTimeout(() => wake?.(), ms)
        wake = () => {
          clearTimeout(timer)
          wake = null
          resolve()
        }
      })
    },
    now() {
      failures = 0
      wake?.()
    },
    succeeded() {
      succeededAt = performance.now()
    },
  }
}
