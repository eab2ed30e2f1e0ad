/** What language servers find wrong, as a list and in the status line; how the servers do; what they write. */
import { CircleAlert, ScrollText } from 'lucide-react'
import { lazy } from 'react'
import { problemMirror } from '../../state/mirror/problem.ts'
import { changeLayout } from '../../state/view/layout.ts'
import { formatCount } from '../../ui/format.ts'
import { withWords } from '../../ui/i18n.ts'
import type { Feature } from '../feature.ts'
import { fixWithAgent, goToProblem } from './acts.ts'
import { fixMenu } from './fix-menu.ts'
import { outputView } from './output/view.ts'
import { ProblemsOverlay } from './overlay.tsx'
import { keepShown } from './shown-texts.ts'
import { ProblemsItem, ServerItem } from './status.tsx'

const ProblemsPane = lazy(async () => ({ default: (await import('./problems-pane.tsx')).ProblemsPane }))
const OutputPane = lazy(async () => ({
  default: (await withWords('servers', import('./output/output-pane.tsx'))).OutputPane,
}))

const useBadge = () => {
  const { error, warning } = problemMirror(state => state.total)
  if (error + warning === 0) return null
  return { text: formatCount(error + warning), tone: error > 0 ? ('error' as const) : ('ask' as const) }
}

export const problems: Feature = {
  id: 'problems',
  panes: [
    {
      id: 'problems',
      title: 'problems.title',
      icon: CircleAlert,
      place: 'bottom',
      order: 20,
      component: ProblemsPane,
      useBadge,
    },
    { id: 'output', title: 'problems.output', icon: ScrollText, place: 'bottom', order: 30, component: OutputPane },
  ],
  status: [
    { id: 'problems.count', side: 'left', order: 20, component: ProblemsItem },
    { id: 'problems.servers', side: 'left', order: 30, component: ServerItem },
  ],
  companions: [fixMenu, keepShown],
  overlay: ProblemsOverlay,
  commands: {
    'problems.show': (_, run) => run('app.showPane', { pane: 'problems' }),
    'problems.next': (_, run) => goToProblem(1, run),
    'problems.previous': (_, run) => goToProblem(-1, run),
    'problems.fix': fixWithAgent,
    'output.show': (argument, run) => {
      if (argument) outputView.set({ serverId: argument.serverId })
      changeLayout({ bottom: true, bottomPane: 'output' })
      return run('app.showPane', { pane: 'output' })
    },
  },
}
