/** Says that a folder is not trusted, what that means, and how to change it. */
import { ShieldAlert } from 'lucide-react'
import { useCommand } from '../features/commands.ts'
import { useWorkspace } from '../state/view/workspace.ts'
import { useT } from '../ui/i18n.ts'
import { Button } from '../ui/index.ts'

export function TrustBanner() {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  if (!workspace || workspace.trusted || workspace.roots[0]?.missing) return null
  return (
    <section className="app-banner app-banner-ask" aria-label={t('app.untrusted')}>
      <ShieldAlert size={15} />
      <span className="app-banner-text">
        <b>{t('app.untrusted')}</b> {t('app.untrustedMeans')}
      </span>
      <Button onClick={() => void run('app.trust')}>{t('app.trust')}</Button>
    </section>
  )
}
