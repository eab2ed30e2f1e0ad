/** Under a hunk: accept, revert, comment; or whose it is, where nobody has to decide. */
import type { ReviewHunk } from '#contract/review'
import { useT } from '../../ui/i18n.ts'
import { cx, Tooltip } from '../../ui/index.ts'
import { chordOf } from './keys.ts'

interface HunkBarProps {
  readonly hunk: ReviewHunk
  /** The keys act on this one. */
  readonly current: boolean
  readonly canAccept: boolean
  readonly waits: boolean
  readonly onAct: (what: 'accept' | 'revert') => void
  readonly onComment: () => void
}

export function HunkBar({ hunk, current, canAccept, waits, onAct, onComment }: HunkBarProps) {
  const t = useT()
  const { base, now, by, ends } = hunk
  const label = t('review.hunkLabel', { line: now.from + 1, added: now.to - now.from, removed: base.to - base.from })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div className={cx('review-bar', current && 'review-current')} role="group" aria-label={label}>
      {by !== 'agent' && by !== 'unknown' && (
        <span className={cx('review-tag', !waits && 'review-tag-own')}>{t(`review.by.${by}`)}</span>
      )}
      {ends && <span className="review-tag">{t('review.onlyEnds')}</span>}
      <span className="review-buttons">
        {waits && canAccept && (
          <BarButton className="review-yes" id="review.acceptHunk" onClick={() => onAct('accept')}>
            {t('review.accept')}
          </BarButton>
        )}
        {waits && (
          <BarButton className="review-no" id="review.revertHunk" onClick={() => onAct('revert')}>
            {t('review.revert')}
          </BarButton>
        )}
        <BarButton className="review-say" id="review.comment" onClick={onComment}>
          {t('review.comment')}
        </BarButton>
      </span>
    </div>
  )
}

interface BarButtonProps {
  readonly id: 'review.acceptHunk' | 'review.revertHunk' | 'review.comment'
  readonly className: string
  readonly children: string
  readonly onClick: () => void
}

function BarButton({ id, className, children, onClick }: BarButtonProps) {
  const t = useT()
  return (
    <Tooltip label={t(`command.${id}`)} keys={chordOf(id)} side="bottom">
      <button type="button" className={className} onClick={onClick}>
        {children}
      </button>
    </Tooltip>
  )
}
