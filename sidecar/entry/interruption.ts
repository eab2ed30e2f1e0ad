/** Signals of a text face: the first one stops what runs, a second one does not wait for anything. */
import { endSignals } from '../base/end-signals.ts'
import type { Signal } from '../heads/headless/result.ts'

export interface Interruption {
  readonly signal: AbortSignal
  by(): Signal | null
  /** The same without a signal: nobody reads any more. */
  abort(): void
}

export function onInterruption(): Interruption {
  const stop = new AbortController()
  let by: Signal | null = null
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (by) process.exit(endSignals[name])
      by = name
      stop.abort()
    })
  }
  return { signal: stop.signal, by: () => by, abort: () => stop.abort() }
}
