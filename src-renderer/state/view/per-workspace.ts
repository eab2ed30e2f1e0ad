/** What a window holds in memory only, of each workspace for itself: another one begins anew, coming back finds what was there. */
import type { StoreApi } from 'zustand'
import { workspaceView } from './workspace.ts'

/** Call once for a store, which then always holds what belongs to the workspace that is shown. */
export function keptPerWorkspace<T>(store: Pick<StoreApi<T>, 'getState' | 'getInitialState' | 'setState'>): void {
  const kept = new Map<string | undefined, T>()
  workspaceView.subscribe(({ workspace: to }, { workspace: from }) => {
    if (to?.workspaceId === from?.workspaceId) return
    kept.set(from?.workspaceId, store.getState())
    store.setState(kept.get(to?.workspaceId) ?? store.getInitialState(), true)
  })
}
