/** How the window is connected, in words, and only when there is something to say. */
import { RefreshCw, Unplug } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { host, useConnection } from '../client/index.ts'
import { useCommand } from '../features/commands.ts'
import { machine } from '../state/view/machine.ts'
import { localize, useT } from '../ui/i18n.ts'
import { Button, Spinner, toast } from '../ui/index.ts'

/** A connection that takes no longer is not worth a word. */
const PATIENCE_MS = 2500

export function ConnectionBanner() {
  const t = useT()
  const run = useCommand()
  const { sidecar, fault, epoch, children } = useConnection()
  useRestartNews(epoch)
  const mayQuit = machine(state => state.capabilities?.windowControls)
  const slow = useSlow(sidecar !== 'ready')
  const core = children.find(child => child.child === 'sidecar')
  const final = fault?.code === 'auth' || fault?.code === 'protocol'
  const silent = core?.state === 'silent' && !final
  if (!silent && (sidecar === 'ready' || (!slow && !final))) return <TerminalsBanner />
  const failed = core?.state === 'failed'
  return (
    <section className="app-banner app-banner-ask" role="status">
      {final || failed ? <Unplug size={15} /> : <Spinner label={t('app.reconnecting')} />}
      <span className="app-banner-text">
        {final
          ? localize(fault.message)
          : failed
            ? t('app.coreFailed')
            : silent
              ? t('app.coreSilent')
              : sidecar === 'lost'
                ? t('app.lostKept')
                : t('app.connecting')}
        {failed && core.message ? ` ${t('app.endedWith', { how: localize(core.message) })}` : ''}
      </span>
      {(failed || silent) && (
        <Button icon={RefreshCw} onClick={() => void run('app.restartCore')}>
          {t('command.app.restartCore')}
        </Button>
      )}
      {failed && (
        <>
          <Button onClick={() => void run('app.coreLog')}>{t('app.showLog')}</Button>
          {mayQuit && <Button onClick={() => void host.host.quit({})}>{t('app.quit')}</Button>}
        </>
      )}
      {final && <Button onClick={() => window.location.reload()}>{t('app.brokenReload')}</Button>}
    </section>
  )
}

/** The terminals are said to be in trouble only while the core is not: one thing at a time. */
function TerminalsBanner() {
  const t = useT()
  const run = useCommand()
  const { children } = useConnection()
  const terminals = children.find(child => child.child === 'pty-host')
  if (terminals?.state !== 'silent' && terminals?.state !== 'failed') return null
  const failed = terminals.state === 'failed'
  return (
    <section className="app-banner app-banner-ask" role="status">
      <Unplug size={15} />
      <span className="app-banner-text">
        {t(failed ? 'app.terminalsFailed' : 'app.terminalsSilent')}
        {failed && terminals.message ? ` ${t('app.endedWith', { how: localize(terminals.message) })}` : ''}
      </span>
      <Button icon={RefreshCw} onClick={() => void run('app.restartTerminals')}>
        {t('command.app.restartTerminals')}
      </Button>
      {failed && <Button onClick={() => void run('app.terminalsLog')}>{t('app.showLog')}</Button>}
    </section>
  )
}

/** Another epoch is another process: said once, when it is back. */
function useRestartNews(epoch: string | null): void {
  const t = useT()
  const known = useRef(epoch)
  useEffect(() => {
    if (known.current && epoch && known.current !== epoch) toast.info(t('app.coreRestarted'))
    known.current = epoch ?? known.current
  }, [epoch, t])
}

function useSlow(waiting: boolean): boolean {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!waiting) return setSlow(false)
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [waiting])
  return slow
}
