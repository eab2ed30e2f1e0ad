/** Places in texts: laws over any text and any nonsense a server may send. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyChanges } from '#contract/document-transform'
import { differenceOf, indexText, type PositionEncoding } from './position.ts'

const encodings: PositionEncoding[] = ['utf-8', 'utf-16', 'utf-32']
const piece = fc.constantFrom('a', 'é', '名', '😀', '👨‍👩‍👧', '\t', '\n', '\r\n', '\r', '\u2028', ' ', '\uFEFF')
const text = fc.array(piece, { maxLength: 30 }).map(pieces => pieces.join(''))
const encoding = fc.constantFrom(...encodings)

/** Whether the place lies between two characters, and not inside a line end. */
const isWhole = (all: string, at: number): boolean =>
  !(/[\ud800-\udbff]/.test(all[at - 1] ?? '') && /[\udc00-\udfff]/.test(all[at] ?? '')) &&
  !(all[at - 1] === '\r' && all[at] === '\n')

describe('places', () => {
  it('go to a server and come back the same', () => {
    fc.assert(
      fc.property(text, fc.nat(60), encoding, (all, near, units) => {
        const at = Math.min(near, all.length)
        fc.pre(isWhole(all, at))
        const index = indexText(all)
        expect(index.offsetOf(index.positionOf(at, units), units)).toBe(at)
      }),
    )
  })

  it('that a server sends lie in the text whatever they are, and never inside a character', () => {
    const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(Number.NaN, -1, 1e300, undefined as never))
    fc.assert(
      fc.property(text, number, number, encoding, (all, line, character, units) => {
        const at = indexText(all).offsetOf({ line, character }, units)
        expect(at).toBeGreaterThanOrEqual(0)
        expect(at).toBeLessThanOrEqual(all.length)
        if (units !== 'utf-16') expect(isWhole(all, at)).toBe(true)
      }),
    )
  })

  it('behind the end of a line are its end', () => {
    const index = indexText('ab\r\ncd\re\n')
    const end = (line: number) => index.offsetOf({ line, character: 99 }, 'utf-16')
    expect([0, 1, 2, 3, 4].map(end)).toEqual([2, 6, 8, 9, 9])
  })

  it('are counted from 1 for people, tabs being one column', () => {
    expect(indexText('a\n\t😀x').shownAt(5)).toEqual({ line: 2, column: 4 })
  })

  it('are counted in bytes, units or characters', () => {
    const index = indexText('é😀x')
    expect(encodings.map(each => index.positionOf(3, each).character)).toEqual([6, 3, 2])
  })
})

describe('what differs between two texts', () => {
  it('makes one of the other, and is whole in both', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const change = differenceOf(before, after)
        if (!change) {
          expect(before).toBe(after)
          return
        }
        expect(applyChanges(before, [change])).toBe(after)
        for (const at of [change.from, change.to]) expect(isWhole(before, at)).toBe(true)
        for (const at of [change.from, change.from + change.text.length]) expect(isWhole(after, at)).toBe(true)
      }),
    )
  })

  it('does not cut a character of two units, nor a line end of two', () => {
    expect(differenceOf('a😀b', 'a😁b')).toEqual({ from: 1, to: 3, text: '😁' })
    expect(differenceOf('a\r\nb', 'a\nb')).toEqual({ from: 1, to: 3, text: '\n' })
  })
})
