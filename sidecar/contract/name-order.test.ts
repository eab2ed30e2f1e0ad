import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareByKey, compareNames } from './name-order.ts'

test('numbers by value, case and accents folded', () => {
  const names = ['b', 'a10', 'A9', 'a1', 'é', 'e', 'f', 'a01', 'Zoo', '10', '9', '_x', 'a.b']
  expect([...names].sort(compareNames)).toEqual([
    '9',
    '10',
    '_x',
    'a.b',
    'a01',
    'a1',
    'A9',
    'a10',
    'b',
    'e',
    'é',
    'f',
    'Zoo',
  ])
})

test('a total order', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'B', '0', '1', '9', '.', '_', 'é', '😀'), maxLength: 6 })
  fc.assert(
    fc.property(name, name, name, (a, b, c) => {
      expect(Math.sign(compareNames(a, b))).toBe(-Math.sign(compareNames(b, a)) + 0)
      expect(compareNames(a, b) === 0).toBe(a === b)
      if (compareNames(a, b) < 0 && compareNames(b, c) < 0) expect(compareNames(a, c)).toBeLessThan(0)
    }),
  )
})

test('with or without keys the same order', () => {
  const name = fc.string({
    unit: fc.constantFrom('a', 'A', 'b', '0', '1', '9', '.', '~', 'é', 'É', '中', '😀', '\n'),
    maxLength: 7,
  })
  fc.assert(
    fc.property(name, name, (a, b) => {
      expect(Math.sign(compareNames(a, b))).toBe(Math.sign(compareByKey(a, b)))
    }),
    { numRuns: 3000 },
  )
})
