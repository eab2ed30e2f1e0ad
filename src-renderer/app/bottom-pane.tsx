/** Terminal, problems, output: tabs under the editor. */
import { ChevronDown } from 'lucide-react'
import { useCommand } from '../features/commands.ts'
import type { Pane } from '../features/feature.ts'
import { changeLayout, layout } from '../state/view/layout.ts'
import { useT } from '../ui/i18n.ts'
import { Badge, IconButton, Tabs } from '../ui/index.ts'
import { panesAt } from './features.ts'
import { PaneFrame } from './pane-frame.tsx'
import { useVisited } from './side-pane.tsx'

export function BottomPane() {
  const t = useT()
  const run = useCommand()
  const { bottom, bottomPane } = layout.use()
  const panes = panesAt('bottom')
  const front = panes.find(pane => pane.id === bottomPane) ?? panes[0]
  const visited = useVisited(bottom ? front?.id : undefined)
  if (!front) return null
  return (
    <section className="app-bottom" data-part="bottom" aria-label={t(front.title)}>
      <Tabs
        className="app-bottom-tabs"
        label={t('app.bottom')}
        value={front.id}
        onChange={id => changeLayout({ bottomPane: id })}
        tabs={panes.map(pane => ({
          id: pane.id,
          label: <TabLabel pane={pane} />,
          content: visited.has(pane.id) ? <PaneFrame pane={pane} /> : null,
          keep: true,
        }))}
        actions={
          <IconButton label={t('app.hideBottom')} icon={ChevronDown} onClick={() => void run('app.toggleBottom')} />
        }
      />
    </section>
  )
}

const noBadge = () => null

function TabLabel({ pane }: { readonly pane: Pane }) {
  const t = useT()
  const useBadge = pane.useBadge ?? noBadge
  const badge = useBadge()
  return (
    <>
      {t(pane.title)}
      {badge && <Badge tone={badge.tone}>{badge.text}</Badge>}
    </>
  )
}
