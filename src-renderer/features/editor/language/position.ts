/**
 * Places as Monaco counts them, from 1, and as the wire does, from 0. Both count UTF-16 units in lines that `\n`, `\r\n` and `\r`
 * end, so that nothing but the 1 differs.
 */
import type { IPosition, IRange } from 'monaco-editor/editor'
import type { TextPosition, TextRange } from '#contract/text-range'

export const toWirePosition = ({ lineNumber, column }: IPosition): TextPosition => ({
  line: lineNumber - 1,
  character: column - 1,
})

export const toWireRange = (range: IRange): TextRange => ({
  start: { line: range.startLineNumber - 1, character: range.startColumn - 1 },
  end: { line: range.endLineNumber - 1, character: range.endColumn - 1 },
})

export const toPosition = ({ line, character }: TextPosition): IPosition => ({
  lineNumber: line + 1,
  column: character + 1,
})

export const toRange = ({ start, end }: TextRange): IRange => ({
  startLineNumber: start.line + 1,
  startColumn: start.character + 1,
  endLineNumber: end.line + 1,
  endColumn: end.character + 1,
})
