/** Which workspace this window shows. Set by app alone (open, trust, close); everybody else reads. */
import { create } from 'zustand'
import type { RootId } from '#contract/id'
import type { WorkspaceInfo } from '#contract/workspace'

export interface WorkspaceView {
  /** Null: the welcome page. */
  readonly workspace: WorkspaceInfo | null
  /** The folder being opened; '' while it is not known yet whether there is one; null when none is. */
  readonly opening: string | null
}

export const workspaceView = create<WorkspaceView>(() => ({ workspace: null, opening: '' }))
export const useWorkspace = (): WorkspaceInfo | null => workspaceView(state => state.workspace)
export const useOpening = (): string | null => workspaceView(state => state.opening)

/** What a root is called where there are several to tell apart; null where there is one. */
export const rootNameIn = (workspace: WorkspaceInfo | null, rootId: RootId): string | null =>
  workspace && workspace.roots.length > 1 ? (workspace.roots.find(root => root.rootId === rootId)?.name ?? null) : null
export const useRootName = (rootId: RootId): string | null =>
  workspaceView(({ workspace }) => rootNameIn(workspace, rootId))
