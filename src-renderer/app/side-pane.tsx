/** The view that the rail points to. Views once shown stay, so that coming back finds them as they were. */
import { useState } from 'react'
import { layout } from '../state/view/layout.ts'
import { useT } from '../ui/i18n.ts'
import { panesAt } from './features.ts'
import { PaneFrame } from './pane-frame.tsx'

export function SidePane() {
  const t = useT()
  const wanted = layout.use(now => now.sidePane)
  const panes = panesAt('side')
  const front = panes.find(pane => pane.id === wanted) ?? panes[0]
  const visited = useVisited(front?.id)
  return (
    <aside className="app-side" data-part="side" aria-label={front ? t(front.title) : t('app.side')}>
      {panes
        .filter(pane => visited.has(pane.id))
        .map(pane => (
          <div key={pane.id} className="app-view" hidden={pane !== front}>
            <PaneFrame pane={pane} />
          </div>
        ))}
    </aside>
  )
}

/** Ids that were in front at some time. */
export function useVisited(id: string | undefined): ReadonlySet<string> {
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set())
  if (id === undefined || visited.has(id)) return visited
  const next = new Set([...visited, id])
  setVisited(next)
  return next
}
