/** Review: what the agent changed since, hunk by hunk, and what a person decides about it. */
import { FileDiff } from 'lucide-react'
import { lazy } from 'react'
import { useReviewList } from '../../state/mirror/review.ts'
import { useSessionId } from '../../state/view/session.ts'
import type { Feature } from '../feature.ts'
import { reviewCommands } from './commands.ts'
import { ReviewOverlay } from './overlay.tsx'
import { FILE_PAGE, scopeOf } from './review-state.ts'

const ReviewPane = lazy(async () => ({ default: (await import('./review-pane.tsx')).ReviewPane }))
const FilePage = lazy(async () => ({ default: (await import('./file-page.tsx')).FilePage }))

/** Files of the session that wait for a look. */
function useBadge() {
  const list = useReviewList(scopeOf('session', useSessionId()))
  const count = list?.files.length ?? 0
  return count > 0 ? { text: String(count), tone: 'plain' as const } : null
}

export const review: Feature = {
  id: 'review',
  panes: [
    { id: 'review', title: 'review.title', icon: FileDiff, place: 'side', order: 25, component: ReviewPane, useBadge },
  ],
  pages: [{ id: FILE_PAGE, icon: FileDiff, component: FilePage }],
  commands: reviewCommands,
  overlay: ReviewOverlay,
}
