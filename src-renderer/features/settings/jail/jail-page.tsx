/** The jail: whether it holds, what it lets through, what is missing and how to get it, and what it stopped. */
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { toFault } from '#contract/error'
import type { JailStatus } from '#contract/sandbox'
import { lookAtJail } from '../../../client/jail-pump.ts'
import { jailMirror } from '../../../state/mirror/jail.ts'
import { useWorkspace } from '../../../state/view/workspace.ts'
import { useT } from '../../../ui/i18n.ts'
import { Button, CodeBlock, Lamp, Spinner, toast } from '../../../ui/index.ts'
import { Aside } from './aside.tsx'
import { Policy } from './policy.tsx'
import { Stopped } from './stopped.tsx'
import '../pages.css'

export function JailPage() {
  const t = useT()
  const status = jailMirror(state => state.status)
  const workspaceId = useWorkspace()?.workspaceId
  const [busy, setBusy] = useState(false)
  const again = async () => {
    setBusy(true)
    try {
      await lookAtJail()
    } catch (thrown) {
      toast.error(t('jail.notLooked'), { detail: toFault(thrown).message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="page" aria-label={t('settings.section.jail')}>
      <div className="page-head">
        <h2>{t('settings.section.jail')}</h2>
        <Button icon={RefreshCw} busy={busy} onClick={() => void again()}>
          {t('jail.lookAgain')}
        </Button>
      </div>
      <p className="dim">{t('jail.about')}</p>
      {status ? <Status status={status} /> : <Spinner label={t('jail.looking')} />}
      {workspaceId && (
        <>
          <Aside workspaceId={workspaceId} />
          <Policy workspaceId={workspaceId} />
          <Stopped workspaceId={workspaceId} />
        </>
      )}
      {!workspaceId && <p className="dim">{t('jail.noFolder')}</p>}
    </section>
  )
}

const tones = { holds: 'ok', missing: 'error', unsupported: 'ask' } as const

function Status({ status }: { readonly status: JailStatus }) {
  const t = useT()
  const { state, errors, install } = status
  return (
    <div className={`jail-status jail-${state}`} role="status">
      <div className="jail-state">
        <Lamp tone={tones[state]} /> <b>{t(`jail.state.${state}`)}</b>
      </div>
      <div>{t(`jail.means.${state}`)}</div>
      {errors.length > 0 && (
        <ul>
          {errors.map(error => (
            <li key={error}>{error}</li>
          ))}
        </ul>
      )}
      {install !== null && (
        <>
          <div>{t('jail.install')}</div>
          <CodeBlock code={install} language="sh" wrap />
        </>
      )}
    </div>
  )
}
