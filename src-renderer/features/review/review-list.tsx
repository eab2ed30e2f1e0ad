/** The files: a tree of two groups, virtual, with one focus. Going through it shows each file's changes; Enter goes into them. */
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { pathKey } from '#contract/path'
import type { ReviewScope } from '#contract/review'
import type { ReviewListing } from '../../state/mirror/review.ts'
import { useT } from '../../ui/i18n.ts'
import { type MenuEntry, RowTree, type VirtualListHandle } from '../../ui/index.ts'
import { listStep } from '../../ui/list-step.ts'
import { useCommand } from '../commands.ts'
import { FileRow, GroupRow } from './list-row.tsx'
import { type GroupId, type ListRow, listRows, rowAfter, rowKey } from './list-rows.ts'
import { onFocusWish, openFile, THE_LIST, useFront } from './review-state.ts'

const ROW_PX = 24

interface ReviewListProps {
  readonly scope: ReviewScope
  readonly list: ReviewListing
}

export function ReviewList({ scope, list }: ReviewListProps) {
  const t = useT()
  const run = useCommand()
  const front = useFront()
  const [closed, setClosed] = useState<ReadonlySet<GroupId>>(new Set())
  const rows = useMemo(
    () => listRows({ files: list.files, others: list.others }, closed),
    [list.files, list.others, closed],
  )
  const [focus, setFocus] = useState<string | null>(null)
  const before = useRef(rows)
  const at = rowAfter(before.current, rows, focus)
  const handle = useRef<VirtualListHandle>(null)
  useEffect(() => {
    before.current = rows
    const row = rows[at]
    if (row && rowKey(row) !== focus) setFocus(rowKey(row))
  }, [rows, at, focus])

  useEffect(() => onFocusWish(THE_LIST, () => handle.current?.element?.focus()), [])

  const toggle = (group: GroupId) =>
    setClosed(known => {
      const next = new Set(known)
      if (!next.delete(group)) next.add(group)
      return next
    })
  const goTo = (row: ListRow | undefined) => {
    if (!row) return
    setFocus(rowKey(row))
    handle.current?.scrollToIndex(rows.indexOf(row))
    if (row.kind === 'file') openFile({ scope, path: row.file.path }, false)
  }
  const enter = (row: ListRow) =>
    row.kind === 'group' ? toggle(row.group) : openFile({ scope, path: row.file.path }, true)
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at]
    const next = listStep(event.key, { at, count: rows.length, list: handle.current, rowPixels: ROW_PX })
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (next !== undefined) goTo(rows[next])
    else if (!row) return
    else if (event.key === 'Enter' || event.key === ' ') enter(row)
    else if (event.key === 'ArrowRight' && row.kind === 'group' && !row.open) toggle(row.group)
    else if (event.key === 'ArrowLeft' && row.kind === 'group' && row.open) toggle(row.group)
    else if (event.key === 'ArrowLeft' && row.kind === 'file')
      setFocus(rowKey({ kind: 'group', group: row.group, open: true, files: [] }))
    else return
    event.preventDefault()
  }
  const menu = (): MenuEntry[] => {
    const row = rows[at]
    if (row?.kind !== 'file') return []
    const { path } = row.file
    const entry = (id: 'review.acceptFile' | 'review.revertFile'): MenuEntry => ({
      id,
      label: t(`command.${id}`),
      onSelect: () => void run(id, { path }),
    })
    const decisions = row.group === 'files' ? [entry('review.revertFile')] : []
    if (row.group === 'files' && scope.kind !== 'git') decisions.unshift(entry('review.acceptFile'))
    return [
      ...decisions,
      { id: 'open', label: t('review.openTheFile'), onSelect: () => void run('editor.open', { path }) },
    ]
  }
  const isShown = (row: (typeof rows)[number]): boolean =>
    row.kind === 'file' && front !== null && pathKey(row.file.path) === pathKey(front)
  return (
    <RowTree
      name="review"
      label={t('review.files')}
      handle={handle}
      rows={rows}
      rowPixels={ROW_PX}
      keyOf={rowKey}
      at={at}
      menu={menu}
      facts={row =>
        row.kind === 'group'
          ? { level: 1, expanded: row.open, selected: false }
          : { level: 2, position: row.position, siblings: row.siblings, selected: isShown(row) }
      }
      onKeyDown={onKeyDown}
      onPoint={row => setFocus(row ? rowKey(row) : null)}
      onOpen={row => (row.kind === 'group' ? toggle(row.group) : goTo(row))}
      onDoubleClick={enter}
      render={row =>
        row.kind === 'group' ? (
          <GroupRow row={row} />
        ) : (
          <FileRow row={row} canAccept={scope.kind !== 'git' && row.group === 'files'} />
        )
      }
    />
  )
}
