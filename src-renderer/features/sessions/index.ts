/** Sessions as a feature: the side pane with all of them, and a mark on the rail for those that ask or run. */
import { History } from 'lucide-react'
import { sessionListMirror } from '../../state/mirror/session-list.ts'
import { changeLayout } from '../../state/view/layout.ts'
import type { Feature, Pane } from '../feature.ts'
import { SessionsPane } from './sessions-pane.tsx'

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
  commands: { 'agent.sessions': () => changeLayout({ side: true, sidePane: 'sessions' }) },
}
