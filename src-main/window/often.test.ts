import { expect, test } from 'vitest'
import { createOften } from './often.ts'

test('three times within a minute is too often, three times in an hour is not', () => {
  const often = createOften(3, 60_000)
  expect([0, 59_000, 61_000, 125_000, 126_000].map(at => often.again(at))).toEqual([false, false, false, false, false])
  expect(often.again(127_000)).toBe(true)
  expect(often.count).toBe(3)
  often.forget()
  expect(often.again(128_000)).toBe(false)
})
