/** Says loudly that commands cannot be jailed here, what that means for them, and where to learn more. Put away until the window is opened anew. */
import { ShieldOff, X } from 'lucide-react'
import { useState } from 'react'
import { useCommand } from '../features/commands.ts'
import { jailMirror } from '../state/mirror/jail.ts'
import { useWorkspace } from '../state/view/workspace.ts'
import { useT } from '../ui/i18n.ts'
import { Button, IconButton } from '../ui/index.ts'

export function JailBanner() {
  const t = useT()
  const run = useCommand()
  const trusted = useWorkspace()?.trusted ?? false
  const state = jailMirror(({ status }) => status?.state)
  const [away, setAway] = useState<string | null>(null)
  if (!trusted || !state || state === 'holds' || away === state) return null
  return (
    <section className="app-banner app-banner-ask" aria-label={t(`app.jail.${state}`)}>
      <ShieldOff size={15} />
      <span className="app-banner-text">
        <b>{t(`app.jail.${state}`)}</b> {t(`app.jailMeans.${state}`)}
      </span>
      <Button onClick={() => void run('app.jail')}>{t('app.jailShow')}</Button>
      <IconButton label={t('app.putAway')} icon={X} size={14} onClick={() => setAway(state)} />
    </section>
  )
}
