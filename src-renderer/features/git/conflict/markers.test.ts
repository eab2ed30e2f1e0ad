import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findConflicts, linesTaken } from './markers.ts'

const open = '<'.repeat(7)
const bar = '|'.repeat(7)
const middle = '='.repeat(7)
const close = '>'.repeat(7)

test('both shapes git writes are found, with the names beside the markers', () => {
  const lines = ['a', `${open} HEAD`, 'mine', middle, 'yours', `${close} topic`, 'b', `${open} HEAD`, `${bar} 1a2b3c`]
  lines.push('old', middle, `${close} topic`)
  expect(findConflicts(lines)).toEqual([
    {
      whole: { from: 2, to: 6 },
      ours: { from: 3, to: 3 },
      base: null,
      theirs: { from: 5, to: 5 },
      oursName: 'HEAD',
      theirsName: 'topic',
    },
    {
      whole: { from: 8, to: 12 },
      ours: { from: 9, to: 8 },
      base: { from: 10, to: 10 },
      theirs: { from: 12, to: 11 },
      oursName: 'HEAD',
      theirsName: 'topic',
    },
  ])
})

test('what only looks like a marker is text', () => {
  expect(findConflicts([`${open}x`, middle, `${close} a`])).toEqual([])
  expect(findConflicts([`${open} a`, 'b', `${close} c`])).toEqual([])
  expect(findConflicts(['# Title', middle, 'text'])).toEqual([])
})

test('no side loses a line: taking one gives that side, both give all', () => {
  const words = fc.array(fc.constantFrom('', 'a', '=', '====', '<<', '>> b'), { maxLength: 4 })
  fc.assert(
    fc.property(words, words, words, words, fc.boolean(), (before, ours, theirs, old, withBase) => {
      const base = withBase ? [`${bar} base`, ...old] : []
      const lines = [...before, `${open} HEAD`, ...ours, ...base, middle, ...theirs, `${close} topic`, 'end']
      const [conflict] = findConflicts(lines)
      if (!conflict) throw new Error('not found')
      expect(linesTaken(lines, conflict, 'ours')).toEqual(ours)
      expect(linesTaken(lines, conflict, 'theirs')).toEqual(theirs)
      expect(linesTaken(lines, conflict, 'both')).toEqual([...ours, ...theirs])
      expect(linesTaken(lines, conflict, 'bothTheirsFirst')).toEqual([...theirs, ...ours])
      expect(linesTaken(lines, conflict, 'base')).toEqual(withBase ? old : [])
      expect(conflict.whole).toEqual({ from: before.length + 1, to: lines.length - 1 })
    }),
  )
})
