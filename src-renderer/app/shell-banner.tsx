/** Says that the login shell gave no environment, what it said, what is used instead and what to do. Put away until it fails anew. */
import { RefreshCw, SquareTerminal, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ShellReport } from '#contract/machine'
import { host } from '../client/index.ts'
import { machine } from '../state/view/machine.ts'
import { useT } from '../ui/i18n.ts'
import { Button, IconButton, toast } from '../ui/index.ts'
import { visible } from '../ui/visible.ts'
import { showFault } from './runner.ts'

export function ShellBanner() {
  const t = useT()
  const shell = machine(state => state.report?.shell)
  /** What failed last: it stays while it is asked again. */
  const [failed, setFailed] = useState<ShellReport | null>(null)
  const [away, setAway] = useState(false)
  const asked = useRef(false)
  useEffect(() => {
    if (shell?.state === 'failed') setFailed(shell)
    if (shell?.state !== 'read') return
    setFailed(null)
    if (asked.current) toast.ok(t('app.shellRead'))
  }, [shell, t])
  if (!shell || !failed?.reason || away) return null
  const again = () => {
    asked.current = true
    host.host.askShellAgain({}).catch(thrown => showFault(t('app.shellAgain'), thrown))
  }
  const asking = shell.state !== 'failed'
  const title = t(`app.shell.${failed.reason}`, { shell: failed.shell })
  return (
    <section className="app-banner app-banner-ask" aria-label={title}>
      <SquareTerminal size={15} />
      <span className="app-banner-text" title={t('app.shellPath', { path: failed.path })}>
        <b>{title}</b> {t('app.shellMeans')}
        {failed.said !== '' && (
          <code className="app-banner-said">{t('app.shellSaid', { said: visible(failed.said) })}</code>
        )}
      </span>
      <Button icon={RefreshCw} busy={asking} onClick={again}>
        {t(asking ? 'app.shellAsking' : 'app.shellAgain')}
      </Button>
      <IconButton label={t('app.putAway')} icon={X} size={14} onClick={() => setAway(true)} />
    </section>
  )
}
