/** Asks about protected places that came to be while a command of the agent ran. Put away until there is another one. */
import { ShieldAlert, X } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { WorkspaceId } from '#contract/id'
import { belay } from '../client/index.ts'
import { useFollowed } from '../client/use-followed.ts'
import { showOver } from '../state/view/main-pane.ts'
import { useWorkspace } from '../state/view/workspace.ts'
import { useT } from '../ui/i18n.ts'
import { Button, IconButton } from '../ui/index.ts'

export function AsideBanner() {
  const workspace = useWorkspace()
  return workspace?.trusted ? <Waiting workspaceId={workspace.workspaceId} /> : null
}

function Waiting({ workspaceId }: { readonly workspaceId: WorkspaceId }) {
  const t = useT()
  /** Those that were there when it was put away. */
  const [away, setAway] = useState<readonly string[]>([])
  const open = useCallback((signal: AbortSignal) => belay.sandbox.setAside({ workspaceId }, { signal }), [workspaceId])
  const places = useFollowed(open, 'sandbox/setAsideChanged').value?.places ?? []
  const ids = places.map(({ id }) => id)
  if (ids.every(id => away.includes(id))) return null
  const title = t('app.aside', { count: places.length })
  return (
    <section className="app-banner app-banner-ask" aria-label={title}>
      <ShieldAlert size={15} />
      <span className="app-banner-text">
        <b>{title}</b> {t('app.asideMeans')}
      </span>
      <Button onClick={() => showOver('settings', 'jail')}>{t('app.asideShow')}</Button>
      <IconButton label={t('app.putAway')} icon={X} size={14} onClick={() => setAway(ids)} />
    </section>
  )
}
