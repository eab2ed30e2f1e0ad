/** From what is to be looked at to the rows of the list. Pure. */
import { pathKey } from '#contract/path'
import type { ReviewFile } from '#contract/review'

export type GroupId = 'files' | 'others'
export type ListRow =
  | { readonly kind: 'group'; readonly group: GroupId; readonly open: boolean; readonly files: readonly ReviewFile[] }
  | {
      readonly kind: 'file'
      readonly group: GroupId
      readonly file: ReviewFile
      /** From 1, among those of its group. */
      readonly position: number
      readonly siblings: number
    }

export const rowKey = (row: ListRow): string =>
  row.kind === 'group' ? row.group : `${row.group} ${pathKey(row.file.path)}`

export function listRows(
  groups: Readonly<Record<GroupId, readonly ReviewFile[]>>,
  closed: ReadonlySet<GroupId>,
): ListRow[] {
  return (['files', 'others'] as const).flatMap(group => {
    const files = groups[group]
    if (files.length === 0) return []
    const open = !closed.has(group)
    const rows = files.map(
      (file, i): ListRow => ({ kind: 'file', group, file, position: i + 1, siblings: files.length }),
    )
    return [{ kind: 'group' as const, group, open, files }, ...(open ? rows : [])]
  })
}

/** The row that has the focus now that the rows are others: its own, else the one that stands where it stood. */
export function rowAfter(before: readonly ListRow[], now: readonly ListRow[], focus: string | null): number {
  const at = now.findIndex(row => rowKey(row) === focus)
  if (at >= 0 || focus === null) return at
  const was = before.findIndex(row => rowKey(row) === focus)
  return was < 0 ? -1 : Math.min(was, now.length - 1)
}
