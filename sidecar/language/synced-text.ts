/** A text as servers are to have it: what a person has before them, else what is on disk; never one that is too large. */
import { FULL_DOCUMENT_BYTES } from '#contract/document'
import { isUntitled } from '#contract/path'
import type { SyncedText } from './open-documents.ts'
import type { LanguageWorkspace, ShownText } from './ports.ts'

export type ServerText = Omit<SyncedText, 'languageId'>

/** Null for none, and for what has no semantics: too large, or without a file. */
export function syncedText(shown: ShownText | null): ServerText | null {
  if (shown?.state.size !== 'full' || isTooLarge(shown.text) || isUntitled(shown.path)) return null
  const { absolute, text, documentId, version } = shown
  return { absolute, text, of: { documentId, version } }
}

/** Of a file that need not be open. Never rejects. */
export async function textAt({ documents, paths }: LanguageWorkspace, absolute: string): Promise<ServerText | null> {
  const shown = documents.openedAt(absolute)
  if (shown) return syncedText(shown)
  const path = paths.toWire(absolute)
  if (!path) return null
  const text = await documents.textOf(path).catch(() => null)
  // Somebody may have opened it meanwhile, and may be typing.
  const now = documents.openedAt(absolute)
  if (now) return syncedText(now)
  return text === null || isTooLarge(text) ? null : { absolute, text, of: null }
}

const isTooLarge = (text: string): boolean => text.length > FULL_DOCUMENT_BYTES
