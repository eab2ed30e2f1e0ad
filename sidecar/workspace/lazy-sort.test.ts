import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lazySorted } from './lazy-sort.ts'

test('any slices in any order are those of the sorted list', () => {
  const slice = fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 60 }))
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 60 }),
      fc.array(slice, { maxLength: 6 }),
      (numbers, slices) => {
        const pairs = numbers.map((value, at) => [value, at] as const)
        const compare = (a: readonly [number, number], b: readonly [number, number]) => a[0] - b[0] || a[1] - b[1]
        const whole = [...pairs].sort(compare)
        const lazy = lazySorted([...pairs], compare)
        for (const [a, b] of slices)
          expect(lazy.slice(Math.min(a, b), Math.max(a, b))).toEqual(whole.slice(Math.min(a, b), Math.max(a, b)))
        expect(lazy.slice(0, 100)).toEqual(whole)
      },
    ),
    { numRuns: 500 },
  )
})
