/** When a failed model call is worth another try: only before its first word, only for what passes by itself. */
import type { ChatFailure } from '#contract/chat-event'

export const MAX_RETRIES = 4
/** A provider that asks for more patience than this gets none: the person decides. */
const LONGEST_WAIT_MS = 120_000
const passing = new Set<string>(['rate_limit', 'overloaded', 'network'])

/** Milliseconds to wait before try `attempt` + 1 (attempts count from 0), or null: do not try again. */
export function retryDelayMs(
  failure: ChatFailure,
  attempt: number,
  baseMs = 1000,
  random: () => number = Math.random,
): number | null {
  if (attempt >= MAX_RETRIES || !passing.has(failure.code)) return null
  const asked = failure.retryAfterMs
  if (asked !== null) return asked > LONGEST_WAIT_MS ? null : Math.round(asked + random() * baseMs * 0.25)
  return Math.round(baseMs * 2 ** attempt * (0.75 + random() * 0.5))
}

/** Whether another model is worth a try when this one's tries are used up: the fault is not the request's. */
export const mayFallBack = ({ code }: ChatFailure): boolean => passing.has(code) || code === 'timeout'
