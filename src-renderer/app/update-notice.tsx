/** Says quietly that there is a newer Belay: what is new in it, fetched and installed only when the person says so. */
import { ArrowUpCircle, X } from 'lucide-react'
import { useState } from 'react'
import { updateView } from '../state/view/update.ts'
import { formatBytes } from '../ui/format.ts'
import { useT } from '../ui/i18n.ts'
import { Button, Dialog, IconButton } from '../ui/index.ts'
import { visible, visibleLine } from '../ui/visible.ts'
import { showFault } from './runner.ts'
import { cancelUpdate, fetchUpdate, installUpdate } from './updates.ts'

export function UpdateNotice() {
  const t = useT()
  const { state, away } = updateView()
  const [notes, setNotes] = useState(false)
  if (state.kind !== 'found' && state.kind !== 'fetching' && state.kind !== 'ready') return null
  if (away === state.version) return null
  const version = visibleLine(state.version)
  const title = t(`app.update.${state.kind}`, { version })
  const act = (what: () => Promise<void>) => () => void what().catch(thrown => showFault(title, thrown))
  return (
    <section className="app-banner app-update" aria-label={title} aria-live="polite">
      <ArrowUpCircle size={15} />
      <span className="app-banner-text">
        <b>{title}</b> {state.kind === 'found' && t('app.update.size', { size: formatBytes(state.bytes) })}
        {state.kind === 'ready' && t('app.update.asks')}
      </span>
      {state.kind === 'fetching' && (
        <progress max={state.bytes || 1} value={state.doneBytes} aria-label={title} className="app-update-bar" />
      )}
      {state.kind !== 'fetching' && state.notes && (
        <Button variant="ghost" onClick={() => setNotes(true)}>
          {t('app.update.notes')}
        </Button>
      )}
      {state.kind === 'found' && <Button onClick={act(fetchUpdate)}>{t('app.update.download')}</Button>}
      {state.kind === 'fetching' && <Button onClick={act(cancelUpdate)}>{t('app.cancel')}</Button>}
      {state.kind === 'ready' && <Button onClick={act(installUpdate)}>{t('app.update.restart')}</Button>}
      <IconButton
        label={t('app.update.away')}
        icon={X}
        size={14}
        onClick={() => updateView.setState({ away: state.version })}
      />
      {state.kind !== 'fetching' && (
        <Dialog
          open={notes}
          onOpenChange={setNotes}
          title={t('app.update.notesOf', { version })}
          footer={<Button onClick={() => setNotes(false)}>{t('app.update.close')}</Button>}
        >
          {/* A stranger's words: never more than text. */}
          <pre className="app-update-notes">{visible(state.notes ?? '')}</pre>
        </Dialog>
      )}
    </section>
  )
}
