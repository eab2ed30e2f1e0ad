/** One file's changes, fresh while it is shown. What one looked at last stays until something newer is there. */
import { useEffect, useState } from 'react'
import type { Fault } from '#contract/error'
import { pathKey } from '#contract/path'
import type { FileReview } from '#contract/review'
import { belay } from '../../client/index.ts'
import { followReview } from '../../client/review-pump.ts'
import { scopeKey } from '../../state/mirror/review.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import type { FileArgument } from './review-state.ts'

export type FileState =
  | { readonly status: 'looking' }
  | { readonly status: 'open'; readonly review: FileReview }
  /** Nothing of it is left to look at. */
  | { readonly status: 'done' }
  | { readonly status: 'failed'; readonly fault: Fault }

export function useFileReview({ scope, path }: FileArgument): FileState {
  const workspaceId = useWorkspace()?.workspaceId
  const [state, setState] = useState<FileState>({ status: 'looking' })
  const key = `${scopeKey(scope)} ${pathKey(path)}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is scope and path, by value
  useEffect(() => {
    if (!workspaceId) return
    setState({ status: 'looking' })
    let told = ''
    return followReview<FileReview | null>({
      workspaceId,
      scope,
      // That nothing is left is an answer: it is asked again like any other when something changes.
      open: signal =>
        belay.review.file({ workspaceId, scope, path }, { signal }).catch(thrown => {
          if ((thrown as { code?: string }).code === 'not_found') return null
          throw thrown
        }),
      onValue(review) {
        const text = JSON.stringify(review)
        if (text === told) return
        told = text
        setState(review ? { status: 'open', review } : { status: 'done' })
      },
      onFailed(fault) {
        told = ''
        setState({ status: 'failed', fault })
      },
    })
  }, [workspaceId, key])
  return state
}
