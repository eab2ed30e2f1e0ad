/** The agent's own list, folded above the composer with the current item in words. */
import { Check, ChevronRight, Circle, CircleDot } from 'lucide-react'
import { useState } from 'react'
import type { SessionId } from '#contract/id'
import { useSessionFact } from '../../state/mirror/session.ts'
import { useT } from '../../ui/i18n.ts'
import { cx } from '../../ui/index.ts'

const marks = { pending: Circle, in_progress: CircleDot, done: Check }

export function TodoList({ sessionId }: { readonly sessionId: SessionId }) {
  const t = useT()
  const items = useSessionFact(sessionId, 'todo') ?? []
  const [open, setOpen] = useState(false)
  if (items.length === 0) return null
  const done = items.filter(item => item.state === 'done').length
  const current = items.find(item => item.state === 'in_progress') ?? items.find(item => item.state === 'pending')
  return (
    <div className="chat-dock">
      <button type="button" className="chat-dock-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={13} className={cx('chat-chevron', open && 'chat-open')} />
        <span className="chat-dim">{t('chat.todo', { done, total: items.length })}</span>
        <span className="chat-cut">{current?.text ?? t('chat.todoDone')}</span>
      </button>
      {open && (
        <ol className="chat-todo">
          {items.map(({ text, state }) => {
            const Mark = marks[state]
            return (
              <li key={text} className={`chat-todo-${state}`}>
                <Mark size={13} aria-label={t(`chat.todoState.${state}`)} /> {text}
              </li>
            )
          })}
        </ol>
      )}
    </div>
  )
}
