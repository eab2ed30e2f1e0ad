/** Whatever the line ends, Monaco's picture and the file's text tell of the same edits in both directions. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Change,
  fromModel,
  type ModelChange,
  type ModelEdit,
  staysUniform,
  toModel,
  uniformEnd,
} from './line-ends.ts'

const units = fc.constantFrom('a', 'b', '\n', '\r\n', '\r')
const text = fc.string({ unit: units, maxLength: 14 })
/** Monaco's own rule, with `\n` as the model's end. */
const normal = (of: string) => of.replace(/\r\n|\r/g, '\n')
const apply = (before: string, changes: readonly Change[]) => {
  let out = ''
  let position = 0
  for (const { from, to, text } of changes) {
    out += before.slice(position, from) + text
    position = to
  }
  return out + before.slice(position)
}
const changesOf = (before: string) =>
  fc
    .array(
      fc.record({ a: fc.nat(before.length), b: fc.nat(before.length), text: fc.string({ unit: units, maxLength: 3 }) }),
      { minLength: 1, maxLength: 3 },
    )
    .map(parts => {
      const ends = parts.flatMap(({ a, b }) => [a, b]).sort((x, y) => x - y)
      return parts.map(({ text }, i) => ({ from: ends[2 * i] ?? 0, to: ends[2 * i + 1] ?? 0, text }))
    })

const offsetIn = (shown: string, line: number, column: number) =>
  shown
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, each) => sum + each.length + 1, 0) +
  column -
  1
const placeIn = (shown: string, offset: number) => {
  const lines = shown.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
const applyModel = (shown: string, { range, text }: ModelEdit) =>
  shown.slice(0, offsetIn(shown, range.startLineNumber, range.startColumn)) +
  normal(text) +
  shown.slice(offsetIn(shown, range.endLineNumber, range.endColumn))

describe('line ends', () => {
  it('carry what comes in to the same lines', () => {
    fc.assert(
      fc.property(
        text.chain(before => fc.tuple(fc.constant(before), changesOf(before))),
        ([before, changes]) => {
          const after = apply(before, changes)
          expect(applyModel(normal(before), toModel(before, after, changes))).toBe(normal(after))
        },
      ),
      { numRuns: 600 },
    )
  })

  it('carry what is typed to the same places, and leave every other byte', () => {
    fc.assert(
      fc.property(text, fc.nat(14), fc.nat(14), fc.constantFrom('x', '\n', ''), (before, a, b, put) => {
        const shown = normal(before)
        const [from, to] = [Math.min(a, b, shown.length), Math.min(Math.max(a, b), shown.length)]
        const [start, end] = [placeIn(shown, from), placeIn(shown, to)]
        const typed: ModelChange = {
          range: {
            startLineNumber: start.line,
            startColumn: start.column,
            endLineNumber: end.line,
            endColumn: end.column,
          },
          rangeOffset: from,
          rangeLength: to - from,
          text: put,
        }
        const changes = fromModel(before, [typed], uniformEnd(before) === '\n')
        const after = apply(before, changes)
        expect(normal(after)).toBe(shown.slice(0, from) + put + shown.slice(to))
        const kept = [before.slice(0, changes[0]?.from), before.slice(changes[0]?.to)]
        expect([after.startsWith(kept[0] ?? ''), after.endsWith(kept[1] ?? '')]).toEqual([true, true])
      }),
      { numRuns: 600 },
    )
  })

  it('know when offsets may be used as they are', () => {
    const crlf = 'a\r\nb\r\n'
    const kinds = [
      staysUniform(crlf, [{ from: 1, to: 3, text: '' }], '\r\n'),
      staysUniform(crlf, [{ from: 2, to: 3, text: '' }], '\r\n'),
      staysUniform(crlf, [{ from: 0, to: 0, text: 'x\n' }], '\r\n'),
      staysUniform(crlf, [{ from: 0, to: 0, text: 'x\r\n' }], '\r\n'),
      staysUniform('a\nb', [{ from: 1, to: 2, text: '\n' }], '\n'),
    ]
    expect(kinds).toEqual([true, false, false, true, true])
    expect(['', 'a\n', crlf, 'a\r', 'a\r\nb\n'].map(each => uniformEnd(each))).toEqual(['\n', '\n', '\r\n', null, null])
  })
})
