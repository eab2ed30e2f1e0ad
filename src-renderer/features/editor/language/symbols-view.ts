/** The symbols of the texts that are shown, and where the caret is in each. Written by follow-symbols.ts; no entry: no server said any. */
import { create } from 'zustand'
import type { DocumentSymbol } from '#contract/language-editor'
import { type AnyPath, pathKey } from '#contract/path'
import type { TextPosition, TextRange } from '#contract/text-range'

export interface ShownSymbols {
  readonly path: AnyPath
  readonly symbols: readonly DocumentSymbol[]
  readonly caret: TextPosition
}

export const symbolsView = create<{ readonly byPath: Readonly<Record<string, ShownSymbols>> }>(() => ({ byPath: {} }))

export const useSymbols = (path: AnyPath | null): ShownSymbols | undefined =>
  symbolsView(state => (path ? state.byPath[pathKey(path)] : undefined))

const isBefore = (a: TextPosition, b: TextPosition) =>
  a.line < b.line || (a.line === b.line && a.character <= b.character)
const holds = ({ start, end }: TextRange, at: TextPosition) => isBefore(start, at) && isBefore(at, end)

/** From the outermost symbol around a place to the innermost. */
export function symbolsAround(symbols: readonly DocumentSymbol[], at: TextPosition): DocumentSymbol[] {
  const found = symbols.find(({ range }) => holds(range, at))
  return found ? [found, ...symbolsAround(found.children, at)] : []
}
