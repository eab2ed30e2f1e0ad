/** What the sidecar says of open and unsaved documents, by `pathKey`. Written by client/document-pump.ts only. */
import { create } from 'zustand'
import type { DocumentState } from '#contract/document'

export interface DocumentMirror {
  readonly states: Readonly<Record<string, DocumentState>>
  /** Own text that has not reached the sidecar yet (it is away): kept here and sent as soon as it is back. */
  readonly unsent: Readonly<Record<string, true>>
}

export const documentStore = create<DocumentMirror>(() => ({ states: {}, unsent: {} }))
