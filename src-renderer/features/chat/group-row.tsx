/** Several looks around as one line: "Read 3 files, searched twice". Opens to its cards. */
import { BookOpen, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useShallow } from 'zustand/react/shallow'
import type { ItemId, SessionId } from '#contract/id'
import type { ToolItem } from '#contract/session-state'
import { sessionMirror } from '../../state/mirror/session.ts'
import { formatDuration } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import { cx } from '../../ui/index.ts'
import { AdviceLine, adviceOf } from './advice.tsx'
import { ToolCard } from './tool-card.tsx'

export function GroupRow({
  sessionId,
  itemIds,
}: {
  readonly sessionId: SessionId
  readonly itemIds: readonly ItemId[]
}) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const items = sessionMirror(
    useShallow(({ sessions }) =>
      itemIds.map(id => sessions[sessionId]?.state.items.get(id)).filter(item => item?.kind === 'tool'),
    ),
  ) as ToolItem[]
  const reads = new Set(items.filter(item => item.tool === 'read').map(item => item.arguments)).size
  const searches = items.filter(item => item.tool === 'grep' || item.tool === 'glob').length
  const lists = items.filter(item => item.tool === 'list').length
  const parts = [
    reads > 0 && t('chat.group.read', { count: reads }),
    searches > 0 && t('chat.group.search', { count: searches }),
    lists > 0 && t('chat.group.list', { count: lists }),
  ].filter(part => part !== false)
  const failed = items.filter(item => item.state === 'failed').length
  const advice = [...new Set(items.flatMap(adviceOf))]
  const busy = items.some(item => item.state === 'running' || item.state === 'requested')
  return (
    <div className="chat-card">
      <button type="button" className="chat-card-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <BookOpen size={14} className="chat-icon" />
        <span className="chat-what">{parts.join(t('chat.group.join'))}</span>
        <span className="chat-end">
          {failed > 0 && <span className="chat-bad">{t('chat.group.failed', { count: failed })}</span>}
          <span>
            {busy ? t('chat.state.running') : formatDuration(items.reduce((sum, item) => sum + item.durationMs, 0))}
          </span>
          <ChevronRight size={13} className={cx('chat-chevron', open && 'chat-open')} />
        </span>
      </button>
      {!open && advice.length > 0 && <AdviceLine paths={advice} />}
      {open && (
        <div className="chat-group">
          {items.map(item => (
            <ToolCard key={item.id} sessionId={sessionId} item={item} />
          ))}
        </div>
      )}
    </div>
  )
}
