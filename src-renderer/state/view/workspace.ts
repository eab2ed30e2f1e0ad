/** Which workspace this window shows. Set by app alone (open, trust, close); everybody else reads. */
import { create } from 'zustand'
import type { WorkspaceInfo } from '#contract/workspace'

export interface WorkspaceView {
  /** Null: the welcome page. */
  readonly workspace: WorkspaceInfo | null
  /** The folder being opened, to show while it takes a moment. */
  readonly opening: string | null
}

export const workspaceView = create<WorkspaceView>(() => ({ workspace: null, opening: null }))
export const useWorkspace = (): WorkspaceInfo | null => workspaceView(state => state.workspace)
