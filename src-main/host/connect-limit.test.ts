/** A flood of questions for ports ends at the limit, for the window that asks and for no other, and not for ever. */
import { expect, test } from 'vitest'
import { createConnectLimit } from './connect-limit.ts'

test('thirty in ten seconds, then none until the first are forgotten', () => {
  let now = 1000
  let floods = 0
  const may = createConnectLimit(
    () => {
      floods += 1
    },
    () => now,
  )
  const flood = {}
  const other = {}
  expect(Array.from({ length: 1000 }, () => may(flood)).filter(Boolean)).toHaveLength(30)
  expect(may(other)).toBe(true)
  expect(floods).toBe(1)
  now += 9_999
  expect(may(flood)).toBe(false)
  now += 2
  expect(may(flood)).toBe(true)
})
