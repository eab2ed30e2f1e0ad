import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GitFile } from '#contract/git'
import { RootId } from '#contract/id'
import { changeKey, changesOf, groupIds, rowKey, rowsOf } from './rows.ts'

const rootId = RootId.parse('root_x')
const file = (path: string, more: Partial<GitFile>): GitFile => ({
  path: { rootId, path },
  state: 'modified',
  staged: false,
  ...more,
})

test('a file staged and changed again stands in both groups, one in conflict only there', () => {
  const changes = changesOf([
    file('both', { index: 'added', worktree: 'modified' }),
    file('clash', { conflict: 'bothModified', index: 'modified', worktree: 'modified' }),
    file('new', { worktree: 'untracked' }),
    file('there', { index: 'renamed', from: 'here' }),
  ])
  expect(changes.map(({ group, path, state, from }) => [group, path.path, state, from])).toEqual([
    ['conflicts', 'clash', 'conflicted', null],
    ['staged', 'both', 'added', null],
    ['staged', 'there', 'renamed', 'here'],
    ['changes', 'both', 'modified', null],
    ['untracked', 'new', 'untracked', null],
  ])
})

test('every change has one row of its own, unless its group is closed; counts stay', () => {
  const state = fc.constantFrom<GitFile['index']>(undefined, 'modified', 'added', 'deleted', 'renamed')
  const files = fc.uniqueArray(
    fc.record({ path: fc.string({ minLength: 1, maxLength: 4 }), index: state, worktree: state }),
    { selector: each => each.path },
  )
  fc.assert(
    fc.property(files, fc.subarray([...groupIds]), (given, closed) => {
      const changes = changesOf(given.map(({ path, ...more }) => file(path, more)))
      const rows = rowsOf(changes, closed)
      const keys = rows.map(rowKey)
      expect(new Set(keys).size).toBe(keys.length)
      for (const change of changes) expect(keys.includes(changeKey(change))).toBe(!closed.includes(change.group))
      for (const row of rows)
        if (row.kind === 'group') expect(row.count).toBe(changes.filter(each => each.group === row.group).length)
    }),
  )
})
