import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RootId } from '#contract/id'
import type { SearchMatch } from '#contract/workspace'
import { noResults, piecesOf, resultRows, withMatches } from './search-results.ts'

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
    { text: 'let ', hit: false },
    { text: 'needle', hit: true },
    { text: ' = ', hit: false },
    { text: 'needle', hit: true },
  ])
  const far = piecesOf(found('a', 1, `${'x'.repeat(200)}needle`, [[200, 206]]))
  expect(far[0]).toEqual({ text: '…', hit: false })
  expect(far.at(-1)).toEqual({ text: 'needle', hit: true })
})
