/** Text in the files of the open folder. */
import { Search } from 'lucide-react'
import { changeLayout } from '../../state/view/layout.ts'
import type { Feature } from '../feature.ts'
import { SearchPane } from './search-pane.tsx'
import { search } from './search-run.ts'
import { question } from './search-state.ts'

export const searchInFiles: Feature = {
  id: 'search',
  panes: [{ id: 'search', title: 'search.title', icon: Search, place: 'side', order: 20, component: SearchPane }],
  commands: {
    'search.show': argument => {
      const query = argument?.query
      changeLayout({ side: true, sidePane: 'search' })
      requestAnimationFrame(() => {
        const field = document.querySelector<HTMLInputElement>('[data-search-field]')
        field?.focus()
        field?.select()
      })
      if (!query) return
      question.set(now => ({ ...now, query }))
      void search()
    },
  },
}
