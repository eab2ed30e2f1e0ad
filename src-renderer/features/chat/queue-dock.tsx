/** Prompts that wait, in order, and words on their way to a running turn. After a restart they are shown, never sent by themselves. */
import { ArrowUp, ChevronUp, Pencil, X } from 'lucide-react'
import type { SessionId } from '#contract/id'
import type { QueuedPrompt } from '#contract/session-event'
import { belay } from '../../client/index.ts'
import { useSessionFact } from '../../state/mirror/session.ts'
import { useT } from '../../ui/i18n.ts'
import { IconButton } from '../../ui/index.ts'
import { chatDraft } from './draft.ts'
import { showProblem } from './problem.ts'

export function QueueDock({ sessionId }: { readonly sessionId: SessionId }) {
  const t = useT()
  const queue = useSessionFact(sessionId, 'queue') ?? []
  const steers = useSessionFact(sessionId, 'steers') ?? []
  const running = useSessionFact(sessionId, 'running') !== null
  if (queue.length === 0 && steers.length === 0) return null
  const tried = (work: Promise<unknown>) => void work.catch(thrown => showProblem(t('chat.queueFailed'), thrown))
  const remove = ({ requestId }: QueuedPrompt) => tried(belay.session.removeQueued({ sessionId, requestId }))
  return (
    <ul className="chat-dock chat-queue" aria-label={t('chat.queue')}>
      {steers.map(({ requestId, text }) => (
        <li key={requestId}>
          <span className="chat-dim">{t('chat.steering')}</span>
          <span className="chat-cut">{text}</span>
        </li>
      ))}
      {queue.map((prompt, index) => (
        <li key={prompt.requestId}>
          <span className="chat-dim">{index === 0 ? t('chat.next') : index + 1}</span>
          <span className="chat-cut">{prompt.text}</span>
          <span className="chat-queue-acts">
            {index > 0 && (
              <IconButton
                label={t('chat.queueUp')}
                icon={ChevronUp}
                size={13}
                onClick={() =>
                  tried(belay.session.moveQueued({ sessionId, requestId: prompt.requestId, to: index - 1 }))
                }
              />
            )}
            {!running && (
              <IconButton
                label={t('chat.queueSend')}
                icon={ArrowUp}
                size={13}
                onClick={() => tried(belay.session.sendQueued({ sessionId, requestId: prompt.requestId }))}
              />
            )}
            <IconButton
              label={t('chat.queueEdit')}
              icon={Pencil}
              size={13}
              onClick={() => {
                chatDraft.set(now => ({ ...now, text: now.text ? `${prompt.text}\n${now.text}` : prompt.text }))
                remove(prompt)
              }}
            />
            <IconButton label={t('chat.queueRemove')} icon={X} size={13} onClick={() => remove(prompt)} />
          </span>
        </li>
      ))}
    </ul>
  )
}
