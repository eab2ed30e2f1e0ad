/** How a person looks at problems: what is filtered, which files are folded, where the list stands. */
import { create } from 'zustand'
import { keptPerWorkspace } from '../../state/view/per-workspace.ts'
import { remembered } from '../../state/view/remember.ts'
import { allShown, type ProblemFilter } from './rows.ts'

export const problemFilter = remembered<ProblemFilter>('problems.filter', allShown)

export interface ProblemView {
  /** What every row must have in it; of this window alone. */
  readonly query: string
  /** Files whose problems are folded away, by `pathKey`. */
  readonly closed: ReadonlySet<string>
  /** `rowKey` of the row in front. */
  readonly focus: string | null
}
export const problemView = create<ProblemView>(() => ({ query: '', closed: new Set(), focus: null }))
keptPerWorkspace(problemView)

export function setClosed(key: string, closed: boolean): void {
  problemView.setState(state => {
    const next = new Set(state.closed)
    if (closed) next.add(key)
    else next.delete(key)
    return { closed: next }
  })
}
