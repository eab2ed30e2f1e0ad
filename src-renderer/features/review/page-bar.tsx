/** At the end of the path row: how much is left, the way through it, and the decisions about the whole file. */
import { ArrowDown, ArrowUp, Check, Columns2, Rows2, SquareArrowOutUpRight, Undo2 } from 'lucide-react'
import type { FileReview } from '#contract/review'
import { useT } from '../../ui/i18n.ts'
import { Badge, IconButton } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { chordOf } from './keys.ts'
import { type FileArgument, reviewView } from './review-state.ts'

interface PageBarProps {
  readonly argument: FileArgument
  readonly review: FileReview
  /** Hunks that wait for a decision; null for what has none. */
  readonly left: number | null
  readonly at: number
}

export function PageBar({ argument, review, left, at }: PageBarProps) {
  const t = useT()
  const run = useCommand()
  const inline = reviewView.use(view => view.inline)
  const { path, scope } = argument
  const [next, previous] = [chordOf('review.nextHunk'), chordOf('review.previousHunk')]
  const [yes, no] = [chordOf('review.acceptFile'), chordOf('review.revertFile')]
  const waits = review.file.left > 0
  return (
    <span className="review-page-bar">
      {left !== null && (
        <Badge>
          <span aria-live="polite">{t('review.hunksLeft', { left, count: review.hunks.length })}</span>
        </Badge>
      )}
      {left !== null && (
        <>
          <IconButton
            icon={ArrowUp}
            size={14}
            label={t('command.review.previousHunk')}
            keys={previous}
            aria-disabled={at <= 0 || undefined}
            onClick={() => void run('review.previousHunk')}
          />
          <IconButton
            icon={ArrowDown}
            size={14}
            label={t('command.review.nextHunk')}
            keys={next}
            onClick={() => void run('review.nextHunk')}
          />
          <IconButton
            icon={inline ? Rows2 : Columns2}
            size={14}
            label={t(inline ? 'review.beside' : 'review.inline')}
            onClick={() => void run('review.toggleInline')}
          />
        </>
      )}
      <IconButton
        icon={SquareArrowOutUpRight}
        size={14}
        label={t('review.openTheFile')}
        onClick={() => void run('editor.open', { path })}
      />
      {waits && (
        <IconButton
          icon={Undo2}
          size={14}
          label={t('review.revertFile')}
          keys={no}
          onClick={() => void run('review.revertFile', { path })}
        />
      )}
      {waits && scope.kind !== 'git' && (
        <IconButton
          icon={Check}
          size={14}
          label={t('review.acceptFile')}
          keys={yes}
          onClick={() => void run('review.acceptFile', { path })}
        />
      )}
    </span>
  )
}
