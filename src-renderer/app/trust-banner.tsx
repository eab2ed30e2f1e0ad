/** Says that a folder is not trusted, what that means, and how to change it. */
import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { useCommand } from '../features/commands.ts'
import { useWorkspace } from '../state/view/workspace.ts'
import { useT } from '../ui/i18n.ts'
import { Button, ConfirmDialog } from '../ui/index.ts'

export function TrustBanner() {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  const [asking, setAsking] = useState(false)
  if (!workspace || workspace.trusted) return null
  return (
    <section className="app-banner app-banner-ask" aria-label={t('app.untrusted')}>
      <ShieldAlert size={15} />
      <span className="app-banner-text">
        <b>{t('app.untrusted')}</b> {t('app.untrustedMeans')}
      </span>
      <Button onClick={() => setAsking(true)}>{t('app.trust')}</Button>
      <ConfirmDialog
        open={asking}
        title={t('app.trustAsk', { name: workspace.name })}
        body={t('app.trustMeans')}
        confirmLabel={t('app.trust')}
        cancelLabel={t('app.notNow')}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          void run('app.trust')
        }}
      />
    </section>
  )
}
