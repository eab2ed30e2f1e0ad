/** Open and unsaved documents, for reading. */
import type { StoreApi, UseBoundStore } from 'zustand'
import type { DocumentState } from '#contract/document'
import { type AnyPath, pathKey } from '#contract/path'
import { type DocumentMirror, documentStore } from './document-store.ts'

export type { DocumentMirror } from './document-store.ts'

export const useDocuments: UseBoundStore<Pick<StoreApi<DocumentMirror>, 'getState' | 'getInitialState' | 'subscribe'>> =
  documentStore

/** Undefined while nothing is known of it, which also means that nothing in it is unsaved. */
export const useDocumentState = (path: AnyPath | null): DocumentState | undefined =>
  documentStore(mirror => (path ? mirror.states[pathKey(path)] : undefined))
export const documentState = (path: AnyPath): DocumentState | undefined =>
  documentStore.getState().states[pathKey(path)]
