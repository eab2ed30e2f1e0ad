/** Follows what the badge counts and what the list shows, whichever pane is in front; and the one question of a review. */
import { useEffect } from 'react'
import type { ReviewScope } from '#contract/review'
import { followReviewList } from '../../client/review-pump.ts'
import { useSessionId } from '../../state/view/session.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import { ConfirmDialog } from '../../ui/index.ts'
import { decide } from './acts.ts'
import { showProblem } from './problem.ts'
import { askRevertAll, revertAllQuestion } from './revert-all.ts'
import { scopeOf, useScope } from './review-state.ts'

export function ReviewOverlay() {
  const t = useT()
  useFollowedList(scopeOf('session', useSessionId()))
  useFollowedList(useScope())
  const files = revertAllQuestion(state => state.files)
  return (
    <ConfirmDialog
      open={files !== null}
      danger
      title={t('review.revertAllTitle', { count: files ?? 0 })}
      body={t('review.revertAllBody')}
      confirmLabel={t('review.revertAll')}
      cancelLabel={t('review.cancel')}
      onCancel={() => askRevertAll(0)}
      onConfirm={() => {
        askRevertAll(0)
        decide('revert', { kind: 'git' }, null).catch(showProblem)
      }}
    />
  )
}

function useFollowedList(scope: ReviewScope | null): void {
  const workspaceId = useWorkspace()?.workspaceId
  const key = JSON.stringify(scope)
  useEffect(() => {
    const wanted = JSON.parse(key) as ReviewScope | null
    return workspaceId && wanted ? followReviewList(workspaceId, wanted) : undefined
  }, [workspaceId, key])
}
