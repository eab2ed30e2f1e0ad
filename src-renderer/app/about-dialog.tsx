/** Which Belay this is, in words that one can copy into a report. */
import { useEffect, useState } from 'react'
import { host, useConnection } from '../client/index.ts'
import { useT } from '../ui/i18n.ts'
import { Button, CopyButton, Dialog, Mark } from '../ui/index.ts'
import { showFault } from './runner.ts'
import './about-dialog.css'

export function AboutDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useT()
  const version = useConnection(state => state.version)
  const [about, setAbout] = useState<Awaited<ReturnType<typeof host.host.about>> | null>(null)
  useEffect(() => {
    // Without an answer there is less to say.
    host.host.about({}).then(setAbout, () => {})
  }, [])
  const licences = about?.licences ?? null
  const lines = [
    t('app.about.version', { version: version ?? '?' }),
    ...(about?.commit ? [t('app.about.commit', { commit: about.commit, date: about.date?.slice(0, 10) ?? '?' })] : []),
    t('app.about.engine', { engine: engineOf(navigator.userAgent) }),
  ]
  return (
    <Dialog
      open
      onOpenChange={shown => !shown && onClose()}
      title={t('command.app.about')}
      width={400}
      footer={
        <>
          <CopyButton text={['Belay', ...lines].join('\n')} />
          <Button variant="main" onClick={onClose}>
            {t('app.done')}
          </Button>
        </>
      }
    >
      <div className="about">
        <Mark size={44} />
        <div>
          <b>Belay</b>
          <p className="dim">{t('welcome.motto')}</p>
        </div>
        <div className="about-facts">
          {lines.map(line => (
            <p key={line}>{line}</p>
          ))}
          <p className="dim">{t(licences ? 'desktop.about.licence' : 'app.about.licence')}</p>
          {licences && (
            <Button variant="ghost" onClick={() => void showLicences(t('app.about.licences'), licences)}>
              {t('app.about.licences')}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

async function showLicences(what: string, absolute: string): Promise<void> {
  await host.host.reveal({ absolute }).catch(thrown => showFault(what, thrown))
}

/** `Electron 45.5.0, Chrome 142.0.0.0`: what draws this window, without what every browser says of itself. */
export const engineOf = (userAgent: string): string =>
  (userAgent.match(/(?:Electron|Firefox|Edg|Chrome|Version)\/[\d.]+/g) ?? [userAgent])
    .reverse()
    .map(part => part.replace('Version', 'Safari').replace('/', ' '))
    .join(', ')
