/** A server's offer as Monaco's suggestion: what it leaves out comes from its list, or from the word at the caret. */
import type { languages } from 'monaco-editor/editor'
import * as enums from 'monaco-editor/editor/common/standalone/standaloneEnums.js'
import { expect, test } from 'vitest'
import { toSuggestion } from './completion.ts'

const monaco = { languages: enums } as unknown as Parameters<typeof toSuggestion>[0]
const range = (start: number, end: number) => ({
  start: { line: 2, character: start },
  end: { line: 2, character: end },
})
const shown = (start: number, end: number) => ({
  startLineNumber: 3,
  startColumn: start + 1,
  endLineNumber: 3,
  endColumn: end + 1,
})
const around: languages.CompletionItemRanges = { insert: shown(0, 2), replace: shown(0, 5) }
const list = { ranges: { insert: range(1, 2), replace: range(1, 6) }, commitCharacters: ['.'] }

test('the list speaks for an offer that is silent', () => {
  expect(toSuggestion(monaco, { index: 0, label: 'push' }, list, around)).toEqual({
    label: 'push',
    kind: enums.CompletionItemKind.Text,
    insertText: 'push',
    insertTextRules: enums.CompletionItemInsertTextRule.KeepWhitespace,
    range: { insert: shown(1, 2), replace: shown(1, 6) },
    commitCharacters: ['.'],
  })
})

test('the word at the caret speaks where neither does', () => {
  expect(toSuggestion(monaco, { index: 0, label: 'a', ranges: null }, list, around).range).toBe(around)
  expect(toSuggestion(monaco, { index: 0, label: 'a' }, { ...list, ranges: null }, around).range).toBe(around)
})

test('all that an offer can say', () => {
  const offer = {
    index: 3,
    label: 'readFile',
    labelDetail: '(path)',
    labelDescription: 'node:fs',
    kind: 3,
    detail: 'function readFile',
    documentation: { kind: 'markdown' as const, text: 'Reads **it**.' },
    deprecated: true,
    preselect: true,
    sortText: '1',
    filterText: 'rf',
    insertText: 'readFile($1)',
    snippet: true,
    adjustIndent: true,
    ranges: { insert: range(0, 1), replace: range(0, 1) },
    commitCharacters: ['('],
    additionalEdits: [{ range: range(0, 0), text: 'import' }],
    asksAgain: true,
  }
  expect(toSuggestion(monaco, offer, list, around)).toEqual({
    label: { label: 'readFile', detail: '(path)', description: 'node:fs' },
    kind: enums.CompletionItemKind.Function,
    detail: 'function readFile',
    documentation: { value: 'Reads **it**.', isTrusted: false, supportHtml: false },
    tags: [enums.CompletionItemTag.Deprecated],
    preselect: true,
    sortText: '1',
    filterText: 'rf',
    insertText: 'readFile($1)',
    insertTextRules: enums.CompletionItemInsertTextRule.InsertAsSnippet,
    range: { insert: shown(0, 1), replace: shown(0, 1) },
    commitCharacters: ['('],
    additionalTextEdits: [{ range: shown(0, 0), text: 'import' }],
    command: { id: 'editor.action.triggerSuggest', title: '' },
  })
})

test('every kind of the protocol has one of Monaco’s', () => {
  const kinds = Array.from(
    { length: 25 },
    (_, at) => toSuggestion(monaco, { index: 0, label: 'a', kind: at + 1 }, list, around).kind,
  )
  expect(kinds.every(kind => typeof kind === 'number')).toBe(true)
  expect(new Set(kinds).size).toBe(25)
})
