/** How long is waited before another try: longer each time, never in step with others, never less than was asked for. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ErrorCode } from '#contract/error'
import { MAX_RETRIES, retryDelayMs } from './retry.ts'

const failed = (code: ErrorCode, retryAfterMs: number | null = null) => ({
  ...{ code, message: '', status: null, retryAfterMs },
})
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

it('each wait is longer than the one before, whatever chance says, and chance has its part', () =>
  fc.assert(
    fc.property(fc.array(chance, { minLength: MAX_RETRIES, maxLength: MAX_RETRIES }), chances => {
      const waits = chances.map((random, attempt) => retryDelayMs(failed('overloaded'), attempt, 1000, () => random))
      for (const [attempt, ms] of waits.entries()) {
        expect(ms).toBeGreaterThanOrEqual(750 * 2 ** attempt)
        expect(ms).toBeLessThanOrEqual(1250 * 2 ** attempt)
      }
      const spread = [0, 0.99].map(random => retryDelayMs(failed('network'), 0, 1000, () => random))
      expect(spread[0]).not.toBe(spread[1])
    }),
  ))

it('never before the time that was asked for, and not at all where that is long', () =>
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 600_000 }), chance, (asked, random) => {
      const ms = retryDelayMs(failed('rate_limit', asked), 0, 1000, () => random)
      if (asked > 120_000) expect(ms).toBeNull()
      else expect(ms).toBeGreaterThanOrEqual(asked)
    }),
  ))

it('only for what passes by itself, and not for ever', () => {
  for (const code of ['auth', 'bad_request', 'context_too_long', 'content_filter', 'truncated', 'timeout'] as const)
    expect(retryDelayMs(failed(code), 0), code).toBeNull()
  expect(retryDelayMs(failed('network'), MAX_RETRIES - 1)).not.toBeNull()
  expect(retryDelayMs(failed('network'), MAX_RETRIES)).toBeNull()
})
