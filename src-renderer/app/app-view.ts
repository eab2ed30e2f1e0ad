/** What app itself shows over the window: palette, dialogs about folders, a chord half pressed. */
import { create } from 'zustand'
import type { KeyPress } from '../ui/chord.ts'

export interface AppView {
  /** The palette's first text; null while it is closed. */
  readonly palette: string | null
  /** What the folder that is being chosen is for. */
  readonly folderDialog:
    | { readonly kind: 'open' | 'window' }
    | { readonly kind: 'add'; readonly from?: string }
    | { readonly kind: 'find'; readonly folder: string }
    | null
  /** A folder that was dropped on the window, absolute. */
  readonly droppedFolder: string | null
  /** The list of this workspace's folders. */
  readonly folders: boolean
  /** The list of workspaces. */
  readonly switcher: boolean
  /** Whose last lines are shown. */
  readonly childLog: 'sidecar' | 'pty-host' | null
  /** Which Belay this is. */
  readonly about: boolean
  /** The question whether to trust this folder; one for every place that offers it. */
  readonly trustQuestion: boolean
  readonly pendingKeys: readonly KeyPress[] | null
}

export const appView = create<AppView>(() => ({
  palette: null,
  folderDialog: null,
  droppedFolder: null,
  folders: false,
  switcher: false,
  childLog: null,
  about: false,
  trustQuestion: false,
  pendingKeys: null,
}))
