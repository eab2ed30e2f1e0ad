/** The time that an answer may take, by four budgets: until its first word, between two, for the whole, and to close when it is complete. */
import type { ChatFailure } from '#contract/chat-event'
import type { Emitter } from '../base/emitter.ts'
import { failure } from './failure.ts'

export interface Budgets {
  /** ms until the first frame. */
  readonly firstMs: number
  /** ms between frames. */
  readonly idleMs: number
  readonly totalMs: number
  /** ms that a connection may stay open, without a word, when the answer is complete; 2000 where not said. */
  readonly closingMs?: number
  /** ms that the other end has to be heard of again after this machine has slept; 10,000 where not said. */
  readonly awakeMs?: number
}

/** `baseMs`: a person's patience. The first frame may take longer for a long request; gaps and the whole have their own bounds. */
export function budgetsFor(requestChars: number, baseMs = 120_000): Budgets {
  const long = Math.min(5, Math.max(1, Math.ceil(requestChars / 100_000)))
  return {
    firstMs: Math.min(baseMs * long, 600_000),
    idleMs: Math.min(baseMs, 60_000),
    totalMs: Math.min(Math.max(baseMs * 10, 600_000), 1_500_000),
  }
}

const AWAKE_MS = 10_000
/** A timer that comes later than this was slept over. */
const OVERSLEPT_MS = 5000

export interface Pace {
  /** Something came: the next has its own time. */
  heard(): void
  /** The answer is complete: only what trails it is waited for. */
  completed(): void
  /** Why `onLate` was called; null before. */
  readonly late: ChatFailure | null
  /** To be called however the answer ends. */
  end(): void
}

/** Runs from now on. `onLate` is called once, when a budget is used up. `resumed` is told when this machine has slept. */
export function createPace(
  provider: string,
  budgets: Budgets,
  onLate: () => void,
  resumed?: Emitter<void> | undefined,
): Pace {
  let late: ChatFailure | null = null
  const deadline = (ms: number, words: string, code: 'timeout' | 'network' = 'timeout') => {
    const armedAt = performance.now()
    return setTimeout(() => {
      // On some systems the clock goes on while the machine sleeps.
      if (performance.now() - armedAt - ms > OVERSLEPT_MS) return slept()
      const text = `${provider} ${words} What was answered so far is kept. Try again, or choose another model.`
      late ??= failure(code, text)
      onLate()
    }, ms)
  }
  const seconds = (ms: number) => Math.round(ms / 1000)
  const whole = () => deadline(budgets.totalMs, `did not finish within ${seconds(budgets.totalMs)} s.`)
  let total = whole()
  let next = deadline(budgets.firstMs, `sent nothing for ${seconds(budgets.firstMs)} s.`)
  const nextWithin = (ms: number, words: string, code?: 'timeout' | 'network') => {
    clearTimeout(next)
    next = deadline(ms, words, code)
  }
  const slept = () => {
    clearTimeout(total)
    total = whole()
    nextWithin(budgets.awakeMs ?? AWAKE_MS, 'said nothing any more after this machine had slept.', 'network')
  }
  const unhear = resumed?.on(slept)
  const silent = `went silent for ${seconds(budgets.idleMs)} s in the middle of its answer.`
  return {
    heard: () => nextWithin(budgets.idleMs, silent),
    completed: () => nextWithin(budgets.closingMs ?? 2000, 'kept the line open after its answer.'),
    get late() {
      return late
    },
    end() {
      clearTimeout(total)
      clearTimeout(next)
      unhear?.()
    },
  }
}
