/** The language servers of the open workspace. Written by client/language-pump.ts only. */
import { create } from 'zustand'
import type { LanguageServerInfo } from '#contract/language'

export interface LanguageMirror {
  /** Null until it is known. */
  readonly servers: readonly LanguageServerInfo[] | null
  /** Why the last look failed; what is known stays. */
  readonly fault: string | null
}

export const languageStore = create<LanguageMirror>(() => ({ servers: null, fault: null }))
