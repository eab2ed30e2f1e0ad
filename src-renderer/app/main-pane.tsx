/** The middle: editor or welcome, and over it a page that was asked for. The editor stays in the page behind it. */
import { useLayoutEffect } from 'react'
import { mainPane } from '../state/view/main-pane.ts'
import { useOpening, useWorkspace } from '../state/view/workspace.ts'
import { useT } from '../ui/i18n.ts'
import { Spinner } from '../ui/index.ts'
import { panesAt } from './features.ts'
import { PaneFrame } from './pane-frame.tsx'
import { giveFocusBack } from './parts.ts'

export function MainPane() {
  const t = useT()
  const workspace = useWorkspace()
  const opening = useOpening()
  const over = mainPane(state => state.over)
  const panes = panesAt('main')
  const page = panes.find(pane => pane.id === over)
  const ground = panes.find(pane => pane.id === (workspace ? 'editor' : opening === null ? 'welcome' : null))
  const front = page ?? ground
  const pageId = page?.id
  useLayoutEffect(() => {
    if (pageId === undefined) return
    const before = document.activeElement
    // In a microtask the page is gone, and the focus with it if it was there.
    return () => queueMicrotask(() => giveFocusBack(before))
  }, [pageId])
  return (
    <main className="app-main" data-part="main" aria-label={front ? t(front.title) : t('app.main')}>
      {!workspace && opening && (
        <div className="app-loading">
          <Spinner label={t('app.opening', { folder: opening })} />
        </div>
      )}
      {ground && (
        <div className="app-view" hidden={page !== undefined}>
          <PaneFrame key={ground.id} pane={ground} />
        </div>
      )}
      {page && (
        <div className="app-view">
          <PaneFrame key={page.id} pane={page} />
        </div>
      )}
    </main>
  )
}
