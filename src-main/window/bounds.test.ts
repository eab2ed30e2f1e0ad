import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { apart, fresh, inReach, MIN_HEIGHT, MIN_WIDTH, nearest, rescued } from './bounds.ts'

const laptop = { x: 0, y: 25, width: 1440, height: 875 }
const beside = { x: 1440, y: 0, width: 2560, height: 1400 }
const anywhere = fc.integer({ min: -100_000, max: 100_000 })
const remembered = fc.record({ x: anywhere, y: anywhere, width: anywhere, height: anywhere })
/** In a row, as displays stand, none upon another. */
const displays = fc
  .array(
    fc.record({
      width: fc.integer({ min: 400, max: 7680 }),
      height: fc.integer({ min: 300, max: 4320 }),
      y: fc.integer({ min: -2000, max: 2000 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .chain(row =>
    fc.integer({ min: -8000, max: 2000 }).map(left => {
      let x = left
      return row.map(({ width, height, y }) => {
        const area = { x, y, width, height }
        x += width
        return area
      })
    }),
  )

describe('a remembered window', () => {
  test('is in reach on any displays, of a size that can be used, and stays there when asked again', () => {
    fc.assert(
      fc.property(remembered, displays, (bounds, areas) => {
        const placed = rescued(bounds, areas)
        expect(inReach(placed, areas)).toBe(true)
        expect(placed.width).toBeGreaterThanOrEqual(MIN_WIDTH)
        expect(placed.height).toBeGreaterThanOrEqual(MIN_HEIGHT)
        expect(rescued(placed, areas)).toEqual(placed)
      }),
      { numRuns: 500 },
    )
  })

  test('that lies in one work area is not touched', () => {
    fc.assert(
      fc.property(
        displays,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
        (areas, [a = 0, b = 0, c = 0, d = 0]) => {
          const area = nearest({ x: 0, y: 0, width: 1, height: 1 }, areas)
          fc.pre(area.width >= MIN_WIDTH && area.height >= MIN_HEIGHT)
          const width = Math.round(MIN_WIDTH + (area.width - MIN_WIDTH) * a)
          const height = Math.round(MIN_HEIGHT + (area.height - MIN_HEIGHT) * b)
          const bounds = {
            width,
            height,
            x: area.x + Math.floor((area.width - width) * c),
            y: area.y + Math.floor((area.height - height) * d),
          }
          expect(rescued(bounds, areas)).toEqual(bounds)
        },
      ),
    )
  })

  test.each([
    [
      'its display is gone',
      { x: 2000, y: 100, width: 1200, height: 800 },
      [laptop],
      { x: 240, y: 100, width: 1200, height: 800 },
    ],
    [
      'it is larger than what is left',
      { x: 1500, y: 50, width: 2400, height: 1300 },
      [laptop],
      { x: 0, y: 25, width: 1440, height: 875 },
    ],
    [
      'its title bar is above the screen',
      { x: 100, y: -300, width: 900, height: 700 },
      [laptop],
      { x: 100, y: 25, width: 900, height: 700 },
    ],
    [
      'it lies across two displays',
      { x: 1000, y: 100, width: 1000, height: 700 },
      [laptop, beside],
      { x: 1000, y: 100, width: 1000, height: 700 },
    ],
    [
      'a person pushed it half out',
      { x: -600, y: 300, width: 900, height: 700 },
      [laptop],
      { x: -600, y: 300, width: 900, height: 700 },
    ],
  ])('%s', (_what, bounds, areas, expected) => {
    expect(rescued(bounds, areas)).toEqual(expected)
  })
})

describe('one more window', () => {
  test('stands in the middle, the next ones down and right, and none on another', () => {
    const open = [fresh(beside, null)]
    expect(open[0]).toEqual({ x: 2000, y: 250, width: 1440, height: 900 })
    for (let count = 1; count < 40; count++) {
      const next = apart(fresh(beside, open.at(-1) ?? null), open, beside)
      expect(inReach(next, [beside])).toBe(true)
      open.push(next)
    }
    expect(open[1]).toEqual({ x: 2030, y: 280, width: 1440, height: 900 })
    expect(new Set(open.map(({ x, y }) => `${x} ${y}`)).size).toBe(40)
  })

  test('takes no more room than the display has', () => {
    expect(fresh(laptop, null)).toEqual({ x: 0, y: 25, width: 1440, height: 875 })
    expect(apart(fresh(laptop, fresh(laptop, null)), [fresh(laptop, null)], laptop)).toEqual({
      x: 0,
      y: 25,
      width: 1440,
      height: 875,
    })
  })
})
