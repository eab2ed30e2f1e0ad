/** What app itself shows over the window: palette, open-folder dialog, a chord half pressed. */
import { create } from 'zustand'
import type { KeyPress } from '../ui/chord.ts'

export interface AppView {
  /** The palette's first text; null while it is closed. */
  readonly palette: string | null
  readonly openFolder: boolean
  /** The question whether to trust this folder; one for every place that offers it. */
  readonly trustQuestion: boolean
  readonly pendingKeys: readonly KeyPress[] | null
}

export const appView = create<AppView>(() => ({
  palette: null,
  openFolder: false,
  trustQuestion: false,
  pendingKeys: null,
}))
