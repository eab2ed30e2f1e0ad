import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyGraph, type GraphCommit, graphRows, lanesOf } from './graph.ts'

test('a line of commits is one lane', () => {
  const { rows, state } = graphRows(
    [
      { hash: 'c', parents: ['b'] },
      { hash: 'b', parents: ['a'] },
      { hash: 'a', parents: [] },
    ],
    emptyGraph,
  )
  expect(rows.map(row => [row.lane, row.fromAbove, row.parents.map(({ to }) => to)])).toEqual([
    [0, false, [0]],
    [0, true, [0]],
    [0, true, []],
  ])
  expect(state.lanes).toEqual([])
})

test('a merge opens a lane, and its branch comes back to the first', () => {
  const { rows } = graphRows(
    [
      { hash: 'm', parents: ['a', 'f'] },
      { hash: 'f', parents: ['r'] },
      { hash: 'a', parents: ['r'] },
      { hash: 'r', parents: [] },
    ],
    emptyGraph,
  )
  expect(rows.map(row => row.lane)).toEqual([0, 1, 0, 0])
  expect(rows.map(row => row.parents.map(({ to }) => to))).toEqual([[0, 1], [1], [0], []])
  expect(rows.map(row => row.joining.map(({ to }) => to))).toEqual([[], [], [], [1]])
  expect(Math.max(...rows.map(lanesOf))).toBe(2)
})

/** Children before parents, as git's log has them. */
const history = fc.integer({ min: 1, max: 40 }).chain(count =>
  fc
    .array(fc.array(fc.nat({ max: 8 }), { maxLength: 3 }), { minLength: count, maxLength: count })
    .map((steps): GraphCommit[] =>
      steps.map((parents, at) => ({
        hash: `${at}`,
        parents: [...new Set(parents.map(step => at + 1 + step).filter(parent => parent < count))].map(String),
      })),
    ),
)

test('every line a commit draws leads to where its parent is, past every row between', () => {
  fc.assert(
    fc.property(history, commits => {
      const { rows } = graphRows(commits, emptyGraph)
      commits.forEach(({ parents }, at) => {
        parents.forEach((parent, order) => {
          const line = rows[at]?.parents[order]
          const below = Number(parent)
          const end = rows[below]
          if (end?.lane === line?.to) expect(end?.fromAbove).toBe(true)
          else expect(end?.joining).toContainEqual(line)
          for (let between = at + 1; between < below; between++) expect(rows[between]?.passing).toContainEqual(line)
        })
        const row = rows[at]
        expect(row?.passing.some(({ to }) => to === row.lane)).toBe(false)
      })
    }),
  )
})

test('pages joined are the whole', () => {
  fc.assert(
    fc.property(history, fc.nat(), (commits, cut) => {
      const at = cut % (commits.length + 1)
      const first = graphRows(commits.slice(0, at), emptyGraph)
      const second = graphRows(commits.slice(at), first.state)
      expect([...first.rows, ...second.rows]).toEqual(graphRows(commits, emptyGraph).rows)
    }),
  )
})
