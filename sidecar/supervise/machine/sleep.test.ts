import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchSleep } from './sleep.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] }))
afterEach(() => void vi.useRealTimers())

test('a night is a sleep, told once; a busy moment is none, nor a clock set back', () => {
  let slept = 0
  const end = watchSleep(() => slept++)
  vi.advanceTimersByTime(60_000)
  vi.setSystemTime(Date.now() + 9000)
  vi.advanceTimersByTime(20_000)
  vi.setSystemTime(Date.now() - 3_600_000)
  vi.advanceTimersByTime(20_000)
  expect(slept).toBe(0)
  vi.setSystemTime(Date.now() + 8 * 3_600_000)
  vi.advanceTimersByTime(60_000)
  expect(slept).toBe(1)
  end()
  expect(vi.getTimerCount()).toBe(0)
})
