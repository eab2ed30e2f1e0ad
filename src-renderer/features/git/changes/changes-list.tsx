/** The changes: a tree of two levels, virtual, several rows chosen at once; Space stages, Enter opens, Delete discards. */
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef } from 'react'
import { useT } from '../../../ui/i18n.ts'
import { ContextMenu, VirtualList, type VirtualListHandle } from '../../../ui/index.ts'
import { listStep } from '../../../ui/list-step.ts'
import { useCommand } from '../../commands.ts'
import { told } from '../attempt.ts'
import { discard, stage, unstage } from '../verbs/files.ts'
import { ChangeRowView, type RowActions } from './change-row.tsx'
import { changesMenu } from './menu.ts'
import { type Change, type ChangeRow, groupIds, rowKey, rowsOf } from './rows.ts'
import { chooseOnly, chooseRange, chooseToggle, closedGroups, selection, toggleGroup } from './selection.ts'

const ROW_PX = 24

export function ChangesList({ changes }: { readonly changes: readonly Change[] }) {
  const t = useT()
  const run = useCommand()
  const closed = closedGroups.use()
  const rows = useMemo(() => rowsOf(changes, closed), [changes, closed])
  const { chosen, focus } = selection()
  const list = useRef<VirtualListHandle>(null)
  const places = useMemo(() => new Map(rows.map((row, index) => [rowKey(row), index])), [rows])
  const at = (focus === null ? undefined : places.get(focus)) ?? -1
  const groups = useMemo(
    () => groupIds.filter(group => rows.some(row => row.kind === 'group' && row.group === group)),
    [rows],
  )
  useEffect(() => {
    if (at >= 0) list.current?.scrollToIndex(at)
  }, [at])
  // A row that went away (staged, discarded) leaves the focus where it stood.
  const last = useRef(0)
  useEffect(() => {
    if (at >= 0) last.current = at
    else if (focus !== null && rows.length > 0) {
      const next = rows[Math.min(last.current, rows.length - 1)]
      if (next) chooseOnly(rowKey(next))
    }
  }, [at, focus, rows])

  const open = (change: Change, preview: boolean) =>
    void run('git.openChange', { path: change.path, from: change.from, group: change.group, preview })
  const within = (row: ChangeRow): readonly Change[] =>
    row.kind === 'change' ? [row.change] : changes.filter(change => change.group === row.group)
  const actions: RowActions = {
    onStage: row => told(stage(within(row))),
    onUnstage: row => told(unstage(within(row))),
    onDiscard: row => told(discard(within(row))),
    onOpenFile: ({ path }) => void run('editor.open', { path }),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (listKey(event, { rows, at, list: list.current, open })) event.preventDefault()
  }
  const onPress = (row: ChangeRow, event: MouseEvent) => {
    const key = rowKey(row)
    if (event.shiftKey) return chooseRange(rows, places.get(key) ?? 0)
    if (event.ctrlKey || event.metaKey) return chooseToggle(key)
    chooseOnly(key)
    if (row.kind === 'group') toggleGroup(row.group)
    else if (event.detail <= 1) open(row.change, true)
  }
  return (
    <ContextMenu entries={() => changesMenu(run, changes)}>
      <VirtualList
        role="tree"
        tabIndex={0}
        aria-label={t('source.changes')}
        aria-multiselectable="true"
        aria-activedescendant={at >= 0 ? `git-row-${at}` : undefined}
        className="git-list ui-rows"
        data-context="changes"
        data-git-changes=""
        data-autofocus=""
        handle={list}
        items={rows}
        keyOf={rowKey}
        rowHeight={ROW_PX}
        overscan={12}
        padding={{ end: ROW_PX }}
        onKeyDown={onKeyDown}
        onFocus={() => at < 0 && rows[0] && chooseOnly(rowKey(rows[0]))}
        render={(row, index) => (
          <ChangeRowView
            id={`git-row-${index}`}
            row={row}
            chosen={chosen.has(rowKey(row))}
            focused={index === at}
            groups={groups.length}
            groupAt={row.kind === 'group' ? groups.indexOf(row.group) + 1 : 0}
            actions={actions}
            onPress={onPress}
            onDoublePress={each => each.kind === 'change' && open(each.change, false)}
            onMenu={each => {
              if (!chosen.has(rowKey(each))) chooseOnly(rowKey(each))
            }}
          />
        )}
      />
    </ContextMenu>
  )
}

interface ListKeys {
  readonly rows: readonly ChangeRow[]
  readonly at: number
  readonly list: VirtualListHandle | null
  open(change: Change, preview: boolean): void
}

/** True when the key was the list's. Space, Delete and undo come by the table of commands. */
function listKey(event: KeyboardEvent, { rows, at, list, open }: ListKeys): boolean {
  if (event.altKey) return false
  const mod = event.ctrlKey || event.metaKey
  const row = rows[at]
  const next = listStep(event.key, { at, count: rows.length, list, rowPixels: ROW_PX })
  const target = next === undefined ? undefined : rows[next]
  if (next !== undefined) {
    if (!target) return true
    if (event.shiftKey) chooseRange(rows, next)
    else if (mod) selection.setState({ focus: rowKey(target) })
    else chooseOnly(rowKey(target))
    return true
  }
  if (mod && event.key.toLowerCase() === 'a' && !event.shiftKey) {
    selection.setState({ chosen: new Set(rows.filter(each => each.kind === 'change').map(rowKey)) })
    return true
  }
  if (!row || mod) return false
  if (event.key === 'Enter') {
    if (row.kind === 'group') toggleGroup(row.group)
    else open(row.change, false)
    return true
  }
  if (event.key === 'ArrowRight' && row.kind === 'group' && !row.open) toggleGroup(row.group)
  else if (event.key === 'ArrowRight' && row.kind === 'group' && rows[at + 1])
    chooseOnly(rowKey(rows[at + 1] as ChangeRow))
  else if (event.key === 'ArrowLeft' && row.kind === 'group' && row.open) toggleGroup(row.group)
  else if (event.key === 'ArrowLeft' && row.kind === 'change') chooseOnly(row.change.group)
  else return false
  return true
}
