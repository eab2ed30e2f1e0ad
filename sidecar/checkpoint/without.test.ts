/** Laws of taking one writer's lines out of a text: others keep what they wrote, and nothing is invented. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mergeLines, type Written, without } from './without.ts'

const line = fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n')
const text = fc.array(line, { maxLength: 8 }).map(lines => lines.join(''))
const linesOf = (of: string) => of.split('\n').filter(Boolean)

/** Each step writes lines that nobody else writes, in the place of some, so that whose they are can be told afterwards. */
const steps = fc.array(fc.record({ mine: fc.boolean(), at: fc.nat(20), drop: fc.nat(2), add: fc.nat(2) }), {
  minLength: 1,
  maxLength: 10,
})
type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never

function written(made: Steps): Written[] {
  let now = ['base 1', 'base 2', 'base 3', 'base 4', 'base 5', 'base 6']
  return made.map(({ mine, at, drop, add }, index) => {
    const before = now
    const from = at % (now.length + 1)
    const fresh = Array.from({ length: add }, (_, i) => `${mine ? 'mine' : 'theirs'} ${index} ${i}`)
    now = now.toSpliced(from, drop, ...fresh)
    return { before: `${before.join('\n')}\n`, after: `${now.join('\n')}\n`, mine }
  })
}

it('a merge with nothing on one side is the other side', () => {
  fc.assert(
    fc.property(text, text, (base, other) => {
      expect(mergeLines(base, other, base)).toEqual({ text: other, conflicts: 0 })
      expect(mergeLines(base, base, other)).toEqual({ text: other, conflicts: 0 })
      expect(mergeLines(base, other, other)).toEqual({ text: other, conflicts: 0 })
    }),
  )
})

it('every line of others that still stands is kept; without a conflict none of mine is left', () => {
  let merged = 0
  fc.assert(
    fc.property(steps, made => {
      const writes = written(made)
      const now = linesOf(writes.at(-1)?.after ?? '')
      const found = without(writes)
      const left = linesOf(found.text)
      const ofOthers = now.filter(each => each.startsWith('theirs'))
      expect(left.filter(each => ofOthers.includes(each))).toEqual(ofOthers)
      for (const each of left)
        expect(writes.some(step => linesOf(step.before).concat(linesOf(step.after)).includes(each))).toBe(true)
      if (found.conflicts > 0) return
      merged++
      expect(left.filter(each => each.startsWith('mine'))).toEqual([])
    }),
  )
  expect(merged).toBeGreaterThan(20)
})
