import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startPulse } from './pulse.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

function pulse(lostMs: number | null = 60) {
  const told: string[] = []
  const tell = (word: string) => () => void told.push(word)
  const handlers = { ask: () => {}, onSilent: tell('silent'), onBack: tell('back'), onLost: tell('lost') }
  return { told, pulse: startPulse({ lookMs: 10, silentMs: 30, lostMs }, handlers) }
}

test('silence is said once, its end too, and after the last one nothing more', () => {
  const { told, pulse: beat } = pulse()
  vi.advanceTimersByTime(25)
  beat.heard()
  vi.advanceTimersByTime(50)
  expect(told).toEqual(['silent'])
  beat.heard()
  vi.advanceTimersByTime(500)
  expect(told).toEqual(['silent', 'back', 'silent', 'lost'])
})

test('with nobody to decide for it, it stays silent', () => {
  const { told, pulse: beat } = pulse(null)
  vi.advanceTimersByTime(10_000)
  expect(told).toEqual(['silent'])
  beat.stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('the sleep of the whole machine is no silence', () => {
  const { told, pulse: beat } = pulse()
  vi.advanceTimersByTime(20)
  beat.heard()
  const now = performance.now()
  vi.setSystemTime(Date.now() + 100_000)
  vi.spyOn(performance, 'now').mockReturnValue(now + 100_000)
  vi.advanceTimersByTime(10)
  expect(told).toEqual([])
})
