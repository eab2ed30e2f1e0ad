import { expect, test } from 'vitest'
import { RootId } from '#contract/id'
import type { WirePath } from '#contract/path'
import type { Root } from '#contract/workspace'
import {
  emptyTree,
  listingBegan,
  listingCame,
  type Tree,
  type TreeEntry,
  withExpanded,
} from '../../state/mirror/tree-model.ts'
import { rangeOf, rowsOf, topmost } from './explorer-rows.ts'
import { freeName, nameFault, shownName, stemLength } from './names.ts'

const rootId = RootId.parse('root_x')
const at = (path: string): WirePath => ({ rootId, path })
const roots: Root[] = [{ rootId, absolute: '/x', name: 'x', readOnly: false }]
const opened = (tree: Tree, path: string, entries: TreeEntry[]): Tree =>
  listingCame(listingBegan(withExpanded(tree, at(path)), at(path), 1), at(path), 1, entries, true)
const tree = opened(
  opened(emptyTree, '', [
    { name: 'src', kind: 'folder', ignored: false },
    { name: 'z', kind: 'file', ignored: false },
  ]),
  'src',
  [{ name: 'a', kind: 'file', ignored: false }],
)

const shown = (draft: Parameters<typeof rowsOf>[2]) => {
  const rows = rowsOf(tree, roots, draft)
  return Array.from({ length: rows.count }, (_, index) => {
    const row = rows.at(index)
    if (row?.kind === 'entry' || row?.kind === 'root') expect(rows.indexOf(row.path)).toBe(index)
    return row?.kind === 'entry' ? row.path.path : row?.kind
  })
}

test('the root first, then what is open below it; a new name stands at the top of its folder', () => {
  expect(shown(null)).toEqual(['root', 'src', 'src/a', 'z'])
  expect(shown({ parent: at('src'), folder: false })).toEqual(['root', 'src', 'draft', 'src/a', 'z'])
  expect(shown({ parent: at(''), folder: true })).toEqual(['root', 'draft', 'src', 'src/a', 'z'])
  expect(shown({ parent: at('closed'), folder: true })).toEqual(['root', 'src', 'src/a', 'z'])
})

test('a range leaves out what is no entry; an operation is about the topmost', () => {
  const rows = rowsOf(tree, roots, { parent: at('src'), folder: false })
  expect(rangeOf(rows, 4, 1).map(path => path.path)).toEqual(['src', 'src/a', 'z'])
  expect(topmost([at('src/a'), at('src'), at('srcs'), at('z')]).map(path => path.path)).toEqual(['src', 'srcs', 'z'])
})

test('names', () => {
  const taken = (name: string) => ['a.txt', 'a copy.txt', '.env'].includes(name)
  expect(freeName('a.txt', taken)).toBe('a copy 2.txt')
  expect(freeName('.env', taken)).toBe('.env copy')
  expect(nameFault('a.txt', taken, true)).toBe('taken')
  expect(nameFault('x/y.ts', taken, true)).toBeNull()
  expect(nameFault('x/y.ts', taken, false)).toBe('slash')
  expect(nameFault('x//y', taken, true)).toBe('empty')
  expect(nameFault('../y', taken, true)).toBe('dots')
  expect(nameFault('a\nb', taken, true)).toBe('control')
  expect(nameFault('é'.repeat(128), taken, true)).toBe('long')
  expect(shownName('a\nb\u202e.txt')).toBe('a\\nb\\u202e.txt')
  expect(stemLength('src/a.test.ts')).toBe('a.test'.length)
})
