import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GitHunk } from '#contract/git'
import { blockAt, blocksOf, linesIn, linesOf } from './blocks.ts'

const kinds = { ' ': 'context', '+': 'added', '-': 'removed' } as const

/** Hunks from signs, one string each, with `gap` lines between them. */
function hunksOf(all: readonly string[], gap = 5): GitHunk[] {
  let [oldStart, newStart, firstLine] = [1, 1, 0]
  return all.map(signs => {
    const lines = [...signs].map(sign => ({ kind: kinds[sign as keyof typeof kinds], text: sign }))
    const oldLines = lines.filter(({ kind }) => kind !== 'added').length
    const newLines = lines.filter(({ kind }) => kind !== 'removed').length
    const hunk = { oldStart, oldLines, newStart, newLines, heading: '', firstLine, lines }
    oldStart += oldLines + gap
    newStart += newLines + gap
    firstLine += lines.length
    return hunk
  })
}

test('runs of changed lines are blocks, with the lines they stand at', () => {
  const [changed, added] = blocksOf({ hunks: hunksOf([' -+ + ']) })
  expect(changed).toEqual({
    removed: [{ number: 1, line: 2 }],
    added: [{ number: 2, line: 2 }],
    oldLine: 2,
    newLine: 2,
  })
  expect(added).toEqual({ removed: [], added: [{ number: 4, line: 4 }], oldLine: 4, newLine: 4 })
})

test('a selection takes a line with the one it replaces; beyond the last pair, what is left goes with the last', () => {
  const blocks = blocksOf({ hunks: hunksOf([' --++ ', ' ---+ ', ' - ']) })
  expect(linesIn(blocks, { side: 'new', from: 3, to: 3 })).toEqual([2, 4])
  expect(linesIn(blocks, { side: 'old', from: 2, to: 2 })).toEqual([1])
  expect(linesIn(blocks, { side: 'new', from: 11, to: 11 })).toEqual([7, 8, 9, 10])
  expect(linesIn(blocks, { side: 'new', from: 18, to: 18 })).toEqual([13])
})

const signs = fc.array(
  fc.array(fc.constantFrom(' ', '+', '-'), { minLength: 1, maxLength: 12 }).map(all => all.join('')),
  {
    maxLength: 4,
  },
)

test('blocks hold every changed line once; selecting everything takes them all; each added line takes itself', () => {
  fc.assert(
    fc.property(signs, given => {
      const hunks = hunksOf(given)
      const changed = hunks.flatMap(({ firstLine, lines }) =>
        lines.flatMap(({ kind }, at) => (kind === 'context' ? [] : [firstLine + at])),
      )
      const blocks = blocksOf({ hunks })
      const sorted = (numbers: number[]) => numbers.sort((a, b) => a - b)
      expect(sorted(blocks.flatMap(linesOf))).toEqual(changed)
      expect(sorted(linesIn(blocks, { side: 'new', from: 0, to: 1e6 }))).toEqual(changed)
      for (const block of blocks) {
        expect(blockAt(blocks, 'new', block.newLine)).not.toBeNull()
        for (const { number, line } of block.added)
          expect(linesIn(blocks, { side: 'new', from: line, to: line })).toContain(number)
        for (const { number, line } of block.removed)
          expect(linesIn(blocks, { side: 'old', from: line, to: line })).toEqual([number])
      }
    }),
  )
})
