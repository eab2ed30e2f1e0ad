/** Rows of the outline, and what is around a place. */
import { expect, test } from 'vitest'
import type { DocumentSymbol } from '#contract/language-editor'
import { outlineRows } from './outline-rows.ts'
import { symbolsAround } from './symbols-view.ts'

const symbol = (name: string, from: number, to: number, children: DocumentSymbol[] = []): DocumentSymbol => {
  const range = { start: { line: from, character: 0 }, end: { line: to, character: 1 } }
  return { name, detail: '', kind: 5, deprecated: false, range, selection: range, children }
}
const symbols = [
  symbol('Box', 0, 9, [symbol('open', 1, 3), symbol('open', 4, 6, [symbol('lid', 5, 5)])]),
  symbol('close', 10, 12),
]
const shown = (folded: string[], query = '') =>
  outlineRows(symbols, new Set(folded), query).map(({ symbol: { name }, depth, expanded }) => [name, depth, expanded])

test('a tree without what is folded', () => {
  expect(shown([])).toEqual([
    ['Box', 0, true],
    ['open', 1, null],
    ['open', 1, true],
    ['lid', 2, null],
    ['close', 0, null],
  ])
  expect(shown(['/Box#0/open#1'])).toEqual([
    ['Box', 0, true],
    ['open', 1, null],
    ['open', 1, false],
    ['close', 0, null],
  ])
})

test('letters find what is deep and folded, with what it is in', () => {
  expect(shown(['/Box#0'], 'LI')).toEqual([
    ['Box', 0, true],
    ['open', 1, true],
    ['lid', 2, null],
  ])
  expect(shown([], 'nothing')).toEqual([])
})

test('around a place, from the outermost to the innermost', () => {
  const around = (line: number) => symbolsAround(symbols, { line, character: 0 }).map(({ name }) => name)
  expect([around(5), around(7), around(11), around(20)]).toEqual([['Box', 'open', 'lid'], ['Box'], ['close'], []])
})
