/** Sessions as a feature: the side pane with the tree of them, two side by side, their way out and in, and a mark for those that ask or run. */
import { GitCompareArrows, History } from 'lucide-react'
import { lazy } from 'react'
import { sessionListMirror } from '../../state/mirror/session-list.ts'
import { changeLayout } from '../../state/view/layout.ts'
import { withWords } from '../../ui/i18n.ts'
import type { Feature, Pane } from '../feature.ts'
import { COMPARE_PAGE } from './compare/argument.ts'
import { compareBranches } from './compare/pick.ts'
import { exporting, importSession } from './exchange.ts'
import { SessionsOverlay } from './overlay.tsx'
import { SessionsPane } from './sessions-pane.tsx'

const ComparePage = lazy(async () => ({
  default: (await withWords('recover', import('./compare/compare-page.tsx'))).ComparePage,
}))

const useBadge: NonNullable<Pane['useBadge']> = () => {
  const asking = sessionListMirror(({ sessions }) => sessions.filter(each => each.state === 'asking').length)
  const running = sessionListMirror(({ sessions }) => sessions.filter(each => each.state === 'running').length)
  if (asking > 0) return { text: String(asking), tone: 'ask' }
  return running > 0 ? { text: String(running), tone: 'plain' } : null
}

export const sessions: Feature = {
  id: 'sessions',
  panes: [
    {
      id: 'sessions',
      title: 'sessions.pane',
      icon: History,
      place: 'side',
      order: 30,
      component: SessionsPane,
      useBadge,
    },
  ],
  pages: [{ id: COMPARE_PAGE, icon: GitCompareArrows, component: ComparePage }],
  commands: {
    'agent.sessions': () => changeLayout({ side: true, sidePane: 'sessions' }),
    'agent.compareBranches': compareBranches,
    'agent.exportMarkdown': exporting('markdown'),
    'agent.exportJson': exporting('jsonl'),
    'agent.importSession': importSession,
  },
  overlay: SessionsOverlay,
}
