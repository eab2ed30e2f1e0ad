/** Changes as groups and rows: a pure reading of what git says. A file staged and changed again stands in both groups. */
import type { GitChange, GitConflictKind, GitFile } from '#contract/git'
import { pathKey, type WirePath } from '#contract/path'

export const groupIds = ['conflicts', 'staged', 'changes', 'untracked'] as const
export type GroupId = (typeof groupIds)[number]

export interface Change {
  readonly group: GroupId
  readonly path: WirePath
  /** Where a renamed or copied file was, relative to the root; null where that lies outside. */
  readonly from: string | null
  readonly state: GitChange | 'conflicted'
  readonly conflict: GitConflictKind | null
  readonly submodule: boolean
}

export type ChangeRow =
  | { readonly kind: 'group'; readonly group: GroupId; readonly count: number; readonly open: boolean }
  | { readonly kind: 'change'; readonly change: Change; readonly position: number; readonly siblings: number }

export const changeKey = ({ group, path }: Pick<Change, 'group' | 'path'>): string => `${group}\0${pathKey(path)}`
export const rowKey = (row: ChangeRow): string => (row.kind === 'group' ? row.group : changeKey(row.change))

export function changesOf(files: readonly GitFile[]): Change[] {
  const changes: Record<GroupId, Change[]> = { conflicts: [], staged: [], changes: [], untracked: [] }
  for (const { path, index, worktree, from = null, conflict = null, submodule = false } of files) {
    const add = (group: GroupId, state: Change['state']) =>
      changes[group].push({
        group,
        path,
        from: state === 'renamed' || state === 'copied' ? from : null,
        state,
        conflict,
        submodule,
      })
    if (conflict) {
      add('conflicts', 'conflicted')
      continue
    }
    if (index) add('staged', index)
    if (worktree) add(worktree === 'untracked' ? 'untracked' : 'changes', worktree)
  }
  return groupIds.flatMap(group => changes[group])
}

/** Groups without a change have no row. */
export function rowsOf(changes: readonly Change[], closed: readonly GroupId[]): ChangeRow[] {
  const rows: ChangeRow[] = []
  for (const group of groupIds) {
    const mine = changes.filter(change => change.group === group)
    if (mine.length === 0) continue
    const open = !closed.includes(group)
    rows.push({ kind: 'group', group, count: mine.length, open })
    if (!open) continue
    mine.forEach((change, at) => {
      rows.push({ kind: 'change', change, position: at + 1, siblings: mine.length })
    })
  }
  return rows
}
