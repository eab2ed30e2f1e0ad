/** One line of the record: what was wanted, what was said to it, by whom or what, and when. Opens to the whole of it. */
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { AuditEntry } from '#contract/permission'
import { formatMoment } from '../../../ui/format.ts'
import { useT } from '../../../ui/i18n.ts'
import { Badge, cx } from '../../../ui/index.ts'
import { Reason } from '../../../ui/reason.tsx'
import { visible } from '../../../ui/visible.ts'
import { VerdictBadge } from '../verdict-badge.tsx'

export function RecordRow({ entry }: { readonly entry: AuditEntry }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const { at, kind, verdict, tool, subject, by, rule, reason, agent, mode, folder } = entry
  return (
    <div className="record-row">
      <button type="button" className="record-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <time className="record-time" dateTime={new Date(at).toISOString()}>
          {formatMoment(at)}
        </time>
        {kind === 'violation' ? <Badge tone="error">{t('record.stopped')}</Badge> : <VerdictBadge verdict={verdict} />}
        <span className="record-tool">{visible(tool)}</span>
        <code className={cx('record-subject', open && 'record-whole')}>{visible(subject)}</code>
        <ChevronRight size={13} className={cx('page-chevron', open && 'page-open')} />
      </button>
      <div className="record-why">
        <span>{t(`record.by.${by}`)}</span>
        {agent !== null && <span>{t('record.agent', { agent: visible(agent) })}</span>}
        {rule !== null && <code>{visible(rule)}</code>}
        {reason !== '' && (
          <span className="record-reason">
            <Reason text={reason} />
          </span>
        )}
        {open && <span>{t('record.mode', { mode: t(`chat.mode.${mode}`) })}</span>}
        {open && <span className="mono">{folder}</span>}
      </div>
    </div>
  )
}
