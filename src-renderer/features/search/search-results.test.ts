import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RootId } from '#contract/id'
import type { SearchMatch } from '#contract/workspace'
import { without } from './replaced-results.ts'
import { noResults, piecesOf, placesIn, resultRows, withMatches } from './search-results.ts'

const rootId = RootId.parse('root_x')
const found = (path: string, line: number, text = 'needle', ranges: [number, number][] = [[0, 6]]): SearchMatch => ({
  path: { rootId, path },
  line,
  text,
  ranges,
  first: 0,
})

test('batches gather by file; rows follow, closed files show their head only', () => {
  const results = withMatches(withMatches(noResults, [found('a', 1), found('b', 1)]), [found('a', 2)])
  expect(results.places).toBe(3)
  const rows = resultRows(results, new Set([`${rootId}\0b`]))
  expect(rows.map(row => (row.kind === 'file' ? row.file.path.path : row.match.line))).toEqual(['a', 1, 2, 'b'])
})

test('how matches are cut into batches makes no difference', () => {
  const match = fc.record({ path: fc.constantFrom('a', 'b', 'c'), line: fc.integer({ min: 1, max: 99 }) })
  fc.assert(
    fc.property(fc.array(match), fc.nat(), (all, cut) => {
      const matches = all.map(each => found(each.path, each.line))
      const at = matches.length === 0 ? 0 : cut % matches.length
      const twice = withMatches(withMatches(noResults, matches.slice(0, at)), matches.slice(at))
      expect(twice).toEqual(withMatches(noResults, matches))
    }),
  )
})

test('pieces leave the indent out, mark every hit and start near the first', () => {
  expect(
    piecesOf(
      found('a', 1, '    let needle = needle', [
        [8, 14],
        [17, 23],
      ]),
    ),
  ).toEqual([
    { text: 'let ', kind: 'plain' },
    { text: 'needle', kind: 'hit' },
    { text: ' = ', kind: 'plain' },
    { text: 'needle', kind: 'hit' },
  ])
  const far = piecesOf(found('a', 1, `${'x'.repeat(200)}needle`, [[200, 206]]))
  expect(far[0]).toEqual({ text: '…', kind: 'plain' })
  expect(far.at(-1)).toEqual({ text: 'needle', kind: 'hit' })
})

test('what is replaced leaves the list, and what is left of its lines shows the text as it is now', () => {
  const line = fc.array(fc.constantFrom('needle', ' ', 'ab', 'x'), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 5 }),
      fc.func(fc.boolean()),
      fc.constantFrom('', 'pin', 'long needle pin'),
      (lines, chosen, put) => {
        let first = 0
        const matches = lines.flatMap((pieces, at) => {
          const text = pieces.join('')
          const ranges = [...text.matchAll(/needle/g)].map(({ index }): [number, number] => [index, index + 6])
          const match = { ...found('a', at + 1, text, ranges), first }
          first += ranges.length
          return ranges.length > 0 ? [match] : []
        })
        const gone = new Set(Array.from({ length: first }, (_, at) => at).filter(at => chosen(at)))
        const left = without(withMatches(noResults, matches), gone, () => put)
        expect(left.places).toBe(first - gone.size)
        let number = 0
        const now = lines.map(pieces =>
          pieces.map(piece => (piece === 'needle' && gone.has(number++) ? put : piece)).join(''),
        )
        const rows = resultRows(left, new Set(), true).filter(row => row.kind === 'match')
        expect(rows.flatMap(placesIn)).toEqual(Array.from({ length: first }, (_, at) => at).filter(at => !gone.has(at)))
        for (const { match } of rows) {
          expect(match.text).toBe(now[match.line - 1])
          expect(match.ranges.map(([from, to]) => match.text.slice(from, to))).toEqual(['needle'])
        }
        const dismissed = without(withMatches(noResults, matches), gone, () => null)
        expect(
          dismissed.files.flatMap(file => file.matches).every(match => lines[match.line - 1]?.join('') === match.text),
        ).toBe(true)
      },
    ),
  )
})

test('what comes stands beside what goes, line ends to be seen', () => {
  const match = found('a', 1, 'a needle\nb', [[2, 8]])
  expect(piecesOf(match, () => 'x\ny').map(({ text, kind }) => `${kind}:${text}`)).toEqual([
    'plain:a ',
    'old:needle',
    'put:x⏎y',
    'plain:⏎b',
  ])
})
