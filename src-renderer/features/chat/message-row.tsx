/** Words: a person's as they wrote them, the agent's as sanitised Markdown that streams without being laid out anew. */
import { CornerDownRight, FileText, Image, ShieldAlert } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { SessionId } from '#contract/id'
import type { MessageItem } from '#contract/session-state'
import { useLive } from '../../state/mirror/session.ts'
import { formatBytes } from '../../ui/format.ts'
import { useT, withWords } from '../../ui/i18n.ts'
import { cx, Markdown } from '../../ui/index.ts'
import { AnswerMedia } from './answer-media.tsx'
import { useOpenLink } from './open-link.ts'
import { MessageActs } from './recover/message-acts.tsx'
import { editedPrompt } from './recover/recover-view.ts'
import { Sources } from './sources.tsx'

const EditPrompt = lazy(async () => ({
  default: (await withWords('recover', import('./recover/edit-prompt.tsx'))).EditPrompt,
}))

export function MessageRow({ sessionId, item }: { readonly sessionId: SessionId; readonly item: MessageItem }) {
  const t = useT()
  const live = useLive(sessionId, item.id, 'text')
  const openLink = useOpenLink()
  if (item.role === 'user') return <UserMessage sessionId={sessionId} item={item} />
  const text = live ?? item.text
  const { media = [], sources = [], refusal = false } = item
  if (text === '' && media.length === 0) return null
  return (
    <div className={cx('chat-says', refusal && 'chat-refusal')} data-item={item.id}>
      {refusal && (
        <span className="chat-origin">
          <ShieldAlert size={12} /> {t('chat.refused')}
        </span>
      )}
      {text !== '' && <Markdown text={text} streaming={!item.ended} onLink={openLink} />}
      {media.length > 0 && <AnswerMedia sessionId={sessionId} media={media} />}
      {sources.length > 0 && <Sources sources={sources} />}
      {item.ended && <MessageActs sessionId={sessionId} item={item} />}
    </div>
  )
}

function UserMessage({ sessionId, item }: { readonly sessionId: SessionId; readonly item: MessageItem }) {
  const edited = editedPrompt.use(now => (now?.itemId === item.id ? now : null))
  const said = <Said sessionId={sessionId} item={item} />
  if (!edited) return said
  return (
    <Suspense fallback={said}>
      <EditPrompt sessionId={sessionId} item={item} edited={edited} />
    </Suspense>
  )
}

function Said({ sessionId, item }: { readonly sessionId: SessionId; readonly item: MessageItem }) {
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
      <MessageActs sessionId={sessionId} item={item} />
    </div>
  )
}
