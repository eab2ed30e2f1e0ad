/**
 * Whether a process that lives still answers: asked again and again over its channel. Promise: time in which this process
 * itself did not run (a sleeping machine) is not held against the other.
 */

export interface PulseTiming {
  /** Milliseconds between two questions. */
  readonly lookMs: number
  /** Without a word for this long: said to be silent. */
  readonly silentMs: number
  /** Without a word for this long: given up. Null: never, a person decides. */
  readonly lostMs: number | null
}

export interface Pulse {
  /** It said something, whatever it was. */
  heard(): void
  stop(): void
}

/** Asks from now on. `onSilent` and `onBack` take turns; after `onLost`, once, nothing more is told. */
export function startPulse(
  timing: PulseTiming,
  tell: { ask(): void; onSilent(): void; onBack(): void; onLost(): void },
): Pulse {
  let heardAt = performance.now()
  let lookedAt = heardAt
  let silent = false
  const timer = setInterval(() => {
    const now = performance.now()
    const overslept = now - lookedAt - timing.lookMs
    lookedAt = now
    if (overslept > timing.lookMs) heardAt += overslept
    const quietMs = now - heardAt
    if (timing.lostMs !== null && quietMs >= timing.lostMs) {
      clearInterval(timer)
      return tell.onLost()
    }
    if (!silent && quietMs >= timing.silentMs) {
      silent = true
      tell.onSilent()
    }
    tell.ask()
  }, timing.lookMs)
  timer.unref()
  return {
    heard() {
      heardAt = performance.now()
      if (!silent) return
      silent = false
      tell.onBack()
    },
    stop: () => clearInterval(timer),
  }
}
