/** Whether commands run in a jail on this machine. Written by client only. */
import { create } from 'zustand'
import type { JailStatus } from '#contract/sandbox'

export interface JailMirror {
  /** Null until the first answer. */
  readonly status: JailStatus | null
}

export const jailStore = create<JailMirror>(() => ({ status: null }))
