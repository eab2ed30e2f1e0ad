/** Ripgrep's bytes become places in text, whatever the text; no place of a long line is left out. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { globs, wantedBy } from './globs.ts'
import { readRecord, windowsOf } from './record.ts'

const record = (lines: string, places: { start: number; end: number }[], line = 2) =>
  JSON.stringify({
    type: 'match',
    data: { path: { text: './a' }, lines: { text: lines }, line_number: line, submatches: places },
  })
const bytesTo = (text: string, units: number) => Buffer.byteLength(text.slice(0, units))

it('offsets in bytes become offsets in units, windows hold every place', () => {
  const piece = fc.constantFrom('a', 'ü', '漢', '🧗', ' ', 'needle', 'x'.repeat(900))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), pieces => {
      const text = pieces.join('')
      const units = [...text.matchAll(/needle/g)].map(({ index }) => ({ start: index, end: index + 6 }))
      const told = units.map(({ start, end }) => ({ start: bytesTo(text, start), end: bytesTo(text, end) }))
      const found = readRecord(record(`${text}\r\n`, told), () => ({}), 1000)
      expect(found?.places.map(({ start, end }) => ({ start, end }))).toEqual(units)
      const windows = windowsOf(found ?? { lines: '', places: [] })
      expect(
        windows.flatMap(({ text: part, cutBefore = 0, ranges }) =>
          ranges.map(([from, to]) => [from + cutBefore, part.slice(from, to), part.length <= 1000]),
        ),
      ).toEqual(units.map(({ start }) => [start, 'needle', true]))
    }),
  )
})

it('a byte order mark is no part of the first line; bytes that are no UTF-8 are shown one by one', () => {
  const marked = readRecord(record('\ufeffneedle\n', [{ start: 3, end: 9 }], 1), () => ({}), 10)
  expect([marked?.lines, marked?.places]).toEqual(['needle\n', [{ start: 0, end: 6, groups: {} }]])
  const bytes = Buffer.from('caf\xe9 needle\n', 'latin1').toString('base64')
  const told = record('', [{ start: 5, end: 11 }]).replace('{"text":""}', `{"bytes":"${bytes}"}`)
  expect(readRecord(told, () => ({}), 10)).toMatchObject({ lines: 'café needle\n', places: [{ start: 5, end: 11 }] })
})

it('words about files mean to us what they mean to ripgrep', () => {
  expect(globs('*.{ts,tsx}, src/, ./top')).toEqual([
    '**/*.{ts,tsx}',
    '**/*.{ts,tsx}/**',
    '**/src',
    '**/src/**',
    '/top',
    '/top/**',
  ])
  const wanted = wantedBy('*.{ts,tsx}, ./docs', 'test')
  expect(['a.ts', 'x/b.tsx', 'b.js', 'docs/x.md', 'y/docs/x.md', 'test/a.ts'].map(wanted)).toEqual([
    true,
    true,
    false,
    true,
    false,
    false,
  ])
  expect(wantedBy('', '')('anything')).toBe(true)
})
