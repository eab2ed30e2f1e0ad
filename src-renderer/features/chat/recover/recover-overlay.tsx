/** The questions before a rewind and a fork, over everything; fetched with their words when the window is at rest, so that they open at once. */
import { lazy, Suspense } from 'react'
import { useSessionId } from '../../../state/view/session.ts'
import { afterStart } from '../../../ui/after-start.ts'
import { withWords } from '../../../ui/i18n.ts'
import { recoverView } from './recover-view.ts'

const fetchRewind = () => withWords('recover', import('./rewind-dialog.tsx'))
const fetchFork = () => withWords('recover', import('./fork-dialog.tsx'))
const RewindDialog = lazy(async () => ({ default: (await fetchRewind()).RewindDialog }))
const ForkDialog = lazy(async () => ({ default: (await fetchFork()).ForkDialog }))
void afterStart().then(() => Promise.all([fetchRewind(), fetchFork()]).catch(() => {}))

export function RecoverOverlay() {
  const { rewind, fork } = recoverView()
  const shown = useSessionId()
  // What was asked of another session is no question any more.
  return (
    <Suspense fallback={null}>
      {rewind?.sessionId === shown && rewind && (
        <RewindDialog {...rewind} onClose={() => recoverView.setState({ rewind: null })} />
      )}
      {fork?.sessionId === shown && fork && (
        <ForkDialog asked={fork} onClose={() => recoverView.setState({ fork: null })} />
      )}
    </Suspense>
  )
}
