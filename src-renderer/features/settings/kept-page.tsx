/** What is kept so that it can be taken back: of which folders, how much, since when, within which limits; and forgetting it. */
import { RefreshCw } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import type { KeptFolder } from '#contract/checkpoint'
import { toFault } from '#contract/error'
import { belay } from '../../client/index.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { formatAgo, formatBytes, formatMoment } from '../../ui/format.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Badge, Button, ConfirmDialog, EmptyState, Spinner, toast } from '../../ui/index.ts'
import { SettingRow } from './setting-list.tsx'
import './pages.css'

type Kept = Awaited<ReturnType<typeof belay.checkpoint.kept>>

export function KeptPage() {
  const t = useT()
  const workspaceId = useWorkspace()?.workspaceId
  const [kept, setKept] = useState<Kept | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [clearing, setClearing] = useState<KeptFolder | null>(null)
  const look = useCallback(async () => {
    try {
      setKept(await belay.checkpoint.kept(workspaceId ? { workspaceId } : {}))
      setFault(null)
    } catch (thrown) {
      setFault(localize(toFault(thrown).message))
    }
  }, [workspaceId])
  useEffect(() => void look(), [look])
  const clear = async ({ rootId }: KeptFolder) => {
    setClearing(null)
    await belay.checkpoint
      .clear({ rootId })
      .catch(thrown => toast.error(t('settings.kept.notCleared'), { detail: toFault(thrown).message }))
    await look()
  }
  const bytes = kept?.folders.reduce((sum, each) => sum + each.bytes, 0) ?? 0
  return (
    <section className="page" aria-label={t('settings.section.kept')}>
      <div className="page-head">
        <h2>{t('settings.section.kept')}</h2>
        <Button icon={RefreshCw} onClick={() => void look()}>
          {t('settings.kept.lookAgain')}
        </Button>
      </div>
      <p className="dim">{t('settings.kept.about')}</p>
      {fault && (
        <div className="ui-field-error" role="alert">
          {fault}
        </div>
      )}
      {!kept && !fault && <Spinner label={t('app.loading')} />}
      {kept?.folders.length === 0 && (
        <EmptyState title={t('settings.kept.nothing')} body={t('settings.kept.nothingHint')} />
      )}
      {kept && kept.folders.length > 0 && (
        <>
          <p>
            {t('settings.kept.total', { size: formatBytes(bytes) })}
            {kept.freeBytes !== null && ` ${t('settings.kept.free', { size: formatBytes(kept.freeBytes) })}`}
          </p>
          <ul className="agents" aria-label={t('settings.kept.folders')}>
            {kept.folders.map(each => (
              <Row key={each.rootId} kept={each} onClear={() => setClearing(each)} />
            ))}
          </ul>
        </>
      )}
      <section className="settings-group" aria-labelledby="kept-limits">
        <h3 id="kept-limits">{t('settings.kept.limits')}</h3>
        {limits.map(name => (
          <SettingRow key={name} name={name} scope="user" />
        ))}
      </section>
      <ConfirmDialog
        open={clearing !== null}
        title={t('settings.kept.clearTitle')}
        body={t('settings.kept.clearBody', { folder: clearing?.folder ?? t('settings.kept.unknown') })}
        confirmLabel={t('settings.kept.clear')}
        cancelLabel={t('settings.kept.keep')}
        danger
        onConfirm={() => clearing && void clear(clearing)}
        onCancel={() => setClearing(null)}
      />
    </section>
  )
}

const limits = ['checkpoints.keepDays', 'checkpoints.mostGigabytes', 'checkpoints.leastFreeGigabytes'] as const

function Row({ kept, onClear }: { readonly kept: KeptFolder; readonly onClear: () => void }) {
  const t = useT()
  const { folder, bytes, since, usedAt, fullSince, why } = kept
  return (
    <li className="agent">
      <div className="agent-text">
        <code>{folder ?? t('settings.kept.unknown')}</code>
        <div className="agent-facts">
          {why && <span>{t(`settings.kept.why.${why}`)}</span>}
          {!why && <span>{formatBytes(bytes)}</span>}
          {since !== null && <span>{t('settings.kept.since', { time: formatMoment(since) })}</span>}
          {!why && <span title={formatMoment(usedAt)}>{t('settings.kept.used', { ago: formatAgo(usedAt) })}</span>}
          {fullSince !== null && (
            <Badge tone="error">{t('settings.kept.full', { time: formatMoment(fullSince) })}</Badge>
          )}
        </div>
      </div>
      {!why && (
        <Button variant="ghost" onClick={onClear} aria-label={t('settings.kept.clearOf', { folder: folder ?? '' })}>
          {t('settings.kept.clear')}
        </Button>
      )}
    </li>
  )
}
