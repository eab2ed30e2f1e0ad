/** One waiting prompt: its place, its words, what is attached, and what one can do with it. */
import { ArrowUp, GripVertical, Paperclip, Pencil, X } from 'lucide-react'
import type { DragEvent, KeyboardEvent } from 'react'
import type { QueuedPrompt } from '#contract/session-event'
import { useT } from '../../ui/i18n.ts'
import { cx, IconButton } from '../../ui/index.ts'

interface QueueItemProps {
  readonly prompt: QueuedPrompt
  readonly place: string
  /** Where what is being dragged would go. */
  readonly drop: 'before' | 'after' | null
  readonly grip: (element: HTMLElement | null) => void
  readonly onMoveKey: (event: KeyboardEvent) => void
  readonly onDragStart: (event: DragEvent) => void
  readonly onDragOver: (event: DragEvent<HTMLElement>) => void
  readonly onDragEnd: () => void
  readonly onDrop: (event: DragEvent<HTMLElement>) => void
  readonly onSend: () => void
  readonly onEdit: () => void
  readonly onRemove: () => void
}

export function QueueItem({ prompt, place, drop, grip, onMoveKey, onSend, onEdit, onRemove, ...drag }: QueueItemProps) {
  const t = useT()
  const names = prompt.attachments.map(({ name, path }) => path?.path ?? name)
  const words = prompt.text || names.join(', ')
  return (
    <li className={cx('chat-queue-row', drop && `chat-queue-${drop}`)} draggable {...drag}>
      <button
        ref={grip}
        type="button"
        className="chat-queue-grip"
        aria-label={t('chat.queueMove', { words })}
        title={t('chat.queueMoveHint')}
        onKeyDown={onMoveKey}
      >
        <GripVertical size={12} />
      </button>
      <span className="chat-queue-place">{place}</span>
      <span className="chat-cut" title={words}>
        {words}
      </span>
      {names.length > 0 && (
        <span className="chat-queue-files" role="img" aria-label={names.join(', ')} title={names.join('\n')}>
          <Paperclip size={11} /> {names.length}
        </span>
      )}
      <span className="chat-queue-acts">
        <IconButton label={t('chat.queueSend')} icon={ArrowUp} size={13} onClick={onSend} />
        <IconButton label={t('chat.queueEdit')} icon={Pencil} size={13} onClick={onEdit} />
        <IconButton label={t('chat.queueRemove')} icon={X} size={13} onClick={onRemove} />
      </span>
    </li>
  )
}
