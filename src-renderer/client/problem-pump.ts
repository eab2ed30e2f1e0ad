/** Keeps the mirror of problems of the open workspace: a snapshot, then batches without a gap. */

import type { WorkspaceId } from '#contract/id'
import type { FileProblems } from '#contract/language-problems'
import { noProblems, problemMarksOf, totalOf, withEntries } from '../state/mirror/problem-model.ts'
import { type ProblemMirror, problemStore } from '../state/mirror/problem-store.ts'
import { belay, follow } from './index.ts'

/** Follows a workspace until the returned function is called. */
export function followProblems(workspaceId: WorkspaceId): () => void {
  let seq = 0
  const put = (entries: readonly FileProblems[], before: Pick<ProblemMirror, 'entries' | 'files'>) => {
    const problems = withEntries(before, entries)
    const files = [...problems.files.values()]
    problemStore.setState({
      ...problems,
      status: 'ready',
      fault: null,
      total: totalOf(files),
      marks: problemMarksOf(files),
    })
  }
  const following = follow({
    open: signal => belay.language.problems({ workspaceId }, { signal }),
    onSnapshot(snapshot) {
      seq = snapshot.seq
      put(snapshot.files, noProblems)
    },
    onFailed: fault => problemStore.setState({ status: 'failed', fault }),
    events: {
      'language/problemsChanged': ({ workspaceId: of, seq: told, files }) => {
        if (of !== workspaceId || told <= seq) return
        if (told !== seq + 1) return 'reopen'
        seq = told
        put(files, problemStore.getState())
      },
    },
  })
  return () => {
    following.dispose()
    problemStore.setState(problemStore.getInitialState(), true)
  }
}
