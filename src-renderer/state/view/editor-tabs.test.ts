/** Tabs do what hands expect, and no sequence of them leaves a group without a tab in front or a tab twice in one group. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RootId } from '#contract/id'
import {
  activate,
  allTabs,
  closeTab,
  type EditorGroups,
  fileTab,
  focusedGroup,
  moveTab,
  neighbour,
  noTabs,
  openBeside,
  openTab,
  pin,
  renameTabs,
  split,
} from './editor-tabs.ts'

const at = (path: string) => ({ rootId: 'root_a' as RootId, path })
const tab = (path: string, preview = false) => fileTab(at(path), preview)
const names = (all: EditorGroups) =>
  all.groups.map(group =>
    group.tabs.map(
      each =>
        `${each.path && 'path' in each.path ? each.path.path : ''}${each.id === group.active ? '*' : ''}${each.preview ? '~' : ''}`,
    ),
  )
const open = (...paths: string[]) => paths.reduce((all, path) => openTab(all, tab(path)), noTabs)

describe('tabs', () => {
  it('open after the one in front; a preview makes way for the next', () => {
    const first = activate(open('a', 'b'), 'g1', tab('a').id)
    const previewed = openTab(openTab(first, tab('c', true)), tab('d', true))
    expect([names(previewed), names(pin(previewed, tab('d').id))]).toEqual([[['a', 'd*~', 'b']], [['a', 'd*', 'b']]])
  })

  it('give the front to the one used before', () => {
    const all = activate(open('a', 'b', 'c'), 'g1', tab('a').id)
    expect(names(closeTab(all, 'g1', tab('a').id))).toEqual([['b', 'c*']])
    expect(closeTab(open('a'), 'g1', tab('a').id)).toEqual(noTabs)
  })

  it('split, open beside, and fold an empty group', () => {
    const both = split(open('a', 'b'))
    const third = openBeside({ ...both, focused: 'g1' }, tab('c'))
    expect([names(both), names(third), third.focused]).toEqual([
      [['a', 'b*'], ['b*']],
      [
        ['a', 'b*'],
        ['b', 'c*'],
      ],
      'g2',
    ])
    expect(names(closeTab(both, 'g2', tab('b').id))).toEqual([['a', 'b*']])
  })

  it('go round, move and follow a rename', () => {
    const all = open('a', 'b', 'c')
    const moved = moveTab(split(all), { tabId: tab('a').id, from: 'g1', to: 'g2', beforeId: tab('c').id })
    const renamed = renameTabs(all, path => ('path' in path && path.path === 'c' ? at('z') : null))
    expect([names(neighbour(all, 1)), names(moved), names(renamed)]).toEqual([
      [['a*', 'b', 'c']],
      [
        ['b', 'c*'],
        ['a*', 'c'],
      ],
      [['a', 'b', 'z*']],
    ])
  })

  it('stay sound in any order of use', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd')
    const group = fc.constantFrom('g1', 'g2', 'g3')
    type Act = (all: EditorGroups) => EditorGroups
    const act: fc.Arbitrary<Act> = fc.oneof(
      fc.tuple(name, fc.boolean()).map(
        ([path, preview]): Act =>
          all =>
            openTab(all, tab(path, preview)),
      ),
      name.map(
        (path): Act =>
          all =>
            openBeside(all, tab(path)),
      ),
      fc.constant<Act>(split),
      fc.tuple(group, name).map(
        ([id, path]): Act =>
          all =>
            closeTab(all, id, tab(path).id),
      ),
      fc.tuple(group, group, name, name).map(
        ([from, to, path, before]): Act =>
          all =>
            moveTab(all, {
              tabId: tab(path).id,
              from,
              to: all.groups.some(each => each.id === to) ? to : from,
              beforeId: tab(before).id,
            }),
      ),
      fc.constant<Act>(all => neighbour(all, -1)),
    )
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), acts => {
        const all = acts.reduce((now, each) => each(now), noTabs)
        expect(all.groups).toContain(focusedGroup(all))
        for (const { tabs, active, recent } of all.groups) {
          expect(new Set(tabs.map(each => each.id)).size).toBe(tabs.length)
          expect(tabs.length === 0 ? active === null : tabs.some(each => each.id === active)).toBe(true)
          expect(tabs.filter(each => each.preview).length).toBeLessThan(2)
          expect(recent.toSorted()).toEqual(tabs.map(each => each.id).toSorted())
        }
        expect(all.groups.length === 1 || all.groups.every(each => each.tabs.length > 0)).toBe(true)
        expect(allTabs(all).length).toBeLessThan(99)
      }),
      { numRuns: 200 },
    )
  })
})
