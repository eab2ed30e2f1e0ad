/** Where the conversation made room: a quiet line across it that says how much, and opens to the notes and to what they stand for. */
import { ChevronRight, FoldVertical } from 'lucide-react'
import { useId, useState } from 'react'
import type { SessionId } from '#contract/id'
import type { CompactionItem } from '#contract/session-state'
import { formatCost, formatShort } from '../../../ui/format.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, cx, Markdown } from '../../../ui/index.ts'
import { useOpenLink } from '../open-link.ts'
import { showProblem } from '../problem.ts'
import { shortModel } from '../use-chat.ts'
import { showItem } from './wanted-item.ts'
import './context.css'

export function CompactionRow({ sessionId, item }: { readonly sessionId: SessionId; readonly item: CompactionItem }) {
  const t = useT()
  const id = useId()
  const [open, setOpen] = useState(false)
  const { folded = 0, cleared = 0, tokensBefore, tokensAfter } = item
  const what = folded > 0 ? t('context.folded', { count: folded }) : t('context.cleared', { count: cleared })
  const tokens = t('context.tokens', { before: formatShort(tokensBefore), after: formatShort(tokensAfter) })
  return (
    <section className="chat-compaction" aria-label={what}>
      <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <FoldVertical size={13} aria-hidden="true" />
        <span>{what}</span>
        <span className="chat-dim">{tokens}</span>
        <ChevronRight size={13} className={cx('chat-chevron', open && 'chat-open')} aria-hidden="true" />
      </button>
      {open && (
        <div id={id} className="chat-compaction-body">
          <Opened sessionId={sessionId} item={item} />
        </div>
      )}
    </section>
  )
}

function Opened({ sessionId, item }: { readonly sessionId: SessionId; readonly item: CompactionItem }) {
  const t = useT()
  const openLink = useOpenLink()
  const { why = 'share', way, focus, fault, asked, summary, folded = 0, cleared = 0, fromItemId } = item
  const lines = [
    t(`context.why.${why}`),
    ...(focus ? [t('context.focus', { focus })] : []),
    ...(folded > 0 && way === 'rule' ? [t('context.byRule')] : []),
    ...(folded > 0 && way !== 'rule' && asked ? [t('context.byModel', { model: shortModel(asked.model) })] : []),
    ...(folded > 0 && cleared > 0 ? [t('context.clearedToo', { count: cleared })] : []),
    t('context.keeps'),
  ]
  return (
    <>
      <p className="chat-dim">{lines.join(' ')}</p>
      {fault && <p className="chat-compaction-fault">{localize(fault)}</p>}
      {summary !== '' && <Markdown text={summary} onLink={openLink} />}
      <div className="chat-compaction-foot">
        {summary !== '' && (
          <Button
            onClick={() =>
              void showItem(sessionId, fromItemId).catch(thrown => showProblem(t('context.notShown'), thrown))
            }
          >
            {t('context.showFolded')}
          </Button>
        )}
        {asked && asked.cost !== null && asked.cost > 0 && <span className="chat-dim">{formatCost(asked.cost)}</span>}
      </div>
    </>
  )
}
