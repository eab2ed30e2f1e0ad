/** Comments that wait to be sent: each leads to its line; all go as one prompt. */
import { MessageSquareText, X } from 'lucide-react'
import { useState } from 'react'
import { useT } from '../../ui/i18n.ts'
import { Button, IconButton } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { remove, useComments, written } from './comments.ts'
import { nameOf } from './names.ts'

export function CommentDock() {
  const t = useT()
  const run = useCommand()
  const comments = written(useComments())
  const [sending, setSending] = useState(false)
  if (comments.length === 0) return null
  const send = async () => {
    setSending(true)
    await run('review.sendComments')
    setSending(false)
  }
  return (
    <section className="review-dock" aria-label={t('review.comments')}>
      <ul>
        {comments.map(comment => (
          <li key={comment.id}>
            <button
              type="button"
              className="review-comment-line"
              onClick={() => void run('review.openFile', { path: comment.path })}
            >
              <MessageSquareText size={13} />
              <span className="review-comment-place">
                {nameOf(comment.path)}:{comment.from}
              </span>
              <span className="review-comment-words">{comment.words}</span>
            </button>
            <IconButton icon={X} size={13} label={t('review.removeComment')} onClick={() => remove(comment.id)} />
          </li>
        ))}
      </ul>
      <Button busy={sending} onClick={() => void send()}>
        {t('review.send', { count: comments.length })}
      </Button>
    </section>
  )
}
