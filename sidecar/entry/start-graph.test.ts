/** What a start loads before it does anything: followed through the static imports, for each of them is paid at every start. */
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const sidecar = join(import.meta.dirname, '..')

/** Own files by path below `sidecar/`, packages by name; types and `import()` cost nothing at the start. */
function loadedBy(entry: string): Set<string> {
  const loaded = new Set<string>()
  const queue = [join(sidecar, 'entry', entry)]
  for (let file = queue.pop(); file; file = queue.pop()) {
    const own = relative(sidecar, file)
    if (loaded.has(own)) continue
    loaded.add(own)
    for (const named of importsOf(readFileSync(file, 'utf8'))) {
      if (named.startsWith('#contract/'))
        queue.push(join(sidecar, 'contract', `${named.slice('#contract/'.length)}.ts`))
      else if (!named.startsWith('.')) loaded.add(named)
      else if (named.endsWith('.ts')) queue.push(join(dirname(file), named))
    }
  }
  return loaded
}

function importsOf(text: string): string[] {
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\b)(?:([^'";]*?)\s+from\s+)?'([^']+)'/gm)
  return [...statements].flatMap(([, clause, named]) => {
    const onlyTypes =
      clause?.startsWith('{') &&
      clause
        .slice(1, -1)
        .split(',')
        .every(each => /^\s*(type\s|$)/.test(each))
    return onlyTypes || !named ? [] : [named]
  })
}

test('the version and the help come from a handful of lines', () => {
  const loaded = [...loadedBy('belay.ts')].filter(each => !each.startsWith('node:'))
  expect(loaded.sort()).toEqual(
    [
      ...['base/compile-cache.ts', 'base/folders.ts', 'base/make-folder.ts', 'base/node-program.ts', 'base/profile.ts'],
      ...['contract/error.ts', 'entry/belay.ts', 'entry/version.ts'],
    ].sort(),
  )
})

test('the children begin with the cache of what was compiled, and load the rest after it', () => {
  for (const entry of ['sidecar.ts', 'pty-host.ts'])
    expect([...loadedBy(entry)].filter(each => each.endsWith('.ts'))).toEqual([
      `entry/${entry}`,
      'base/node-program.ts',
      'base/compile-cache.ts',
      'base/make-folder.ts',
      'base/folders.ts',
      'contract/error.ts',
    ])
})

test('`belay run` reads its arguments before it loads a core', () => {
  const loaded = loadedBy('run.ts')
  expect([...loaded].filter(each => each === 'core.ts' || each.startsWith('contract/index'))).toEqual([])
})

test('`belay web` loads nothing of the core, nor the words it speaks with its clients', () => {
  const loaded = [...loadedBy('web.ts')]
  const rooms =
    /^(core|agent|model|tools|permission|session|workspace|terminal|settings)\b|^contract\/(index|session|workspace|document)/
  expect(loaded.filter(each => rooms.test(each))).toEqual([])
})

test('the thread that looks at a folder for checkpoints, one in every turn, loads no schemas', () => {
  const loaded = loadedBy('../checkpoint/thread.ts')
  expect(loaded.has('checkpoint/store.ts')).toBe(true)
  expect([...loaded].filter(each => each === 'zod' || /^contract\/(?!error)/.test(each))).toEqual([])
})

test('no core loads the system’s watcher, git or a second way to watch before a folder is shown', () => {
  const loaded = loadedBy('sidecar-process.ts')
  expect(loaded.has('core.ts')).toBe(true)
  for (const late of ['@parcel/watcher', 'chokidar', 'simple-git', 'node-pty', 'undici', 'unified', 'rehype-parse'])
    expect(loaded.has(late)).toBe(false)
  const servers = [...loaded].filter(each => each.startsWith('language/'))
  expect(servers).toEqual(['language/language.ts'])
})
