/** Both ways of counting name the same place of the same text, whatever its line ends, marks, pairs and tabs. */
import fc from 'fast-check'
import { createTextBuffer } from 'monaco-editor/editor/common/model/textModel.js'
import { expect, test } from 'vitest'
import { indexText } from '../../../../sidecar/language/position.ts'
import { toPosition, toRange, toWirePosition, toWireRange } from './position.ts'

const units = fc.constantFrom('a', 'Z', '\t', ' ', '😀', '𝒳', 'é', '\u200b', '\uFEFF', '\n', '\r\n', '\r')
const texts = fc.string({ unit: units, maxLength: 40 })
const LF = 1

test('a place on the wire is the place in Monaco’s model', () => {
  fc.assert(
    fc.property(texts, fc.nat(), (text, anywhere) => {
      const offset = anywhere % (text.length + 1)
      fc.pre(!(text[offset - 1] === '\r' && text[offset] === '\n'))
      // A first mark is a character of ours: `bind-model.ts` puts it in by an edit.
      fc.pre(!text.startsWith('\uFEFF'))
      const index = indexText(text)
      const wire = index.positionOf(offset, 'utf-16')
      const shown = toPosition(wire)
      const { textBuffer } = createTextBuffer(text, LF)
      const before = textBuffer.getLineContent(shown.lineNumber).slice(0, shown.column - 1)
      expect(before).toBe(
        text
          .slice(0, offset)
          .split(/\r\n|\n|\r/)
          .at(-1),
      )
      expect(toWirePosition(shown)).toEqual(wire)
      expect(index.offsetOf(toWirePosition(shown), 'utf-16')).toBe(offset)
    }),
  )
})

test('ranges go there and back', () => {
  const place = fc.record({ line: fc.nat(1e6), character: fc.nat(1e6) })
  fc.assert(
    fc.property(place, place, (start, end) => {
      expect(toWireRange(toRange({ start, end }))).toEqual({ start, end })
    }),
  )
})
