/** The list of problems with its filter above it, and in their place words that are true where there are none. */
import { useMemo, useRef } from 'react'
import { pathKey } from '#contract/path'
import { problemMirror } from '../../state/mirror/problem.ts'
import { useCurrentTab } from '../../state/view/editor.ts'
import { textPathOf } from '../../state/view/editor-tabs.ts'
import { FilterBar } from './filter-bar.tsx'
import { NoMatch, NoProblems } from './no-problems.tsx'
import { ProblemList } from './problem-list.tsx'
import { inOrder, problemRows } from './rows.ts'
import { ServerNotes } from './server-notes.tsx'
import { problemFilter, problemView } from './view.ts'
import './problems.css'

export function ProblemsPane() {
  const files = problemMirror(state => state.files)
  const filter = problemFilter.use()
  const { query, closed } = problemView()
  const field = useRef<HTMLInputElement>(null)
  const tab = useCurrentTab()
  const front = tab && textPathOf(tab)
  const here = front ? pathKey(front) : null
  const ordered = useMemo(() => inOrder(files.values()), [files])
  const rows = useMemo(
    () => problemRows(ordered, { filter, query, here, closed }),
    [ordered, filter, query, here, closed],
  )
  return (
    <div className="problems" data-context="list">
      <FilterBar field={field} onDown={enterList} />
      <ServerNotes />
      {rows.length > 0 ? (
        <ProblemList rows={rows} onLeave={() => field.current?.focus()} />
      ) : ordered.length > 0 ? (
        <NoMatch />
      ) : (
        <NoProblems />
      )}
    </div>
  )
}

const enterList = () => document.querySelector<HTMLElement>('[data-problem-list]')?.focus()
