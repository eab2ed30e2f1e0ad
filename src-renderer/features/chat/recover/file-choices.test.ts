import { describe, expect, it } from 'vitest'
import type { RewindLine } from '#contract/head'
import { RootId } from '#contract/id'
import { choose, chosenPaths, fateOf, fatesOf, noChoices } from './file-choices.ts'

const rootId = RootId.parse('root_1')
const line = (path: string, action: RewindLine['action'], merge: RewindLine['merge'] = null): RewindLine => ({
  ...{ path: { rootId, path }, action, why: null, was: null, now: null, added: null, removed: null, merge },
})
const offer = { conflicts: 0, added: 1, removed: 2 }
const lines = [
  line('a', 'restore'),
  line('b', 'remove'),
  line('c', 'keep', offer),
  line('d', 'keep'),
  line('e', 'cannot'),
]
const fates = (choices = noChoices) => lines.map(each => fateOf(each, choices))

describe('what becomes of each file', () => {
  it('is what the core proposes until a person says otherwise', () =>
    expect(fates()).toEqual(['restore', 'remove', 'keep', 'keep', 'cannot']))
  it('is a choice where something else is possible', () =>
    expect(lines.map(fatesOf)).toEqual([
      ['restore', 'leave'],
      ['remove', 'leave'],
      ['keep', 'merge'],
      ['keep'],
      ['cannot'],
    ]))
  it('is told to the core path by path, and can be taken back', () => {
    const [a, b, c] = lines as [RewindLine, RewindLine, RewindLine]
    const chosen = choose(choose(choose(noChoices, a, 'leave'), b, 'leave'), c, 'merge')
    expect(fates(chosen)).toEqual(['leave', 'leave', 'merge', 'keep', 'cannot'])
    expect(chosenPaths(lines, choose(chosen, b, 'remove'))).toEqual({ leave: [a.path], merge: [c.path] })
  })
})
