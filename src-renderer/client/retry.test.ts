/** Pauses grow, are shaken, start anew after a lasting success, and end on demand. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createRetry } from './retry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function measure(retry: ReturnType<typeof createRetry>): Promise<number> {
  const from = performance.now()
  let till = -1
  void retry.pause().then(() => {
    till = performance.now()
  })
  while (till < 0) await vi.advanceTimersByTimeAsync(1)
  return Math.round(till - from)
}

it('doubles from 100 ms to 5 s, between half and whole', async () => {
  const whole = createRetry(() => 1)
  const pauses: number[] = []
  for (let i = 0; i < 8; i++) pauses.push(await measure(whole))
  expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000])
  expect(await measure(createRetry(() => 0))).toBe(50)
})

it('starts anew after a success that lasted, not after one that did not', async () => {
  const retry = createRetry(() => 1)
  await measure(retry)
  retry.succeeded()
  await vi.advanceTimersByTimeAsync(100)
  expect(await measure(retry)).toBe(200)
  retry.succeeded()
  await vi.advanceTimersByTimeAsync(3000)
  expect(await measure(retry)).toBe(100)
})

it('ends a pause on demand', async () => {
  const retry = createRetry(() => 1)
  const pause = retry.pause()
  retry.now()
  await pause
  retry.now()
})
