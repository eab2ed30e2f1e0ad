/** Keeps lists of what is to be looked at, and single files of them, fresh while somebody looks. */
import type { Fault } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { ReviewScope } from '#contract/review'
import { reviewStore, scopeKey } from '../state/mirror/review-store.ts'
import { belay, follow } from './index.ts'

/** Asked again at most this often. */
const SETTLE_MS = 150

interface Fresh<T> {
  readonly workspaceId: WorkspaceId
  readonly scope: ReviewScope
  open(signal: AbortSignal): Promise<T>
  onValue(value: T): void
  onFailed(fault: Fault): void
}

/** Asks, and asks again whenever something in that scope may be another now. Returns the function that ends it. */
export function followReview<T>({ workspaceId, scope, open, onValue, onFailed }: Fresh<T>): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null
  const again = () => {
    timer ??= setTimeout(() => {
      timer = null
      following.reopen()
    }, SETTLE_MS)
  }
  const following = follow<T>({
    open,
    onSnapshot: onValue,
    onFailed: fault => onFailed(fault),
    events: {
      'review/changed': changed => {
        if (changed.workspaceId === workspaceId || (changed.workspaceId === null && scope.kind !== 'git')) again()
      },
      'git/changed': () => {
        if (scope.kind === 'git') again()
      },
    },
  })
  return () => {
    if (timer) clearTimeout(timer)
    following.dispose()
  }
}

const followed = new Map<string, { users: number; end: () => void }>()

/** Keeps one scope's list in the mirror until the returned function is called; several may ask for the same. */
export function followReviewList(workspaceId: WorkspaceId, scope: ReviewScope): () => void {
  const key = scopeKey(scope)
  const known = followed.get(key)
  if (known) known.users++
  else followed.set(key, { users: 1, end: start(workspaceId, scope, key) })
  return () => {
    const entry = followed.get(key)
    if (!entry || --entry.users > 0) return
    followed.delete(key)
    entry.end()
    reviewStore.setState(({ lists: { [key]: _, ...lists } }) => ({ lists }))
  }
}

function start(workspaceId: WorkspaceId, scope: ReviewScope, key: string): () => void {
  const nothing = { files: [], others: [], lastAct: null, truncated: false }
  const put = (change: object) =>
    reviewStore.setState(({ lists }) => ({
      lists: { ...lists, [key]: { status: 'opening', fault: null, ...nothing, ...lists[key], ...change } },
    }))
  put({})
  let told = ''
  return followReview({
    workspaceId,
    scope,
    open: signal => belay.review.list({ workspaceId, scope }, { signal }),
    onValue(list) {
      const text = JSON.stringify(list)
      if (text === told) return
      told = text
      put({ status: 'ready', fault: null, ...list })
    },
    onFailed(fault) {
      told = ''
      put({ status: 'failed', fault })
    },
  })
}
