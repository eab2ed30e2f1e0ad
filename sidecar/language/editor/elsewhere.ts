/** Files that an answer speaks of and that no server has open: read quickly, to count columns in them and no more. */
import { readFile, stat } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { FULL_DOCUMENT_BYTES } from '#contract/document'
import type { AnyPath } from '#contract/path'
import type { LanguageWorkspace } from '../ports.ts'

export interface Elsewhere {
  /** Of a file; null where it cannot be read. Never rejects. */
  textOf(absolute: string): Promise<string | null>
  pathOf(absolute: string): AnyPath
}

export const createElsewhere = ({ documents, paths }: LanguageWorkspace): Elsewhere => ({
  async textOf(absolute) {
    const shown = documents.openedAt(absolute)
    if (shown) return shown.text
    try {
      const facts = await stat(absolute)
      if (!facts.isFile() || facts.size > FULL_DOCUMENT_BYTES) return null
      return (await readFile(absolute, 'utf8')).replace(/^\uFEFF/, '')
    } catch {
      return null
    }
  },
  pathOf: absolute => paths.toWire(absolute) ?? { uri: pathToFileURL(absolute).href },
})
