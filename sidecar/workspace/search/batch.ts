/** The first goes at once, the rest in batches: something to look at early, and few messages after it. */
const MOST_IN_A_BATCH = 200
const BATCH_MS = 40

export interface Batch<T> {
  add(item: T): void
  /** Sends the rest. */
  end(): void
}

export function createBatch<T>(send: (items: T[]) => void): Batch<T> {
  let waiting: T[] = []
  let sentAt = 0
  const flush = () => {
    if (waiting.length > 0) send(waiting)
    waiting = []
    sentAt = Date.now()
  }
  const timer = setInterval(flush, BATCH_MS)
  return {
    add(item) {
      waiting.push(item)
      if (waiting.length >= MOST_IN_A_BATCH || Date.now() - sentAt > BATCH_MS) flush()
    },
    end() {
      clearInterval(timer)
      flush()
    },
  }
}
