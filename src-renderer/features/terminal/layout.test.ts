/** The terminal list: nothing is shown twice, nothing is left out, and something is always in front. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { activate, frontGroup, hide, neighbour, noTerminals, place, reconcile, soundLayout } from './layout.ts'

const names = ['a', 'b', 'c', 'd', 'e'] as const
const name = fc.constantFrom(...names)
const step = fc.oneof(
  fc.record({ do: fc.constant('place' as const), tab: name, beside: fc.option(name) }),
  fc.record({ do: fc.constant('activate' as const), tab: name }),
  fc.record({ do: fc.constant('list' as const), present: fc.uniqueArray(name) }),
)

test('after anything, the list shows exactly what is there', () => {
  fc.assert(
    fc.property(fc.array(step), fc.uniqueArray(name), (steps, present) => {
      const layout = steps.reduce((now, each) => {
        if (each.do === 'place') return place(now, each.tab, each.beside)
        return each.do === 'activate' ? activate(now, each.tab) : reconcile(now, each.present)
      }, noTerminals)
      const after = reconcile(layout, present)
      const shown = after.groups.flatMap(group => group.tabs)
      expect([...shown].sort()).toEqual([...present].sort())
      expect(after.groups.every(group => group.tabs.length > 0)).toBe(true)
      expect(after.active === null).toBe(present.length === 0)
      expect(after.active === null || shown.includes(after.active)).toBe(true)
      expect(reconcile(after, present)).toBe(after)
    }),
  )
})

test('a split stands right of its origin; closing falls back to its neighbour, then to the line that took its place', () => {
  let layout = reconcile(noTerminals, ['a', 'b', 'c'])
  layout = place(layout, 'd', 'b')
  expect(layout.groups.map(group => group.tabs)).toEqual([['a'], ['b', 'd'], ['c']])
  expect(frontGroup(layout)?.tabs).toEqual(['b', 'd'])
  layout = reconcile(layout, ['a', 'b', 'c'])
  expect(layout.active).toBe('b')
  layout = reconcile(layout, ['a', 'c'])
  expect(layout.active).toBe('c')
  expect([neighbour(layout, 1), neighbour(layout, -1)]).toEqual(['a', 'a'])
})

test('a closed background command stays closed until it is asked for', () => {
  const layout = hide(reconcile(noTerminals, ['a', 'bg']), 'bg')
  expect(reconcile(layout, ['a', 'bg']).groups.map(group => group.tabs)).toEqual([['a']])
  expect(reconcile(place(layout, 'bg', null), ['a', 'bg']).active).toBe('bg')
})

test.each([null, 3, {}, { groups: [{}] }, { groups: 1 }])('broken memory %j is an empty list', value => {
  expect(soundLayout(value)).toBe(noTerminals)
})
