/** Which window a thing belongs to. */
import { expect, it } from 'vitest'
import { holderOfFile, holderOfFolder } from './holder.ts'

const window = (name: string, ...folders: string[]) => ({ name, folders })
const windows = [
  window('several', '/x', '/w/a/b', '/y'),
  window('outer', '/w'),
  window('inner', '/w/a'),
  window('again', '/w/a'),
  window('own', '/y'),
  window('welcome'),
]

it('a folder belongs to the window that shows it, its own before one beside others', () =>
  expect(['/w', '/w/a', '/w/a/b', '/y', '/z', '/w/'].map(path => holderOfFolder(windows, path)?.name)).toEqual([
    ...['outer', 'inner', 'several', 'own', undefined, undefined],
  ]))

it('a file belongs to the innermost folder that holds it', () => {
  const found = ['/w/a.ts', '/w/ab/c', '/w/a/c.ts', '/w/a/b/c.ts', '/x/y', '/', '/wa']
  expect(found.map(path => holderOfFile(windows, path)?.name)).toEqual([
    ...['outer', 'outer', 'inner', 'several', 'several', undefined, undefined],
  ])
  expect(holderOfFile([window('disk', '/')], '/any')?.name).toBe('disk')
})
