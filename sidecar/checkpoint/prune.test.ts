/** What is too old, also where clocks jump. */
import { expect, test } from 'vitest'
import type { Line } from './journal.ts'
import { tooOld } from './prune.ts'

const DAY = 24 * 3_600_000
const now = 1000 * DAY
const limits = { days: 30 }
const lines = (...days: number[]) => days.map((day, at) => ({ seq: at + 1, at: day * DAY }) as Line)

test('lines go by their age, the oldest first', () => {
  expect(tooOld(lines(900, 960, 980, 1000), now, limits)).toBe(2)
  expect(tooOld(lines(990, 1000), now, limits)).toBe(0)
  expect(tooOld([], now, limits)).toBe(0)
})

test('a clock that was behind for a while takes nothing with it, one that is ahead nothing of what is young', () => {
  expect(tooOld(lines(990, 300, 1000), now, limits)).toBe(0)
  expect(tooOld(lines(990, 1000), 5000 * DAY, limits)).toBe(0)
  expect(tooOld(lines(960, 5000, 1000), now, limits)).toBe(1)
})

test('there are never more than a journal should hold', () => {
  const many = Array.from({ length: 200_010 }, (_, at) => ({ seq: at + 1, at: now }) as Line)
  expect(tooOld(many, now, limits)).toBe(10)
})
