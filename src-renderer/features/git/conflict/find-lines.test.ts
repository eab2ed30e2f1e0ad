import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findEach } from './find-lines.ts'

test('runs of a text are found where they stand, the same one twice at both places', () => {
  expect(findEach(['a', 'b', 'x', 'a', 'b'], [['a', 'b'], [], ['a', 'b'], ['z']])).toEqual([
    { from: 1, to: 2 },
    null,
    { from: 4, to: 5 },
    null,
  ])
})

test('what is found holds the run', () => {
  const line = fc.constantFrom('a', 'b', '')
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      fc.array(fc.array(line, { maxLength: 3 }), { maxLength: 4 }),
      (lines, runs) => {
        findEach(lines, runs).forEach((span, at) => {
          if (span) expect(lines.slice(span.from - 1, span.to)).toEqual(runs[at])
        })
      },
    ),
  )
})
