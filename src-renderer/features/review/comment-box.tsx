/** A comment under its lines: the field while it is written, then the words with the way to change or remove them. */
import { Pencil, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { useT } from '../../ui/i18n.ts'
import { Button, IconButton } from '../../ui/index.ts'
import { type Comment, change, remove } from './comments.ts'
import { focusWish, frontPage } from './review-state.ts'

/** To the lines that it is about. */
const backToText = (): void => focusWish.setState({ tabId: frontPage()?.tabId ?? null })

export function CommentBox({ comment }: { readonly comment: Comment }) {
  const t = useT()
  return (
    <section className="review-comment" aria-label={t('review.commentOn', { line: comment.from })}>
      {comment.editing ? <Field comment={comment} /> : <Words comment={comment} />}
    </section>
  )
}

function Field({ comment }: { readonly comment: Comment }) {
  const t = useT()
  const { id, words, from, to } = comment
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the words
  useLayoutEffect(() => {
    if (!field.current) return
    field.current.style.height = 'auto'
    field.current.style.height = `${field.current.scrollHeight + 2}px`
  }, [words])
  const keep = () => {
    if (words.trim() === '') return
    change(id, { editing: false })
    backToText()
  }
  const leave = () => {
    if (words.trim() === '') remove(id)
    else change(id, { editing: false })
    backToText()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape') leave()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) keep()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <textarea
        ref={field}
        rows={2}
        className="ui-input"
        data-own-keys="$mod+Enter $mod+Z $mod+Y $mod+Backspace Escape"
        aria-label={t(from === to ? 'review.commentLine' : 'review.commentLines', { from, to })}
        placeholder={t('review.commentPlaceholder')}
        value={words}
        onChange={event => change(id, { words: event.target.value })}
        onKeyDown={onKeyDown}
      />
      <span className="review-comment-acts">
        <Button variant="ghost" onClick={leave}>
          {t('review.cancel')}
        </Button>
        <Button keys="$mod+Enter" onClick={keep}>
          {t('review.keepComment')}
        </Button>
      </span>
    </>
  )
}

function Words({ comment }: { readonly comment: Comment }) {
  const t = useT()
  return (
    <>
      <p>{comment.words}</p>
      <span className="review-comment-acts">
        <IconButton
          icon={Pencil}
          size={13}
          label={t('review.editComment')}
          onClick={() => change(comment.id, { editing: true })}
        />
        <IconButton icon={X} size={13} label={t('review.removeComment')} onClick={() => remove(comment.id)} />
      </span>
    </>
  )
}
