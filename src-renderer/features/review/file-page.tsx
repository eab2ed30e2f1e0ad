/** A file's changes as a tab: hunks where it has some, pictures beside each other, and words for what is neither. */
import { CircleCheckBig, FileDiff } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { z } from 'zod'
import { WirePath } from '#contract/path'
import { ReviewScope } from '#contract/review'
import { useReviewList } from '../../state/mirror/review.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Button, EmptyState, Spinner } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import type { PageProps } from '../feature.ts'
import { neighbour, stepFile } from './acts.ts'
import { HunkView } from './hunk-view.tsx'
import { nameOf } from './names.ts'
import { bringFront, type FileArgument, focusWish, onFocusWish } from './review-state.ts'
import { useFileReview } from './use-file-review.ts'
import { WholeView } from './whole-view.tsx'
import './review.css'

const Argument = z.object({ scope: ReviewScope, path: WirePath })

export function FilePage(props: PageProps) {
  const t = useT()
  const argument = Argument.safeParse(props.argument)
  if (!argument.success)
    return (
      <div className="review-wait">
        <EmptyState icon={FileDiff} title={t('review.tooOld')} />
      </div>
    )
  return <Shown {...props} argument={argument.data} />
}

function Shown({ tabId, argument, Actions }: Omit<PageProps, 'argument'> & { readonly argument: FileArgument }) {
  const t = useT()
  const state = useFileReview(argument)
  const name = nameOf(argument.path)
  return (
    <div className="review-page" data-context="review">
      {state.status === 'looking' && (
        <div className="review-wait">
          <Spinner label={t('review.looking')} />
        </div>
      )}
      {state.status === 'failed' && (
        <div className="review-wait" role="alert">
          <EmptyState icon={FileDiff} title={t('review.failed')} body={localize(state.fault.message)} />
        </div>
      )}
      {state.status === 'done' && <Done tabId={tabId} argument={argument} name={name} />}
      {state.status === 'open' &&
        (state.review.base !== null && state.review.now !== null && state.review.hunks.length > 0 ? (
          <HunkView tabId={tabId} argument={argument} review={state.review} Actions={Actions} />
        ) : (
          <WholeView tabId={tabId} argument={argument} review={state.review} Actions={Actions} />
        ))}
    </div>
  )
}

/** The focus goes to what comes next, so that a review is never at a dead end. */
function Done({
  tabId,
  argument,
  name,
}: {
  readonly tabId: string
  readonly argument: FileArgument
  readonly name: string
}) {
  const t = useT()
  const run = useCommand()
  const list = useReviewList(argument.scope)
  const files = list?.files.map(file => file.path) ?? []
  const next = neighbour(files, argument.path, 1)
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => bringFront({ tabId, argument, step: by => stepFile(by), act: async () => {} }), [tabId, argument])
  useLayoutEffect(() => {
    const shown = box.current
    const take = () => (button.current ?? shown)?.focus()
    if (document.activeElement === null || document.activeElement === document.body) take()
    const unwish = onFocusWish(tabId, take)
    return () => {
      unwish()
      // Undone, the hunks come back in its place: the focus goes to them.
      if (shown?.contains(document.activeElement)) focusWish.setState({ tabId })
    }
  }, [tabId])
  return (
    <div className="review-wait" ref={box} tabIndex={-1}>
      <EmptyState
        icon={CircleCheckBig}
        title={t('review.doneTitle', { name })}
        body={t(next ? 'review.doneBody' : 'review.doneAll', { count: files.length })}
      >
        {next && (
          <Button ref={button} variant="main" onClick={() => void run('review.nextFile')}>
            {t('review.next', { name: nameOf(next) })}
          </Button>
        )}
        <Button ref={next ? undefined : button} onClick={() => void run('review.undo')}>
          {t('review.undo')}
        </Button>
      </EmptyState>
    </div>
  )
}
