/** The language servers of the open workspace, for reading. */
import type { StoreApi, UseBoundStore } from 'zustand'
import { type LanguageMirror, languageStore } from './language-store.ts'

export type { LanguageMirror } from './language-store.ts'

export const languageMirror: UseBoundStore<
  Pick<StoreApi<LanguageMirror>, 'getState' | 'getInitialState' | 'subscribe'>
> = languageStore
