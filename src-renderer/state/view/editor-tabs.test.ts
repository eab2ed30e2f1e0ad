/** Tabs do what hands expect, and no sequence of them leaves a group without a tab in front or a tab twice in one group. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RootId } from '#contract/id'
import {
  activate,
  allTabs,
  closeTab,
  type EditorGroups,
  type EditorTab,
  fileTab,
  focusGroup,
  markdownTab,
  moveTab,
  neighbour,
  noTabs,
  openBeside,
  openTab,
  pin,
  renameTabs,
  split,
  withoutDiffs,
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

  it('become one when a file takes the name of a tab whose file had gone', () => {
    const all = activate(open('a', 'b', 'c'), 'g1', tab('b').id)
    const renamed = renameTabs(all, path => ('path' in path && path.path === 'b' ? at('a') : null))
    expect(names(renamed)).toEqual([['a*', 'c']])
    expect(names(closeTab(renamed, 'g1', tab('a').id))).toEqual([['c*']])
  })

  it('stay sound in any order of use', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd')
    const group = fc.constantFrom('g1', 'g2', 'g3')
    const some: fc.Arbitrary<EditorTab> = fc
      .tuple(name, fc.boolean(), fc.constantFrom('file', 'markdown', 'diff', 'page'))
      .map(([path, preview, kind]): EditorTab => {
        if (kind === 'file') return tab(path, preview)
        if (kind === 'markdown') return markdownTab(at(path))
        if (kind === 'diff')
          return { kind, id: `diff:${path}`, title: path, path: at(path), before: '', after: '', preview }
        return {
          kind: 'page',
          id: `page:${path}`,
          page: 'x.y',
          title: path,
          path: at(path),
          living: false,
          argument: 0,
          preview,
        }
      })
    type Act = (all: EditorGroups) => EditorGroups
    const act: fc.Arbitrary<Act> = fc.oneof(
      some.map(
        (each): Act =>
          all =>
            openTab(all, each),
      ),
      fc.tuple(some, group).map(
        ([each, id]): Act =>
          all =>
            openTab(all, each, id),
      ),
      some.map(
        (each): Act =>
          all =>
            openBeside(all, each),
      ),
      fc.constant<Act>(split),
      fc.tuple(group, some).map(
        ([id, each]): Act =>
          all =>
            closeTab(all, id, each.id),
      ),
      fc.tuple(group, some).map(
        ([id, each]): Act =>
          all =>
            activate(all, id, each.id),
      ),
      group.map(
        (id): Act =>
          all =>
            focusGroup(all, id),
      ),
      some.map(
        (each): Act =>
          all =>
            pin(all, each.id),
      ),
      fc.tuple(group, group, some, fc.option(some)).map(
        ([from, to, each, before]): Act =>
          all =>
            moveTab(all, { tabId: each.id, from, to, beforeId: before?.id ?? null }),
      ),
      fc.tuple(name, name).map(
        ([from, to]): Act =>
          all =>
            renameTabs(all, path => ('path' in path && path.path === from ? at(to) : null)),
      ),
      fc.constant<Act>(all => neighbour(all, -1)),
      fc.constant<Act>(withoutDiffs),
    )
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), acts => {
        acts.reduce((before, each) => {
          const all = each(before)
          sound(all)
          return all
        }, noTabs)
      }),
      { numRuns: 400 },
    )
  })

  it('none is lost by being moved', () => {
    const all = openBeside(open('a', 'b'), tab('c'))
    fc.assert(
      fc.property(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('g1', 'g2', 'g9'), (path, to) => {
        const from = path === 'c' ? 'g2' : 'g1'
        const moved = moveTab(all, { tabId: tab(path).id, from, to, beforeId: null })
        expect(
          allTabs(moved)
            .map(each => each.id)
            .sort(),
        ).toEqual(
          allTabs(all)
            .map(each => each.id)
            .sort(),
        )
      }),
    )
  })
})

function sound(all: EditorGroups): void {
  expect(all.groups.some(({ id }) => id === all.focused)).toBe(true)
  expect(new Set(all.groups.map(({ id }) => id)).size).toBe(all.groups.length)
  expect(all.groups.length === 1 || all.groups.every(each => each.tabs.length > 0)).toBe(true)
  for (const { tabs, active, recent } of all.groups) {
    const ids = tabs.map(each => each.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(tabs.length === 0 ? active === null : ids.includes(active ?? '')).toBe(true)
    expect(tabs.filter(each => each.preview).length).toBeLessThan(2)
    expect(new Set(recent).size).toBe(recent.length)
    expect(recent.filter(id => !ids.includes(id))).toEqual([])
  }
}
