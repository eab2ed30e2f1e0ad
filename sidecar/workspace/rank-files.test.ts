/** What is found first is what is meant: the name itself before letters strewn over a path. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRankedFiles } from './rank-files.ts'

const paths = [
  'src/server/session.ts',
  'src/session/index.ts',
  'sidecar/session/session-log.ts',
  'docs/season.md',
  's/e/s/s/i/o/n.txt',
  'src/core/README.md',
  'README.md',
]
const ranked = (all: readonly string[], mostInGroup?: number) => {
  const files = createRankedFiles(mostInGroup)
  for (const path of all) files.add(path)
  return files
}
const files = ranked(paths)
const found = async (query: string, limit = 10) => (await files.rank(query, limit)).files.map(({ path }) => path)

it('names first, the shorter of equal ones before, then paths', async () => {
  expect((await found('session')).slice(0, 3)).toEqual([
    'src/server/session.ts',
    'sidecar/session/session-log.ts',
    'src/session/index.ts',
  ])
  expect(await found('readme')).toEqual(['README.md', 'src/core/README.md'])
  expect(await found('core/read')).toEqual(['src/core/README.md'])
  expect(await found('session', 1)).toEqual(['src/server/session.ts'])
  expect(await found('zzz')).toEqual([])
})

const queries = ['s', 'se', 'ses', 'si', 'core', 'src/s', 'src/se', 'n', 'rd', '.ts', 'e x']

it('marks the letters that were found, wherever they are, and never more than were asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...queries), fc.integer({ min: 1, max: 9 }), async (query, limit) => {
      const { files: some, total } = await files.rank(query, limit)
      expect(some.length).toBeLessThanOrEqual(limit)
      expect(total).toBeGreaterThanOrEqual(some.length)
      expect(new Set(some.map(({ path }) => path)).size).toBe(some.length)
      for (const { path, positions } of some)
        expect(
          [...query.replace(' ', '')].every(letter => positions.some(at => path[at]?.toLowerCase() === letter)),
        ).toBe(true)
    }),
  )
})

it('whatever came and went between the keys, and however they are grouped: the same as asked anew', async () => {
  const name = fc.constantFrom('s', 'se', 'session.ts', 'x', 'e/x', 'src', 'src/s', 'src/session', 'n.ts')
  const act = fc.oneof(
    fc.record({ add: name }),
    fc.record({ drop: name }),
    fc.record({ ask: fc.constantFrom(...queries) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 40 }), fc.integer({ min: 1, max: 4 }), async (acts, mostInGroup) => {
      const many = createRankedFiles(mostInGroup)
      const known = new Set<string>()
      for (const each of acts) {
        if ('add' in each) {
          many.add(each.add)
          known.add(each.add)
        } else if ('drop' in each) {
          many.drop(each.drop)
          if (!known.delete(each.drop))
            for (const path of [...known]) if (path.startsWith(`${each.drop}/`)) known.delete(path)
        } else {
          const asked = await many.rank(each.ask, 20)
          const anew = await ranked([...known]).rank(each.ask, 20)
          const told = ({ files }: typeof asked) => files.map(({ path, score }) => `${score} ${path}`).sort()
          expect(told(asked)).toEqual(told(anew))
          expect(asked.total).toBe(anew.total)
        }
      }
      expect([...many.paths()].sort()).toEqual([...known].sort())
      expect(many.size).toBe(known.size)
    }),
  )
})
