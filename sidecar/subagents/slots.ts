/** A number of places of each kind: whoever comes when all are taken waits, in order. */

export interface Slots {
  /** Answers what gives the place back (once), or null where `signal` came first. */
  take(kind: string, signal: AbortSignal): Promise<(() => void) | null>
}

export function createSlots(count: number): Slots {
  const kinds = new Map<string, { taken: number; waiting: Set<() => void> }>()
  return {
    async take(kind, signal) {
      const own = kinds.get(kind) ?? { taken: 0, waiting: new Set() }
      kinds.set(kind, own)
      if (signal.aborted) return null
      if (own.taken < count) own.taken++
      else if (!(await turnOf(own.waiting, signal))) return null
      let given = false
      return () => {
        if (given) return
        given = true
        const [next] = own.waiting
        // Handed on: as many are taken as before.
        if (next) next()
        else if (--own.taken === 0) kinds.delete(kind)
      }
    },
  }
}

/** False where the signal came first. */
function turnOf(waiting: Set<() => void>, signal: AbortSignal): Promise<boolean> {
  return new Promise(resolve => {
    const leave = (mine: boolean) => {
      waiting.delete(next)
      signal.removeEventListener('abort', abort)
      resolve(mine)
    }
    const next = () => leave(true)
    const abort = () => leave(false)
    waiting.add(next)
    signal.addEventListener('abort', abort, { once: true })
  })
}
