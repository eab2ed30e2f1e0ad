/** Words: a person's as they wrote them, the agent's as sanitised Markdown that streams without being laid out anew. */
import { CornerDownRight, FileText, Image } from 'lucide-react'
import type { SessionId } from '#contract/id'
import type { MessageItem } from '#contract/session-state'
import { useLive } from '../../state/mirror/session.ts'
import { formatBytes } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import { Markdown } from '../../ui/index.ts'
import { useOpenLink } from './open-link.ts'

export function MessageRow({ sessionId, item }: { readonly sessionId: SessionId; readonly item: MessageItem }) {
  const live = useLive(sessionId, item.id, 'text')
  const openLink = useOpenLink()
  if (item.role === 'user') return <UserMessage item={item} />
  const text = live ?? item.text
  if (text === '') return null
  return (
    <div className="chat-says" data-item={item.id}>
      <Markdown text={text} streaming={!item.ended} onLink={openLink} />
    </div>
  )
}

function UserMessage({ item }: { readonly item: MessageItem }) {
  const t = useT()
  const origin = item.origin === 'steer' || item.origin === 'queue' ? item.origin : null
  return (
    <div className="chat-you" data-item={item.id}>
      {origin && (
        <span className="chat-origin">
          <CornerDownRight size={12} /> {t(`chat.origin.${origin}`)}
        </span>
      )}
      <div className="chat-you-text">{item.text}</div>
      {item.attachments.length > 0 && (
        <ul className="chat-attachments" aria-label={t('chat.attachments')}>
          {item.attachments.map(({ kind, name, bytes, path }) => (
            <li key={`${name} ${path ? path.path : ''}`} className="chat-chip">
              {kind === 'image' ? <Image size={12} /> : <FileText size={12} />}
              <span>{path ? path.path : name}</span>
              {bytes > 0 && <span className="chat-dim">{formatBytes(bytes)}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
