/** The laws of the algebra that two sides of a wire rely on: rebasing converges, inverting restores, composing is doing both. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TextChange } from './document.ts'
import { applyChanges, compose, invertChanges, isChangeSet, replacement, transform } from './document-transform.ts'

const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', '😀', 'é'), maxLength: 30 })

/** A change set that fits a text of `length`; changes may touch each other, insert nothing or delete nothing. */
const changesOn = (length: number): fc.Arbitrary<TextChange[]> =>
  fc
    .array(
      fc.record({
        a: fc.nat(length),
        b: fc.nat(length),
        text: fc.string({ unit: fc.constantFrom('x', 'y', '\n'), maxLength: 4 }),
      }),
      {
        maxLength: 4,
      },
    )
    .map(parts => {
      const ends = parts.flatMap(part => [part.a, part.b]).sort((x, y) => x - y)
      return parts.map((part, i) => ({ from: ends[2 * i] ?? 0, to: ends[2 * i + 1] ?? 0, text: part.text }))
    })

const withChanges = (count: number) =>
  text.chain(before =>
    fc.tuple(fc.constant(before), fc.array(changesOn(before.length), { minLength: count, maxLength: count })),
  )

const runs = { numRuns: 500 }

describe('text changes', () => {
  it('converge, whichever came first', () => {
    fc.assert(
      fc.property(withChanges(2), ([before, [a = [], b = []]]) => {
        const overA = transform(b, a, 'after')
        const overB = transform(a, b, 'before')
        const left = applyChanges(before, a)
        const right = applyChanges(before, b)
        expect(isChangeSet(overA, left.length) && isChangeSet(overB, right.length)).toBe(true)
        expect(applyChanges(left, overA)).toBe(applyChanges(right, overB))
      }),
      runs,
    )
  })

  it('keep every inserted character of both sides', () => {
    fc.assert(
      fc.property(withChanges(2), ([before, [a = [], b = []]]) => {
        const after = applyChanges(applyChanges(before, a), transform(b, a, 'after'))
        const count = (of: string, mark: string) => of.split(mark).length - 1
        const inserted = [...a, ...b].map(change => change.text).join('')
        for (const mark of ['x', 'y']) expect(count(after, mark)).toBe(count(inserted, mark))
      }),
      runs,
    )
  })

  it('are taken back by their inverse', () => {
    fc.assert(
      fc.property(withChanges(1), ([before, [a = []]]) => {
        const after = applyChanges(before, a)
        const inverse = invertChanges(before, a)
        expect(isChangeSet(inverse, after.length)).toBe(true)
        expect(applyChanges(after, inverse)).toBe(before)
      }),
      runs,
    )
  })

  it('compose into one set that does both', () => {
    fc.assert(
      fc.property(
        withChanges(1).chain(([before, [a = []]]) =>
          fc.tuple(fc.constant(before), fc.constant(a), changesOn(applyChanges(before, a).length)),
        ),
        ([before, a, b]) => {
          const both = compose(a, b)
          expect(isChangeSet(both, before.length)).toBe(true)
          expect(applyChanges(before, both)).toBe(applyChanges(applyChanges(before, a), b))
        },
      ),
      runs,
    )
  })

  it('rebase over a composition as over its parts, in result', () => {
    fc.assert(
      fc.property(
        withChanges(2).chain(([before, [a = [], c = []]]) =>
          fc.tuple(fc.constant(before), fc.constant(a), changesOn(applyChanges(before, a).length), fc.constant(c)),
        ),
        ([before, a, b, c]) => {
          const base = applyChanges(applyChanges(before, a), b)
          const stepwise = transform(transform(c, a, 'after'), b, 'after')
          const back = transform(b, transform(c, a, 'after'), 'before')
          const other = applyChanges(applyChanges(applyChanges(before, c), transform(a, c, 'before')), back)
          expect(applyChanges(base, stepwise)).toBe(other)
        },
      ),
      runs,
    )
  })

  it('name the part that differs, without cutting a line end or a character', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const changes = replacement(before, after)
        expect(applyChanges(before, changes)).toBe(after)
        for (const { from, to, text } of changes) {
          const joints = [before.slice(from - 1, from + 1), before.slice(to - 1, to + 1)]
          if (from > 0 && to < before.length) expect(joints).not.toContain('\r\n')
          expect(/\p{Surrogate}/u.test(text)).toBe(false)
        }
      }),
      runs,
    )
  })
})
