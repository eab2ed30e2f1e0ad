/** Changes: since when, the files, the comments that wait, and the two decisions about everything. */
import { CheckCheck, Columns2, FileDiff, Rows2, Undo2 } from 'lucide-react'
import { useReviewList } from '../../state/mirror/review.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Button, EmptyState, IconButton, PaneHead, Segmented, Spinner } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { CommentDock } from './comment-dock.tsx'
import { ReviewList } from './review-list.tsx'
import { reviewView, type ScopeKind, useScope } from './review-state.ts'
import './review.css'

export function ReviewPane() {
  const t = useT()
  const run = useCommand()
  const { kind, inline } = reviewView.use()
  const scope = useScope()
  const list = useReviewList(scope)
  const setKind = (next: ScopeKind) => reviewView.set(view => ({ ...view, kind: next }))
  return (
    <div className="review" data-context="review">
      <PaneHead title={t('review.title')}>
        <IconButton
          icon={Undo2}
          label={t('command.review.undo')}
          disabled={!list?.lastAct}
          onClick={() => void run('review.undo')}
        />
        <IconButton
          icon={inline ? Rows2 : Columns2}
          label={t(inline ? 'review.beside' : 'review.inline')}
          onClick={() => void run('review.toggleInline')}
        />
      </PaneHead>
      <Segmented
        className="review-scopes"
        label={t('review.since')}
        value={kind}
        options={(['turn', 'session', 'git'] as const).map(value => ({ value, label: t(`review.scope.${value}`) }))}
        onChange={setKind}
      />
      {scope && list && list.files.length + list.others.length > 0 ? (
        <ReviewList key={kind} scope={scope} list={list} />
      ) : (
        <Nothing kind={kind} onSession={() => setKind('session')} />
      )}
      {list?.truncated && <p className="review-note">{t('review.truncated')}</p>}
      <CommentDock />
      {list && list.files.length > 0 && (
        <div className="review-foot">
          {kind !== 'git' && (
            <Button variant="main" onClick={() => void run('review.acceptAll')}>
              {t('review.acceptAll')}
            </Button>
          )}
          <Button onClick={() => void run('review.revertAll')}>{t('review.revertAll')}</Button>
        </div>
      )}
    </div>
  )
}

function Nothing({ kind, onSession }: { readonly kind: ScopeKind; readonly onSession: () => void }) {
  const t = useT()
  const run = useCommand()
  const scope = useScope()
  const list = useReviewList(scope)
  const session = useReviewList(kind === 'turn' && scope?.kind === 'turn' ? { ...scope, kind: 'session' } : null)
  const trusted = useWorkspace()?.trusted ?? false
  if (scope && (!list || list.status === 'opening'))
    return (
      <div className="review-wait">
        <Spinner label={t('review.looking')} />
      </div>
    )
  if (list?.fault)
    return (
      <div className="review-wait" role="alert">
        <EmptyState icon={FileDiff} title={t('review.failed')} body={localize(list.fault.message)} />
      </div>
    )
  const waiting = session?.files.length ?? 0
  return (
    <div className="review-wait">
      <EmptyState
        icon={scope && kind !== 'git' ? CheckCheck : FileDiff}
        title={t(`review.nothing.${kind}`)}
        body={t(kind === 'git' && !trusted ? 'review.nothing.untrusted' : `review.nothingHow.${kind}`)}
      >
        {waiting > 0 && <Button onClick={onSession}>{t('review.lookAtSession', { count: waiting })}</Button>}
        {!scope && <Button onClick={() => void run('app.focusAgent')}>{t('command.app.focusAgent')}</Button>}
      </EmptyState>
    </div>
  )
}
