/** A server's changes of one text, as Monaco's. */
import type { languages } from 'monaco-editor/editor'
import type { TextEdit } from '#contract/language-edit'
import { toRange } from './position.ts'

export const toEdits = (edits: readonly TextEdit[]): languages.TextEdit[] =>
  edits.map(({ range, text }) => ({ range: toRange(range), text }))
