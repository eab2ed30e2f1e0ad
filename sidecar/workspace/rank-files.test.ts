/** What is found first is what is meant: the name itself before letters strewn over a path. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rankFiles, readyFiles, readyFor } from './rank-files.ts'

const paths = [
  'src/server/session.ts',
  'src/session/index.ts',
  'sidecar/session/session-log.ts',
  'docs/season.md',
  's/e/s/s/i/o/n.txt',
  'src/core/README.md',
  'README.md',
]
const files = readyFiles(paths.map(readyFor))
const found = (query: string, limit = 10) => rankFiles(files, query, limit).files.map(({ path }) => path)

it('names first, the shorter of equal ones before, then paths', () => {
  expect(found('session').slice(0, 3)).toEqual([
    'src/server/session.ts',
    'sidecar/session/session-log.ts',
    'src/session/index.ts',
  ])
  expect(found('readme')).toEqual(['README.md', 'src/core/README.md'])
  expect(found('core/read')).toEqual(['src/core/README.md'])
  expect(found('session', 1)).toEqual(['src/server/session.ts'])
  expect(found('zzz')).toEqual([])
})

it('marks the letters that were found, wherever they are, and never more than were asked for', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('s', 'se', 'si', 'core', 'src/s', 'n', 'rd', '.ts', 'e x'),
      fc.integer({ min: 1, max: 9 }),
      (query, limit) => {
        const { files: some, total } = rankFiles(files, query, limit)
        expect(some.length).toBeLessThanOrEqual(limit)
        expect(total).toBeGreaterThanOrEqual(some.length)
        expect(new Set(some.map(({ path }) => path)).size).toBe(some.length)
        for (const { path, positions } of some)
          expect(
            [...query.replace(' ', '')].every(letter => positions.some(at => path[at]?.toLowerCase() === letter)),
          ).toBe(true)
      },
    ),
  )
})
