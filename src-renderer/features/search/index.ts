/** Text in the files of the open folder. */
import { Search } from 'lucide-react'
import { changeLayout } from '../../state/view/layout.ts'
import type { Feature } from '../feature.ts'
import { replacePlaces, undoReplace } from './replace-run.ts'
import { SearchPane } from './search-pane.tsx'
import { answer, isAnswered } from './search-run.ts'
import { question, searchState } from './search-state.ts'

export const searchInFiles: Feature = {
  id: 'search',
  panes: [{ id: 'search', title: 'search.title', icon: Search, place: 'side', order: 20, component: SearchPane }],
  commands: {
    'search.show': argument => show(argument ?? {}),
    'search.replace': argument => show({ ...argument, replacing: true }),
    'search.replaceAll': async () => {
      const { replacing } = question.get()
      if (replacing && isAnswered() && !searchState.getState().running) await replacePlaces()
      else show({ replacing: true })
    },
    'search.undoReplace': undoReplace,
  },
}

interface Wish {
  readonly query?: string
  readonly include?: string
  readonly replacing?: boolean
}

/** The pane with the focus in its field; what was wished for is asked at once. */
function show({ query, include, replacing }: Wish): void {
  changeLayout({ side: true, sidePane: 'search' })
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLTextAreaElement>('.search-field')
    field?.focus()
    field?.select()
  })
  if (query === undefined && include === undefined && replacing === undefined) return
  question.set({
    ...(query === undefined ? {} : { query }),
    ...(include === undefined ? {} : { include, filters: true, openOnly: false }),
    ...(replacing === undefined ? {} : { replacing }),
  })
  void answer()
}
