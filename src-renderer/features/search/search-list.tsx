/** Results by file: a tree of two levels, virtual, with one focus and the keys every tree has. */
import { ChevronDown, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { baseName, parentPath, pathKey } from '#contract/path'
import { useT } from '../../ui/i18n.ts'
import { Badge, cx, VirtualList, type VirtualListHandle } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { piecesOf, type ResultRow, resultRows, rowKey } from './search-results.ts'
import { searchState } from './search-state.ts'

const ROW_PX = 24

export function SearchList({ onLeave }: { readonly onLeave: () => void }) {
  const t = useT()
  const run = useCommand()
  const { results, closed, focus } = searchState()
  const rows = useMemo(() => resultRows(results, closed), [results, closed])
  const list = useRef<VirtualListHandle>(null)
  const at = rows.findIndex(row => rowKey(row) === focus)
  useEffect(() => {
    if (at >= 0) list.current?.scrollToIndex(at)
  }, [at])

  const openRow = async (row: ResultRow, enter: boolean) => {
    if (row.kind === 'file') return toggle(row)
    const { match } = row
    const column = (match.cutBefore ?? 0) + (match.ranges[0]?.[0] ?? 0) + 1
    await run('editor.open', { path: match.path, line: match.line, column, preview: true, focus: enter })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at]
    const page = Math.max(1, Math.floor((list.current?.element?.clientHeight ?? 0) / ROW_PX) - 1)
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: rows.length - 1,
      PageDown: Math.min(rows.length - 1, at + page),
      PageUp: Math.max(0, at - page),
    }
    const next = steps[event.key]
    if (next !== undefined) {
      const target = rows[next]
      if (target) searchState.setState({ focus: rowKey(target) })
      else if (next < 0) onLeave()
    } else if (event.key === 'Escape') onLeave()
    else if (row && (event.key === 'Enter' || event.key === ' ')) void openRow(row, event.key === 'Enter')
    else if (row && event.key === 'ArrowRight') right(row, rows[at + 1])
    else if (row && event.key === 'ArrowLeft') left(row)
    else return
    event.preventDefault()
  }
  return (
    <VirtualList
      role="tree"
      tabIndex={0}
      aria-label={t('search.results')}
      aria-activedescendant={at >= 0 ? `search-row-${at}` : undefined}
      className="search-list"
      data-context="list"
      data-search-list=""
      handle={list}
      items={rows}
      keyOf={rowKey}
      rowHeight={ROW_PX}
      overscan={12}
      onKeyDown={onKeyDown}
      onFocus={() => at < 0 && rows[0] && searchState.setState({ focus: rowKey(rows[0]) })}
      render={(row, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and points here
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys
        <div
          id={`search-row-${index}`}
          role="treeitem"
          aria-level={row.kind === 'file' ? 1 : 2}
          aria-expanded={row.kind === 'file' ? row.open : undefined}
          aria-posinset={row.position}
          aria-setsize={row.kind === 'file' ? results.files.length : row.siblings}
          aria-selected={index === at}
          className={cx('search-row', index === at && 'search-focused')}
          onClick={() => {
            searchState.setState({ focus: rowKey(row) })
            void openRow(row, false)
          }}
        >
          {row.kind === 'file' ? <FileHead row={row} /> : <MatchLine row={row} />}
        </div>
      )}
    />
  )
}

function FileHead({ row }: { readonly row: Extract<ResultRow, { kind: 'file' }> }) {
  const { path } = row.file
  const Icon = row.open ? ChevronDown : ChevronRight
  const count = row.file.matches.reduce((sum, match) => sum + match.ranges.length, 0)
  return (
    <>
      <Icon size={14} />
      <span className="search-file" title={path.path}>
        {baseName(path.path)}
      </span>
      <span className="search-folder">{parentPath(path.path)}</span>
      <Badge>{count}</Badge>
    </>
  )
}

function MatchLine({ row }: { readonly row: Extract<ResultRow, { kind: 'match' }> }) {
  return (
    <span className="search-match">
      {piecesOf(row.match).map((piece, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one line never move
        piece.hit ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>,
      )}
      <span className="search-line">{row.match.line}</span>
    </span>
  )
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
