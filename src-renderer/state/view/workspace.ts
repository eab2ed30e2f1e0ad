/** Which workspace this window shows. Set by app alone (open, trust, close); everybody else reads. */
import { create } from 'zustand'
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
