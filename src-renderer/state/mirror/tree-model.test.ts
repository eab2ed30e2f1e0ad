import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RootId } from '#contract/id'
import { joinPath, parentPath, pathKey, type WirePath } from '#contract/path'
import type { PathChange } from '#contract/workspace'
import {
  applyChanges,
  compareEntries,
  emptyTree,
  type Found,
  isShown,
  listingBegan,
  listingCame,
  listingFailed,
  reconciled,
  shownLevels,
  type Tree,
  type TreeEntry,
  unlisted,
  withCollapsed,
  withExpanded,
  withoutListings,
  withRoots,
} from './tree-model.ts'
import { indexOfRow, rowAt, shapeOf } from './tree-rows.ts'

const rootId = RootId.parse('root_x')
const at = (path: string): WirePath => ({ rootId, path })
const file = (name: string): TreeEntry => ({ name, kind: 'file', ignored: false })
const folder = (name: string): TreeEntry => ({ name, kind: 'folder', ignored: false })
const told = (path: string, change: PathChange['change'], kind: 'file' | 'folder' = 'file'): PathChange =>
  change === 'deleted' || change === 'overflow'
    ? { path: at(path), change, folder: false }
    : { path: at(path), change, folder: kind === 'folder', kind, ignored: false }

let token = 0
const listed = (tree: Tree, path: string, entries: TreeEntry[]): Tree => {
  token += 1
  return listingCame(listingBegan(tree, at(path), token), at(path), token, [...entries].sort(compareEntries), true)
}
const opened = (tree: Tree, path: string, entries: TreeEntry[]): Tree =>
  listed(withExpanded(tree, at(path)), path, entries)
const names = (tree: Tree, path: string) => tree.branches.get(pathKey(at(path)))?.entries.map(each => each.name)

describe('changes', () => {
  const start = opened(opened(emptyTree, '', [folder('src'), folder('lib'), file('b'), file('a')]), 'src', [file('x')])

  test('a create stands where it sorts; siblings stay the same objects', () => {
    const { tree, relist } = applyChanges(start, [told('a5', 'created'), told('docs', 'created', 'folder')])
    expect(names(tree, '')).toEqual(['docs', 'lib', 'src', 'a', 'a5', 'b'])
    expect(relist).toEqual([])
    expect(tree.branches.get(pathKey(at('src')))).toBe(start.branches.get(pathKey(at('src'))))
  })

  test('nothing new changes nothing, not even the object', () => {
    const { tree } = applyChanges(start, [told('a', 'created'), told('b', 'changed'), told('gone', 'deleted')])
    expect(tree.branches).toBe(start.branches)
    expect(tree.dirty).toBe(start.dirty)
  })

  test('a deleted folder takes what was known below it along', () => {
    const { tree } = applyChanges(start, [told('src/x', 'deleted'), told('src', 'deleted')])
    expect(names(tree, '')).toEqual(['lib', 'a', 'b'])
    expect(tree.branches.has(pathKey(at('src')))).toBe(false)
  })

  test('a file that became a folder moves among the folders', () => {
    expect(names(applyChanges(start, [told('b', 'created', 'folder')]).tree, '')).toEqual(['b', 'lib', 'src', 'a'])
  })

  test('what is not shown is only marked, listed or not; opening it asks again', () => {
    const closed = withCollapsed(start, at('src'))
    const { tree, relist } = applyChanges(closed, [told('src/new', 'created'), told('lib/deep/y', 'changed')])
    expect(names(tree, 'src')).toEqual(['x'])
    expect(relist).toEqual([])
    expect([...tree.dirty].sort()).toEqual([pathKey(at('lib')), pathKey(at('src'))])
    expect(unlisted(withExpanded(tree, at('src')))).toEqual([at('src')])
    expect(unlisted(tree)).toEqual([])
    expect(opened(tree, 'src', [file('new'), file('x')]).dirty.has(pathKey(at('src')))).toBe(false)
  })

  test('an overflow lists shown folders again, the others when they are opened; only the place itself is marked', () => {
    const known = withCollapsed(opened(start, 'lib', [file('l')]), at('lib'))
    const { tree, relist } = applyChanges(known, [told('', 'overflow')])
    expect(relist).toEqual([at(''), at('src')])
    expect([...tree.dirty]).toEqual([])
    expect(unlisted(withExpanded(tree, at('lib')))).toEqual([at('lib')])
    expect([...applyChanges(known, [told('lib/deep', 'overflow')]).tree.dirty]).toEqual([pathKey(at('lib'))])
  })

  test('a file that became a folder, told as gone and come, and a folder that came anew', () => {
    const { tree } = applyChanges(start, [
      told('src', 'deleted'),
      told('b', 'deleted'),
      told('src', 'created', 'folder'),
      told('b', 'created', 'folder'),
    ])
    expect(names(tree, '')).toEqual(['b', 'lib', 'src', 'a'])
    expect(tree.branches.has(pathKey(at('src')))).toBe(false)
    expect(unlisted(tree)).toEqual([at('src')])
  })

  test('a closed root is marked and its content asked for again when it is opened', () => {
    const { tree } = applyChanges(withCollapsed(start, at('')), [told('new', 'created')])
    expect([...tree.dirty]).toEqual([pathKey(at(''))])
    expect(unlisted(withExpanded(tree, at('')))).toEqual([at('')])
  })
})

describe('listings', () => {
  const start = opened(emptyTree, '', [file('a')])

  test('a stale answer changes nothing; a failed one keeps what was known', () => {
    const asked = listingBegan(listingBegan(start, at(''), 1001), at(''), 1002)
    expect(listingCame(asked, at(''), 1001, [file('old')], true)).toBe(asked)
    const failed = listingFailed(asked, at(''), 1002, 'no permission')
    expect(names(failed, '')).toEqual(['a'])
    expect(failed.branches.get(pathKey(at('')))).toMatchObject({ fault: 'no permission', listing: null })
  })

  test('what changes while it is under way is applied after it', () => {
    const asked = listingBegan(start, at(''), 1003)
    const { tree } = applyChanges(asked, [told('late', 'created'), told('a', 'deleted')])
    expect(names(tree, '')).toEqual(['a'])
    expect(names(listingCame(tree, at(''), 1003, [file('a'), file('b')], true), '')).toEqual(['b', 'late'])
  })

  test('an unchanged one keeps the objects', () => {
    const again = listed(start, '', [file('a')])
    expect(again.branches.get(pathKey(at('')))?.entries).toBe(start.branches.get(pathKey(at('')))?.entries)
  })

  test('first pages are shown at once where nothing was known, and swapped in whole where something was', () => {
    const fresh = listingBegan(withExpanded(emptyTree, at('')), at(''), 1004)
    expect(names(listingCame(fresh, at(''), 1004, [file('p1')], false), '')).toEqual(['p1'])
    const again = listingBegan(start, at(''), 1005)
    expect(names(listingCame(again, at(''), 1005, [file('p1')], false), '')).toEqual(['a'])
  })
})

describe('asking for everything anew', () => {
  const start = opened(
    opened(
      opened(opened(emptyTree, '', [folder('a'), folder('b'), file('z')]), 'a', [folder('in'), file('x')]),
      'a/in',
      [],
    ),
    'b',
    [file('y')],
  )
  const closed = withCollapsed(start, at('b'))
  const foundNow = (all: Record<string, TreeEntry[] | string>) =>
    new Map<string, Found>(
      Object.entries(all).map(([path, now]) => [
        pathKey(at(path)),
        typeof now === 'string' ? { fault: now } : { entries: now },
      ]),
    )
  const unchanged = { '': [folder('a'), folder('b'), file('z')], a: [folder('in'), file('x')], 'a/in': [] }

  test('goes level by level, only where something is shown', () => {
    expect(shownLevels(closed, [at('')])).toEqual([[at('')], [at('a')], [at('a/in')]])
    expect(shownLevels(withCollapsed(start, at('')), [at('')])).toEqual([])
  })

  test('the same everywhere is the same tree; what is closed is listed when it is opened, without a mark', () => {
    expect(reconciled(start, [at('')], foundNow({ ...unchanged, b: [file('y')] }))).toBe(start)
    const tree = reconciled(closed, [at('')], foundNow(unchanged))
    for (const path of ['', 'a', 'a/in'])
      expect(tree.branches.get(pathKey(at(path)))).toBe(closed.branches.get(pathKey(at(path))))
    expect(tree.dirty).toBe(closed.dirty)
    expect(unlisted(tree)).toEqual([])
    expect(unlisted(withExpanded(tree, at('b')))).toEqual([at('b')])
  })

  test('what is gone takes along what was known below it; what failed keeps what was known', () => {
    const tree = reconciled(start, [at('')], foundNow({ '': [folder('b'), file('z')], b: 'no permission' }))
    expect([...tree.branches.keys()]).toEqual([pathKey(at('')), pathKey(at('b'))])
    expect(tree.branches.get(pathKey(at('b')))).toMatchObject({ fault: 'no permission', entries: [file('y')] })
  })

  test('answers from before it are of no use; a folder that had failed is asked for again', () => {
    const asked = listingBegan(listingBegan(start, at('a'), 9001), at('b'), 9002)
    const failed = listingFailed(withExpanded(asked, at('a/in')), at('b'), 9002, 'slow')
    const tree = withoutListings(failed, [at('')])
    expect(listingCame(tree, at('a'), 9001, [], true)).toBe(tree)
    expect(tree.branches.get(pathKey(at('b')))).toMatchObject({ known: true, fault: 'slow' })
    const never = listingFailed(listingBegan(emptyTree, at(''), 9003), at(''), 9003, 'gone')
    expect(unlisted(withoutListings(withExpanded(never, at('')), [at('')]))).toEqual([at('')])
  })

  test('other roots come opened, and go with all that was known of them', () => {
    const other = RootId.parse('root_y')
    const both = withRoots(start, [rootId, other])
    expect(unlisted(both)).toEqual([{ rootId: other, path: '' }])
    const alone = withRoots(both, [other])
    expect([alone.branches.size, [...alone.expanded]]).toEqual([0, [`${other}\0`]])
  })
})

describe('rows', () => {
  const tree = opened(
    opened(
      opened(opened(emptyTree, '', [folder('a'), folder('b'), file('z')]), 'a', [folder('in'), file('x')]),
      'a/in',
      [],
    ),
    'b',
    [file('y')],
  )

  test('each row is found by number and back', () => {
    const shape = shapeOf(tree, at(''))
    if (!shape) throw new Error('no shape')
    const rows = Array.from({ length: shape.size }, (_, index) => rowAt(tree, shape, index))
    expect(rows.map(row => (row?.kind === 'entry' ? row.path.path : `(${row?.note})`))).toEqual([
      'a',
      'a/in',
      '(empty)',
      'a/x',
      'b',
      'b/y',
      'z',
    ])
    rows.forEach((row, index) => {
      if (row?.kind === 'entry') expect(indexOfRow(shape, row.path)).toBe(index)
    })
    expect(rowAt(tree, shape, shape.size)).toBeNull()
    expect(indexOfRow(shape, at('a/missing'))).toBe(-1)
  })
})

/** A disk in memory: the truth that the tree must agree with in the end. */
function disk() {
  const all = new Map<string, 'file' | 'folder'>([['', 'folder']])
  const below = (path: string) => [...all.keys()].filter(each => each === path || each.startsWith(`${path}/`))
  return {
    all,
    list: (path: string): TreeEntry[] =>
      [...all]
        .filter(([each]) => each !== '' && parentPath(each) === path)
        .map(([each, kind]) => ({ name: each.slice(path === '' ? 0 : path.length + 1), kind, ignored: false }))
        .sort(compareEntries),
    create(path: string, kind: 'file' | 'folder'): PathChange[] {
      if (all.get(parentPath(path)) !== 'folder' || all.has(path)) return []
      all.set(path, kind)
      return [told(path, 'created', kind)]
    },
    remove(path: string): PathChange[] {
      if (path === '' || !all.has(path)) return []
      for (const each of below(path)) all.delete(each)
      return [told(path, 'deleted')]
    },
  }
}

test('any sequence of disk changes, opening, closing, lost events and listings: shown branches equal the disk', () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'c10', 'c9'), { minLength: 0, maxLength: 3 })
    .map(parts => parts.reduce((sum, part) => joinPath(sum, part), ''))
  const step = fc.oneof(
    fc.record({ do: fc.constant('create' as const), path, kind: fc.constantFrom('file' as const, 'folder' as const) }),
    fc.record({ do: fc.constant('remove' as const), path }),
    fc.record({ do: fc.constant('expand' as const), path }),
    fc.record({ do: fc.constant('collapse' as const), path }),
    fc.record({ do: fc.constant('lose' as const), path }),
    fc.record({ do: fc.constant('answer' as const), path }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const real = disk()
      let tree = withExpanded(emptyTree, at(''))
      const asked = new Map<number, { path: WirePath; entries: TreeEntry[] }>()
      const ask = (paths: WirePath[]) => {
        for (const each of paths) {
          token += 1
          tree = listingBegan(tree, each, token)
          asked.set(token, { path: each, entries: real.list(each.path) })
        }
      }
      const answerAll = () => {
        for (const [id, { path: of, entries }] of asked) {
          asked.delete(id)
          tree =
            real.all.get(of.path) === 'folder'
              ? listingCame(tree, of, id, entries, true)
              : listingFailed(tree, of, id, 'gone')
        }
      }
      const apply = (changes: PathChange[]) => {
        const result = applyChanges(tree, changes)
        tree = result.tree
        ask(result.relist)
      }
      for (const each of steps) {
        if (each.do === 'create') apply(real.create(each.path, each.kind))
        if (each.do === 'remove') apply(real.remove(each.path))
        if (each.do === 'expand') tree = withExpanded(tree, at(each.path))
        if (each.do === 'collapse' && each.path !== '') tree = withCollapsed(tree, at(each.path))
        if (each.do === 'answer') answerAll()
        if (each.do === 'lose') {
          const lost = real.create(each.path, 'file')
          if (lost.length > 0) apply([told(parentPath(each.path), 'overflow')])
        }
        ask(unlisted(tree))
      }
      for (let round = 0; round < 8; round++) {
        answerAll()
        ask(unlisted(tree))
      }
      for (const [where, kind] of real.all) {
        if (kind !== 'folder' || !isShown(tree, at(where))) continue
        const branch = tree.branches.get(pathKey(at(where)))
        expect({ where, entries: branch?.entries }).toEqual({ where, entries: real.list(where) })
      }
    }),
    { numRuns: 400 },
  )
})
