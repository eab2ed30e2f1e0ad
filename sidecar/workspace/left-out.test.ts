/** What is listed undimmed is watched, found and searched, and nothing else is: for any names, rules and overrides. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFileIndex } from './find.ts'
import { createIgnoreRules } from './ignore.ts'
import { leftOutOf } from './left-out.ts'
import { createListings } from './listing.ts'
import { createPaths } from './paths.ts'
import { openRoot } from './roots.ts'
import { searchText } from './search/search.ts'

const fast = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const query = { query: 'x', regex: false, matchCase: false, wholeWord: false, include: '', exclude: '', limit: 1000 }
const signal = new AbortController().signal

const folderName = fc.constantFrom('src', 'node_modules', 'venv', 'build', '.cache', 'a+b', 'x[y]', 'dist', '.git')
const fileName = fc.constantFrom('a.ts', 'b.log', '.env', 'venv', 'x[y]', 'Thumbs.db')
const file = fc
  .tuple(fc.array(folderName, { maxLength: 3 }), fileName)
  .map(([folders, name]) => [...folders, name].join('/'))
const rules = fc.subarray(['*.log', 'dist/', '/build', '!src/b.log', '.cache', 'src/venv'])
const names = fc.subarray(['node_modules', 'venv', 'build', 'a+b', 'x[y]', 'a.ts', '.git', 'src/dist', ''])

/** Files whose name clashes with a folder's on disk are left out. */
const withoutClash = (files: readonly string[]): string[] => {
  const folders = new Set(files.flatMap(each => above(each)))
  return files.filter(each => !folders.has(each))
}
const above = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

test('one rule set for listing, watching, finding and searching', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(file, { minLength: 1, maxLength: 12 }),
      rules,
      fc.record({ allow: names, extra: names }),
      async (some, ignored, overrides) => {
        const folder = await realpath(await mkdtemp(join(fast, 'belay-left-')))
        try {
          const files = withoutClash(some)
          for (const each of files) {
            await mkdir(dirname(join(folder, each)), { recursive: true })
            await writeFile(join(folder, each), 'x')
          }
          await writeFile(join(folder, '.gitignore'), ignored.join('\n'))
          const leftOut = leftOutOf(overrides)
          const root = await openRoot(folder)
          const ruled = createIgnoreRules(folder, leftOut)
          const paths = createPaths(() => [root])
          const listings = createListings({ paths, rulesOf: () => ruled, isPlaceholder: () => false })

          const listed: string[] = []
          const walk = async (path: string): Promise<void> => {
            const listing = await listings.list({ rootId: root.rootId, path }, 0)
            for (const [at, name] of listing.names.entries()) {
              const below = path === '' ? name : `${path}/${name}`
              if (listing.ignored[at]) continue
              if (listing.kinds[at] === 'folder') await walk(below)
              else listed.push(below)
            }
          }
          await walk('')
          const found = async (trusted: boolean) => {
            const index = createFileIndex({
              ...{ root: folder, env: process.env, rules: ruled, leftOut, inner: [] },
              trusted: () => trusted,
              watched: () => true,
            })
            return (await index.all()).sort()
          }
          const searched: string[] = []
          await searchText(query, {
            ...{ roots: [root], leaves: leftOut.globs, shown: [], env: process.env, signal },
            onMatches: matches => searched.push(...matches.map(({ path }) => path.path)),
          })
          const told: string[] = []
          for (const each of [...files, '.gitignore'])
            if (!(await ruled.ignored(join(folder, each), false))) told.push(each)

          listed.sort()
          expect(await found(false)).toEqual(listed)
          expect(await found(true)).toEqual(listed)
          expect([...new Set(searched)].sort()).toEqual(
            listed.filter(each => each !== '.gitignore' || ignored.some(rule => rule.includes('x'))),
          )
          expect(told.sort()).toEqual(listed)
          // Two spellings of one rule: what the watcher skips is what nobody is told of, and nothing listed is skipped.
          for (const each of [...files, ...files.flatMap(above)])
            expect(leftOut.pattern.test(join(folder, each).slice(folder.length))).toBe(!leftOut.isTold(each))
          expect(listed.filter(leftOut.isUnwatched)).toEqual([])
        } finally {
          await rm(folder, { recursive: true, force: true })
        }
      },
    ),
    { numRuns: 60 },
  )
}, 60_000)
