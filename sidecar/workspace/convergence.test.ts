/**
 * Whatever happens on a real disk, under the real watcher: what a window shows, and what the finder knows, equals the disk in the
 * end. `BELAY_DEEP=1` runs more of it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RootId, WorkspaceId } from '#contract/id'
import type { BelayPayload } from '#contract/index'
import { pathKey, type WirePath } from '#contract/path'
import type { Listing } from '#contract/workspace'
import { createTreeKeeper, type TreeKeeper } from '../../src-renderer/client/tree-keeper.ts'
import { emptyTree, isFolderKind, isShown, type Tree } from '../../src-renderer/state/mirror/tree-model.ts'
import { foldersOf } from '../base/folders.ts'
import { defaultLeftOut } from './left-out.ts'
import { createWorkspaces, type Workspaces } from './service.ts'

const deep = Boolean(process.env.BELAY_DEEP)
const fast = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const CONVERGES_MS = 20_000
const QUIET_MS = 400

interface Window {
  readonly root: string
  readonly outside: string
  readonly keeper: TreeKeeper
  at(path: string): WirePath
  /** What differs between the disk and what is shown or found; empty when nothing does. */
  differences(): Promise<string[]>
  /** Milliseconds since something was told. */
  quietMs(): number
  gaps(): number
}
let base = ''
let all: Workspaces | null = null
const ends: (() => void)[] = []
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(fast, 'belay-converge-')))
})
afterEach(async () => {
  for (const end of ends.splice(0)) end()
  await all?.dispose()
  all = null
  await rm(base, { recursive: true, force: true })
})

/** A core and the window's tree over it, with nothing between them but the contract's values. */
async function openWindow(name: string): Promise<Window> {
  const root = join(base, name, 'root')
  const outside = join(base, name, 'outside')
  await mkdir(root, { recursive: true })
  await mkdir(outside)
  await all?.dispose()
  const core = createWorkspaces({
    folders: foldersOf({ BELAY_HOME: join(base, name, 'home') }),
    log: () => {},
    env: process.env,
  })
  all = core
  const context = { clientId: 'one', signal: new AbortController().signal }
  const info = await core.handlers.workspace.open({ folder: root }, context)
  const workspaceId = info.workspaceId as WorkspaceId
  const rootId = info.roots[0]?.rootId as RootId
  let tree: Tree = emptyTree
  let toldAt = performance.now()
  let gaps = 0
  const keeper = createTreeKeeper({
    list: async (path, page) => (await core.handlers.workspace.list({ workspaceId, path, page }, context)) as Listing,
    read: () => tree,
    write: next => {
      tree = next
    },
    soon(run) {
      const timer = setTimeout(run, 16)
      return () => clearTimeout(timer)
    },
  })
  let seq = (await core.handlers.workspace.changesAt({ workspaceId }, context)).roots[0]?.seq ?? 0
  ends.push(
    keeper.dispose,
    core.events.on(event => {
      if (event.name !== 'workspace/changed') return
      const told = event.payload as BelayPayload<'workspace/changed'>
      toldAt = performance.now()
      if (told.seq !== seq + 1) gaps += 1
      seq = told.seq
      keeper.changed(told.changes)
    }),
  )
  keeper.setRoots([rootId])
  await keeper.reconcile([rootId])
  await core.get(workspaceId).ready
  const at = (path: string): WirePath => ({ rootId, path })

  return {
    root,
    outside,
    keeper,
    at,
    quietMs: () => performance.now() - toldAt,
    gaps: () => gaps,
    async differences() {
      const found: string[] = []
      for (const [key, branch] of tree.branches) {
        if (!tree.expanded.has(key) || !isShown(tree, branch.path)) continue
        const shown = branch.entries.map(each => `${each.name}${isFolderKind(each.kind) ? '/' : ''}`).sort()
        const real = await namesIn(join(root, branch.path.path))
        if (shown.join('\n') !== real.join('\n'))
          found.push(`${branch.path.path}: shown ${shown.length} ${some(shown)}, on disk ${real.length} ${some(real)}`)
        for (const each of branch.entries) {
          const below = { ...branch.path, path: branch.path.path ? `${branch.path.path}/${each.name}` : each.name }
          if (isFolderKind(each.kind) && tree.expanded.has(pathKey(below)) && !tree.branches.get(pathKey(below))?.known)
            found.push(`${below.path}: open and not listed`)
        }
      }
      const files = (await core.get(workspaceId).files()).map(each => each.path).sort()
      const real = (await filesIn(root)).sort()
      if (files.join('\n') !== real.join('\n'))
        found.push(`finder: knows ${files.length} ${some(files)}, on disk ${real.length} ${some(real)}`)
      return found
    },
  }
}

const some = (names: string[]) => `(${names.slice(0, 8).join(' ')})`
const namesIn = async (folder: string): Promise<string[]> =>
  Promise.all(
    (await readdir(folder, { withFileTypes: true }).catch(() => []))
      .filter(each => !defaultLeftOut.hidden.has(each.name))
      .map(async each => {
        const leads = each.isSymbolicLink() && (await stat(join(folder, each.name)).catch(() => null))?.isDirectory()
        return `${each.name}${each.isDirectory() || leads ? '/' : ''}`
      }),
  ).then(names => names.sort())

async function filesIn(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found: string[] = []
  for (const each of entries) {
    if (defaultLeftOut.hidden.has(each.name) || each.name === 'node_modules') continue
    if (each.isDirectory()) found.push(...(await filesIn(join(folder, each.name), `${below}${each.name}/`)))
    else if (each.isFile()) found.push(below + each.name)
  }
  return found
}

/** Equal to the disk, and still so when nothing more is told. */
async function converges(window: Window): Promise<void> {
  const end = performance.now() + CONVERGES_MS
  for (;;) {
    const found = await window.differences()
    if (found.length === 0 && window.quietMs() > QUIET_MS) return
    if (performance.now() > end && found.length > 0) throw new Error(found.join('\n'))
    await after(50)
  }
}

/** Few, so that they meet often; and odd ones: two spellings of é, both cases, a line break, 255 bytes, words of Windows. */
const odd = ['\u00e9', 'e\u0301', 'A', 'two\nlines', 'x'.repeat(255), 'CON', 'dot.', ' ', '"\\*?']
const name = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('a', 'b', 'c9', 'c10', 'Ä', 'node_modules') },
  { weight: 1, arbitrary: fc.constantFrom(...odd) },
)
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map(parts => parts.join('/'))
const op = (kind: string, ...rest: fc.Arbitrary<string>[]) =>
  fc.tuple(fc.constant(kind), rest[0] ?? fc.constant(''), rest[1] ?? fc.constant(''))
const steps = fc.array(
  fc.tuple(
    fc.oneof(
      op('write', path),
      op('mkdir', path),
      op('mkdir -p with content', path),
      op('remove', path),
      op('rename', path, path),
      op('move in', path),
      op('move out', path),
      op('file to folder', path),
      op('to an empty folder', path),
      op('folder to file', path),
      op('empty it and fill it', path),
      op('replace', path),
      op('link', path, path),
      op('many', path),
      op('expand', path),
      op('collapse', path),
    ),
    fc.constantFrom(0, 0, 1, 30, 130),
  ),
  { minLength: 5, maxLength: 40 },
)

let count = 0
async function doIt(window: Window, [kind, one, two]: [string, string, string]): Promise<void> {
  const [here, there] = [join(window.root, one), join(window.root, two)]
  const far = join(window.outside, `o${count++}`)
  const gone = (at: string) => rm(at, { recursive: true, force: true })
  switch (kind) {
    case 'write':
      return writeFile(here, String(count))
    case 'mkdir':
      return mkdir(here)
    case 'mkdir -p with content':
      await mkdir(join(here, 'p', 'q', 'r'), { recursive: true })
      return writeFile(join(here, 'p', 'q', 'r', 'file'), '')
    case 'remove':
      return gone(here)
    case 'rename':
      return rename(here, there)
    case 'move in':
      await mkdir(join(far, 'x', 'y'), { recursive: true })
      await writeFile(join(far, 'x', 'y', 'z'), '')
      return rename(far, here)
    case 'move out':
      return rename(here, far)
    case 'file to folder':
      await gone(here)
      await mkdir(here)
      return writeFile(join(here, 'was-a-file'), '')
    case 'to an empty folder':
      await gone(here)
      return mkdir(here)
    case 'folder to file':
      await gone(here)
      return writeFile(here, 'was a folder')
    case 'empty it and fill it':
      await gone(here)
      await mkdir(join(here, 'in'), { recursive: true })
      return writeFile(join(here, 'in', 'again'), '')
    case 'replace':
      await writeFile(far, String(count))
      return rename(far, here)
    case 'link':
      return symlink(there, here)
    case 'many':
      await mkdir(here, { recursive: true })
      await Promise.all(Array.from({ length: 400 }, (_, at) => writeFile(join(here, `m${at}`), '')))
      return
    case 'expand':
      return void window.keeper.expand(window.at(one))
    case 'collapse':
      return window.keeper.collapse(window.at(one))
  }
}

test('random operations: the window and the finder agree with the disk each time', {
  timeout: deep ? 1_800_000 : 180_000,
}, async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(steps, async all => {
      const window = await openWindow(`run${run++}`)
      for (const [what, waitMs] of all) {
        // Most of them fail where the disk says no: that is part of it.
        await doIt(window, what).catch(() => {})
        if (waitMs > 0) await after(waitMs)
      }
      await converges(window)
      expect(window.gaps()).toBe(0)
    }),
    { numRuns: deep ? 150 : 8, endOnFailure: true },
  )
})

test('a burst of 50,000 new files, in folders made on the way', { timeout: 180_000 }, async () => {
  const window = await openWindow('burst')
  await mkdir(join(window.root, 'into'))
  await converges(window)
  await window.keeper.expand(window.at('into'))
  const script = `const { mkdirSync, writeFileSync } = require('node:fs'); const [to, many] = process.argv.slice(1)
  for (let at = 0; at < many; at++) {
    const folder = at % 10 ? to : to + '/d' + (at % 1000) + '/e'
    if (folder !== to) mkdirSync(folder, { recursive: true })
    writeFileSync(folder + '/f' + at, '')
  }`
  const child = spawn(process.execPath, ['-e', script, join(window.root, 'into'), String(50_000)], { stdio: 'inherit' })
  await once(child, 'exit')
  await converges(window)
  // And what changes afterwards is heard in every folder that came.
  for (const folder of ['into', 'into/d0/e', 'into/d990/e']) {
    await window.keeper.expand(window.at(folder === 'into' ? folder : dirname(folder)))
    await window.keeper.expand(window.at(folder))
    await writeFile(join(window.root, folder, 'afterwards'), '')
  }
  await converges(window)
})
