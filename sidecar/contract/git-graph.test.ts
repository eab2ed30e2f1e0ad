import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type GraphLine, graphStart, layoutGraph } from './git-graph.ts'

const drawn = (...commits: [oid: string, ...parents: string[]][]) =>
  layoutGraph(commits.map(([oid, ...parents]) => ({ oid, parents }))).rows.map(
    ({ lane, up, down, through }) => `${lane} up ${lanes(up)} down ${lanes(down)} by ${lanes(through)}`,
  )
const lanes = (lines: readonly GraphLine[]) => lines.map(each => each.lane).join(',') || '-'

it('draws a line, a merge, and two heads', () => {
  expect(drawn(['c', 'b'], ['b', 'a'], ['a'])).toEqual([
    '0 up - down 0 by -',
    '0 up 0 down 0 by -',
    '0 up 0 down - by -',
  ])
  expect(drawn(['m', 'b', 'x'], ['x', 'a'], ['b', 'a'], ['a'])).toEqual([
    '0 up - down 0,1 by -',
    '1 up 1 down 1 by 0',
    '0 up 0 down 1 by 1',
    '1 up 1 down - by -',
  ])
  expect(drawn(['h', 'a'], ['other', 'a'], ['a'])).toEqual([
    '0 up - down 0 by -',
    '1 up - down 0 by 0',
    '0 up 0 down - by -',
  ])
})

/** Any history, newest first: parents stand further down. */
const history = fc
  .integer({ min: 1, max: 40 })
  .chain(size =>
    fc.tuple(
      ...Array.from({ length: size }, (_, at) =>
        fc
          .uniqueArray(fc.integer({ min: at + 1, max: size }), { maxLength: 3 })
          .map(parents => ({ oid: String(at), parents: parents.map(String) })),
      ),
    ),
  )

it('every line goes on in the next row on its lane, and every commit reaches its parents, also page by page', () => {
  fc.assert(
    fc.property(history, fc.nat(40), (commits, cut) => {
      const whole = layoutGraph(commits)
      const first = layoutGraph(commits.slice(0, cut), graphStart)
      expect([...first.rows, ...layoutGraph(commits.slice(cut), first.end).rows]).toEqual(whole.rows)
      const key = (lines: readonly GraphLine[]) =>
        [...new Set(lines.map(({ lane, colour }) => `${lane} ${colour}`))].sort()
      whole.rows.forEach((row, at) => {
        const next = whole.rows[at + 1]
        if (next) expect(key([...row.down, ...row.through])).toEqual(key([...next.up, ...next.through]))
        expect(row.down).toHaveLength(commits[at]?.parents.length ?? 0)
      })
    }),
  )
})
