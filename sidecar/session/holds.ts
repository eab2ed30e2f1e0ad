/** Clients of one session that cannot take any more for now: while there is one, no step of a turn begins. */

export interface Holds {
  /** Also of a client that has gone: then it holds nothing. */
  set(clientId: string, held: boolean): void
  /** Resolves when nobody holds any more, or at the abort. Never rejects. */
  over(signal: AbortSignal): Promise<void>
}

export function createHolds(): Holds {
  const holders = new Set<string>()
  const waiting = new Set<() => void>()
  return {
    set(clientId, held) {
      if (held) holders.add(clientId)
      else holders.delete(clientId)
      if (holders.size === 0) for (const go of waiting) go()
    },
    async over(signal) {
      if (holders.size === 0 || signal.aborted) return
      await new Promise<void>(resolve => {
        const go = () => {
          waiting.delete(go)
          signal.removeEventListener('abort', go)
          resolve()
        }
        waiting.add(go)
        signal.addEventListener('abort', go)
      })
    },
  }
}
