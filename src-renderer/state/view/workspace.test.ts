import { expect, test } from 'vitest'
import type { RootId } from '#contract/id'
import type { WorkspaceInfo } from '#contract/workspace'
import { asInnermost, pathIn, rootNameIn } from './workspace.ts'

const root = (name: string, absolute: string) => ({ rootId: `root_${name}` as RootId, absolute, name, readOnly: false })
const app = root('app', '/w/app')
const core = root('core', '/w/app/packages/core')
const deep = root('deep', '/w/app/packages/core/deep')
const of = (...roots: ReturnType<typeof root>[]) => ({ roots }) as unknown as WorkspaceInfo
const at = ({ rootId }: { rootId: RootId }, path: string) => ({ rootId, path })

test('a place belongs to the innermost root that holds it', () => {
  const workspace = of(app, deep, core)
  expect(asInnermost(workspace, at(app, 'packages/core/a.ts'))).toEqual(at(core, 'a.ts'))
  expect(asInnermost(workspace, at(app, 'packages/core/deep/a.ts'))).toEqual(at(deep, 'a.ts'))
  expect(asInnermost(workspace, at(core, 'deep'))).toEqual(at(deep, ''))
  for (const path of ['packages/core2/a.ts', 'packages', 'a.ts', ''])
    expect(asInnermost(workspace, at(app, path))).toEqual(at(app, path))
  expect(asInnermost(workspace, at(deep, 'a.ts'))).toEqual(at(deep, 'a.ts'))
  expect(asInnermost(workspace, { uri: 'file:///x' })).toEqual({ uri: 'file:///x' })
  expect(asInnermost(of(root('c', 'C:\\w'), root('d', 'C:\\w\\in')), at(root('c', ''), 'in/a'))).toEqual(
    at(root('d', ''), 'a'),
  )
})

test('a full path is a place of the innermost root, or of none', () => {
  const workspace = of(app, deep, core)
  expect(pathIn(workspace, '/w/app/packages/core/a b#1.ts')).toEqual(at(core, 'a b#1.ts'))
  expect(pathIn(workspace, '/w/app/a.ts')).toEqual(at(app, 'a.ts'))
  expect(pathIn(workspace, '/w/apple/a b#1?ü.ts')).toEqual({ uri: 'file:///w/apple/a%20b%231%3F%C3%BC.ts' })
  expect(pathIn(of(root('disk', '/')), '/a.ts')).toEqual(at(root('disk', '/'), 'a.ts'))
  const windows = of(root('c', 'C:\\w'), root('d', 'D:\\'))
  expect(pathIn(windows, 'C:\\w\\in\\a.ts')).toEqual(at(root('c', ''), 'in/a.ts'))
  expect(pathIn(windows, 'D:\\a.ts')).toEqual(at(root('d', ''), 'a.ts'))
  expect(pathIn(windows, 'C:\\x\\a.ts')).toEqual({ uri: 'file:///C:/x/a.ts' })
})

test('a root is named where there are several', () => {
  expect(rootNameIn(of(app), app.rootId)).toBe(null)
  expect(rootNameIn(of(app, core), core.rootId)).toBe('core')
  expect(rootNameIn(null, app.rootId)).toBe(null)
})
