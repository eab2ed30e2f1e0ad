/** What the model thought, folded to one line with its duration; open, it shows the text as it is. */
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { SessionId } from '#contract/id'
import type { ReasoningItem } from '#contract/session-state'
import { useLive } from '../../state/mirror/session.ts'
import { formatDuration } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import { cx } from '../../ui/index.ts'

/** A shorter thought says no duration: "0 s" tells nobody anything. */
const WORTH_SAYING_MS = 1000

export function ReasoningRow({ sessionId, item }: { readonly sessionId: SessionId; readonly item: ReasoningItem }) {
  const t = useT()
  const live = useLive(sessionId, item.id, 'reasoning')
  const [open, setOpen] = useState(false)
  const text = live ?? item.text
  const label = !item.ended
    ? t('chat.thinking')
    : item.durationMs < WORTH_SAYING_MS
      ? t('chat.thought')
      : t('chat.thoughtFor', { duration: formatDuration(item.durationMs) })
  // A signature without words is for its provider alone.
  if (item.ended && text === '' && !item.redacted) return null
  return (
    <div className="chat-think">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} disabled={text === ''}>
        <ChevronRight size={13} className={cx('chat-chevron', open && 'chat-open')} />
        {item.redacted ? t('chat.thoughtHidden') : label}
      </button>
      {open && text !== '' && <div className="chat-think-text">{text}</div>}
    </div>
  )
}
