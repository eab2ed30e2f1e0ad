import { expect, test } from 'vitest'
import { RootId } from '#contract/id'
import { pathKey, type WirePath } from '#contract/path'
import type { Listing, PathChange } from '#contract/workspace'
import { emptyTree, type Tree, withExpanded } from '../state/mirror/tree-model.ts'
import { createTreeKeeper, type TreeKeeper } from './tree-keeper.ts'

const rootId = RootId.parse('root_x')
const at = (path: string): WirePath => ({ rootId, path })

/** A disk in memory, whose answers can be held back. */
function setUp(files: string[], options: { pageMs?: number } = {}) {
  const disk = new Set(files)
  let tree: Tree = withExpanded(emptyTree, at(''))
  let writes = 0
  const asked: string[] = []
  const broken = new Map<string, string>()
  let held: (() => void)[] | null = null
  const namesIn = (folder: string) => {
    const start = folder === '' ? '' : `${folder}/`
    return [...new Set([...disk].filter(each => each.startsWith(start)).map(each => each.slice(start.length)))]
  }
  const listing = (folder: string): Listing => {
    const below = namesIn(folder)
    const folders = [...new Set(below.filter(each => each.includes('/')).map(each => each.split('/')[0] ?? ''))].sort()
    const plain = below.filter(each => each !== '' && !each.includes('/')).sort()
    const names = [...folders, ...plain]
    return {
      path: at(folder),
      names,
      kinds: names.map((_, index) => (index < folders.length ? 'folder' : 'file')),
      ignored: names.map(() => false),
      nextPage: null,
      total: names.length,
    }
  }
  const keeper: TreeKeeper = createTreeKeeper({
    async list(path) {
      asked.push(path.path)
      // Read before it waits: what changes meanwhile is not in it.
      const now = listing(path.path)
      if (held) await new Promise<void>(go => held?.push(go))
      const fault = broken.get(path.path)
      if (fault === 'hangs') await new Promise(() => {})
      if (fault) throw new Error(fault)
      return now
    },
    read: () => tree,
    write(next) {
      writes += 1
      tree = next
    },
    soon(run) {
      const timer = setTimeout(run)
      return () => clearTimeout(timer)
    },
    ...options,
  })
  return {
    keeper,
    disk,
    broken,
    asked,
    hold: () => {
      held = []
    },
    release: () => {
      const waiting = held ?? []
      held = null
      for (const go of waiting) go()
    },
    get tree() {
      return tree
    },
    get writes() {
      return writes
    },
    names: (folder: string) => tree.branches.get(pathKey(at(folder)))?.entries.map(each => each.name),
    fault: (folder: string) => tree.branches.get(pathKey(at(folder)))?.fault ?? null,
    async open(...folders: string[]) {
      await keeper.reconcile([rootId])
      for (const folder of folders) await keeper.expand(at(folder))
    },
  }
}
const created = (path: string): PathChange => ({ path: at(path), change: 'created', folder: false, kind: 'file' })

test('asking for everything anew changes nothing where nothing is different: not one write', async () => {
  const window = setUp(['a/in/x', 'a/y', 'b/z', 'top'])
  await window.open('a', 'a/in')
  const before = { tree: window.tree, writes: window.writes }
  window.asked.length = 0
  await window.keeper.reconcile([rootId])
  expect({ tree: window.tree, writes: window.writes }).toEqual(before)
  expect(window.tree).toBe(before.tree)
  expect(window.asked).toEqual(['', 'a', 'a/in'])
})

test('parents first, put in at once: until then all stands as it was, and what is gone is not asked for', async () => {
  const window = setUp(['a/in/x', 'a/y', 'b/z', 'top'])
  await window.open('a', 'a/in', 'b')
  window.disk.clear()
  for (const each of ['b/z', 'b/new', 'later']) window.disk.add(each)
  const { writes } = window
  window.asked.length = 0
  window.hold()
  const done = window.keeper.reconcile([rootId])
  expect(window.names('')).toEqual(['a', 'b', 'top'])
  window.release()
  await done
  expect(window.asked).toEqual(['', 'b'])
  expect(window.writes).toBe(writes + 1)
  expect([window.names(''), window.names('b')]).toEqual([
    ['b', 'later'],
    ['new', 'z'],
  ])
  expect(window.tree.branches.has(pathKey(at('a')))).toBe(false)
})

test('what is told while it is under way shows at once, and is not lost by what it brings', async () => {
  const window = setUp(['a/y', 'top'])
  await window.open('a')
  window.hold()
  const done = window.keeper.reconcile([rootId])
  window.disk.add('a/late')
  window.keeper.changed([created('a/late')])
  await expect.poll(() => window.names('a')).toEqual(['late', 'y'])
  window.release()
  await done
  expect(window.names('a')).toEqual(['late', 'y'])
})

test('a later one makes the earlier one stale, and asks for the roots of both', async () => {
  const window = setUp(['a/y'])
  await window.open('a')
  window.hold()
  const first = window.keeper.reconcile([rootId])
  window.disk.add('new')
  const other = RootId.parse('root_y')
  const second = window.keeper.reconcile([other])
  const { writes } = window
  window.release()
  await Promise.all([first, second])
  expect(window.names('')).toEqual(['a', 'new'])
  expect(window.writes).toBe(writes + 1)
})

test('a folder that fails keeps what was known and says why; one that hangs fails in time; opening it asks again', async () => {
  const window = setUp(['a/y', 'b/z'], { pageMs: 30 })
  await window.open('a', 'b')
  window.broken.set('a', 'No permission.').set('b', 'hangs')
  await window.keeper.reconcile([rootId])
  expect([window.fault('a'), window.names('a')]).toEqual(['No permission.', ['y']])
  expect([window.fault('b'), window.names('b')]).toEqual([expect.stringContaining('did not answer in time'), ['z']])
  window.broken.clear()
  window.disk.add('b/more')
  await window.keeper.expand(at('b'))
  expect([window.fault('b'), window.names('b')]).toEqual([null, ['more', 'z']])
})

test('a new tree appears as it comes: the root is not held back by what is open below it', async () => {
  const window = setUp(['a/y', 'top'])
  await window.keeper.expand(at('a'))
  window.broken.set('a', 'hangs')
  void window.keeper.reconcile([rootId])
  await expect.poll(() => window.names('')).toEqual(['a', 'top'])
})
