/** Problems by file: a tree of two levels, virtual, with one focus and the keys every tree has. */
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useT } from '../../ui/i18n.ts'
import { RowTree, type VirtualListHandle } from '../../ui/index.ts'
import { listStep } from '../../ui/list-step.ts'
import { type RunCommand, useCommand } from '../commands.ts'
import { openProblem } from './acts.ts'
import { copyRow, problemMenu } from './menu.ts'
import { FileLine, MoreLine, ProblemLine } from './problem-row.tsx'
import { type ProblemRow, rowKey } from './rows.ts'
import { problemView, setClosed } from './view.ts'

const ROW_PX = 24

interface ProblemListProps {
  readonly rows: readonly ProblemRow[]
  /** Up, out of the first row. */
  readonly onLeave: () => void
}

export function ProblemList({ rows, onLeave }: ProblemListProps) {
  const t = useT()
  const run = useCommand()
  const focus = problemView(state => state.focus)
  const list = useRef<VirtualListHandle>(null)
  const at = focus === null ? -1 : rows.findIndex(row => rowKey(row) === focus)
  useEffect(() => {
    if (at >= 0) list.current?.scrollToIndex(at)
  }, [at])

  const focusOn = (row: ProblemRow | undefined) => problemView.setState({ focus: row ? rowKey(row) : null })
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at]
    const next = listStep(event.key, { at, count: rows.length, list: list.current, rowPixels: ROW_PX })
    const mod = event.ctrlKey || event.metaKey
    if (next !== undefined) {
      const target = rows[next]
      if (target) focusOn(target)
      else if (next < 0) onLeave()
    } else if (event.key === 'Escape') onLeave()
    else if (!row) return
    else if (mod && event.key === 'c') copyRow(row)
    else if (mod || event.altKey) return
    else if (event.key === 'Enter' || event.key === ' ') act(run, row, event.key === 'Enter')
    else if (event.key === 'ArrowRight') {
      if (row.kind === 'file' && !row.open) setClosed(row.file.key, false)
      else if (row.kind === 'file') focusOn(rows[at + 1])
    } else if (event.key === 'ArrowLeft') {
      if (row.kind !== 'file') problemView.setState({ focus: row.file.key })
      else if (row.open) setClosed(row.file.key, true)
    } else return
    event.preventDefault()
  }
  return (
    <RowTree
      name="problems"
      label={t('problems.title')}
      marks={{ 'data-problem-list': '', 'data-autofocus': '' }}
      handle={list}
      rows={rows}
      rowPixels={ROW_PX}
      keyOf={rowKey}
      at={at}
      menu={() => (rows[at] ? problemMenu(rows[at], run) : [])}
      facts={row => {
        if (row.kind === 'more') return { level: 2 }
        const { position, siblings } = row
        return row.kind === 'file'
          ? { level: 1, expanded: row.open, position, siblings }
          : { level: 2, position, siblings }
      }}
      onKeyDown={onKeyDown}
      onPoint={focusOn}
      onOpen={row => act(run, row, false)}
      onDoubleClick={row => row.kind === 'problem' && act(run, row, true)}
      render={row =>
        row.kind === 'file' ? (
          <FileLine row={row} />
        ) : row.kind === 'more' ? (
          <MoreLine count={row.count} />
        ) : (
          <ProblemLine row={row} />
        )
      }
    />
  )
}

/** A click shows the place and leaves the focus in the list, Enter goes there. */
function act(run: RunCommand, row: ProblemRow, enter: boolean): void {
  if (row.kind === 'file') setClosed(row.file.key, row.open)
  else if (row.kind === 'problem') void openProblem(run, row.file.path, row.listed.problem, enter)
}
