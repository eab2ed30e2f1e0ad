/** Models and accounts as the sidecar has them; no key is ever among them. Written by client only. */
import { create } from 'zustand'
import type { ModelInfo, ProviderInfo } from '#contract/model'

export interface ModelMirror {
  /** Null until the first answer. */
  readonly known: {
    readonly providers: readonly ProviderInfo[]
    readonly models: readonly ModelInfo[]
    /** `<provider>/<model>` of new sessions. */
    readonly chosen: string
  } | null
  /** Looking for local servers and new keys. */
  readonly refreshing: boolean
  /** Why the last look failed. */
  readonly fault: string | null
}

export const modelStore = create<ModelMirror>(() => ({ known: null, refreshing: false, fault: null }))
