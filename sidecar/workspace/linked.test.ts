import { expect, test } from 'vitest'
import { RootId } from '#contract/id'
import type { WirePath } from '#contract/path'
import type { PathChange } from '#contract/workspace'
import { createLinked } from './linked.ts'

const at = (path: string, root = 'root_x'): WirePath => ({ rootId: RootId.parse(root), path })
const told = (path: string, change: PathChange['change'], folder = false): PathChange => ({
  path: at(path),
  change,
  folder,
})

test('a folder seen through a link is listed again when something changes where it leads', () => {
  const linked = createLinked()
  linked.listed(at('link', 'root_y'), at('real/deep'))
  linked.listed(at('plain'), at('plain'))
  const through = (...changes: PathChange[]) => linked.through(changes).map(({ path }) => path)
  expect(through(told('real/deep/x', 'created'))).toEqual([at('link', 'root_y')])
  expect(through(told('real', 'deleted'))).toEqual([at('link', 'root_y')])
  expect(through(told('', 'overflow', true))).toEqual([at('link', 'root_y')])
  expect(through(told('real/x', 'created'), told('plain/x', 'created'))).toEqual([])
  expect(through(told('real/deep/further/x', 'created'))).toEqual([])
})

test('a folder with a link in it is listed again when what the link leads to comes, goes or becomes something else', () => {
  const linked = createLinked()
  linked.links(at('here'), [at('target/in')])
  const hits = (...changes: PathChange[]) => linked.through(changes).map(({ path }) => path.path)
  expect(hits(told('target/in', 'created', true))).toEqual(['here'])
  expect(hits(told('target', 'deleted'))).toEqual(['here'])
  expect(hits(told('target/in', 'changed', true))).toEqual(['here'])
  expect(hits(told('target/in', 'changed'), told('target/in/x', 'created'), told('target/other', 'created'))).toEqual(
    [],
  )
  linked.links(at('here'), [])
  expect(hits(told('target/in', 'created', true))).toEqual([])
})
