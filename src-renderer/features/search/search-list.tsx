/** Results by file: a tree of two levels, virtual, with one focus and the keys every tree has. */
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { pathKey } from '#contract/path'
import { useT } from '../../ui/i18n.ts'
import { RowTree, type VirtualListHandle } from '../../ui/index.ts'
import { listStep } from '../../ui/list-step.ts'
import { type RunCommand, useCommand } from '../commands.ts'
import { dismiss, replaceRow } from './row-actions.ts'
import { searchMenu } from './search-menu.ts'
import { type ResultRow, resultRows, rowKey } from './search-results.ts'
import { FileHead, MatchLine, type RowActions } from './search-row.tsx'
import { question, searchState } from './search-state.ts'

const ROW_PX = 24

export function SearchList({ onLeave }: { readonly onLeave: () => void }) {
  const t = useT()
  const run = useCommand()
  const { results, closed, focus, answered } = searchState()
  const { replacing, replacement: template, regex, preserveCase } = question.use()
  // What the core kept no places for cannot be replaced yet: those come with the next answer.
  const rule = replacing && answered?.replacing ? { template, regex, preserveCase } : null
  const each = rule !== null
  const rows = useMemo(() => resultRows(results, closed, each), [results, closed, each])
  const list = useRef<VirtualListHandle>(null)
  const at = rows.findIndex(row => rowKey(row) === focus)
  useEffect(() => {
    if (at >= 0) list.current?.scrollToIndex(at)
  }, [at])

  const focusOn = (row: ResultRow | undefined) => searchState.setState({ focus: row ? rowKey(row) : null })
  const act = (work: (row: ResultRow) => void) => (row: ResultRow) => {
    const place = rows.findIndex(other => rowKey(other) === rowKey(row))
    focusOn(nextAfter(rows, place))
    work(row)
  }
  const actions: RowActions = { onReplace: rule && act(row => void replaceRow(row)), onDismiss: act(dismiss) }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at]
    const next = listStep(event.key, { at, count: rows.length, list: list.current, rowPixels: ROW_PX })
    if (next !== undefined) {
      const target = rows[next]
      if (target) focusOn(target)
      else if (next < 0) onLeave()
    } else if (event.key === 'Escape') onLeave()
    else if (!row) return
    else if (event.key === 'Delete') actions.onDismiss(row)
    else if (event.code === 'Digit1' && event.shiftKey && (event.ctrlKey || event.metaKey)) actions.onReplace?.(row)
    else if (event.key === 'Enter' || event.key === ' ') void openRow(run, row, event.key === 'Enter')
    else if (event.key === 'ArrowRight') right(row, rows[at + 1])
    else if (event.key === 'ArrowLeft') left(row)
    else return
    event.preventDefault()
  }
  return (
    <RowTree
      name="search"
      label={t('search.results')}
      marks={{ 'data-context': 'list', 'data-search-list': '' }}
      handle={list}
      rows={rows}
      rowPixels={ROW_PX}
      keyOf={rowKey}
      at={at}
      menu={() => (rows[at] ? searchMenu(rows[at], run, actions) : [])}
      facts={row =>
        row.kind === 'file'
          ? { level: 1, expanded: row.open, position: row.position, siblings: results.files.length }
          : { level: 2, position: row.position, siblings: row.siblings }
      }
      onKeyDown={onKeyDown}
      onPoint={focusOn}
      onOpen={row => void openRow(run, row, false)}
      render={row =>
        row.kind === 'file' ? (
          <FileHead row={row} actions={actions} />
        ) : (
          <MatchLine row={row} rule={rule} actions={actions} />
        )
      }
    />
  )
}

/** The row that stands where this one was when it and what is below it have gone; the one before at the end. */
function nextAfter(rows: readonly ResultRow[], at: number): ResultRow | undefined {
  const own = rows[at]
  const after = rows.slice(at + 1).find(row => own?.kind === 'match' || row.kind === 'file')
  return after ?? rows.slice(0, at).findLast(row => own?.kind === 'file' || row.kind === 'match')
}

async function openRow(run: RunCommand, row: ResultRow, enter: boolean): Promise<void> {
  if (row.kind === 'file') return toggle(row)
  const { match } = row
  const column = (match.cutBefore ?? 0) + (match.ranges[0]?.[0] ?? 0) + 1
  await run('editor.open', { path: match.path, line: match.line, column, preview: true, focus: enter })
}

function toggle(row: Extract<ResultRow, { kind: 'file' }>): void {
  const key = pathKey(row.file.path)
  searchState.setState(state => {
    const closed = new Set(state.closed)
    if (!closed.delete(key)) closed.add(key)
    return { closed }
  })
}

function right(row: ResultRow, next: ResultRow | undefined): void {
  if (row.kind === 'file' && !row.open) toggle(row)
  else if (row.kind === 'file' && next) searchState.setState({ focus: rowKey(next) })
}

function left(row: ResultRow): void {
  if (row.kind === 'match') searchState.setState({ focus: pathKey(row.match.path) })
  else if (row.open) toggle(row)
}
