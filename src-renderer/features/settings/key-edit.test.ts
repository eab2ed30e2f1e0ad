import { expect, test } from 'vitest'
import type { KeyBinding } from '#contract/settings'
import { buildBindings, chordOf, keymapProblems } from './bindings.ts'
import { conflictsOf, withChord, withoutCommand } from './key-edit.ts'

const own = (command: string, keymap: KeyBinding[]) =>
  buildBindings(keymap, false).filter(each => each.command === command)
const set = (keymap: KeyBinding[], chord: string | null) =>
  withChord(keymap, own('app.toggleSide', withoutCommand(keymap, 'app.toggleSide')), {
    command: 'app.toggleSide',
    chord,
    mac: false,
  })

test('a recorded key replaces the table’s; taking away and resetting are undone by each other', () => {
  const other: KeyBinding = { key: 'F9', command: 'app.settings' }
  const changed = set([other], 'Alt+B')
  expect(changed[0]).toEqual(other)
  expect(own('app.toggleSide', changed).map(each => each.chord)).toEqual(['Alt+B'])
  const none = set(changed, null)
  expect(own('app.toggleSide', none)).toEqual([])
  expect(chordOf(buildBindings(withoutCommand(none, 'app.toggleSide'), false), 'app.toggleSide')).toBe('$mod+B')
  expect(set(none, '$mod+B')).toEqual([other])
})

test('two commands on one key in one place are a conflict', () => {
  const all = buildBindings([{ key: '$mod+P', command: 'app.settings' }], false)
  const mine = all.find(each => each.command === 'app.findFile')
  expect(mine && conflictsOf(mine, all, false).map(each => each.command)).toEqual(['app.settings'])
})

test('lines that mean nothing are named', () => {
  const lines: KeyBinding[] = [
    { key: 'Hyper+X', command: 'app.settings' },
    { key: 'F2', command: 'no.such' },
    { key: 'F3', command: 'app.settings', when: 'kitchen' },
    { key: 'F4', command: '-app.settings' },
    { key: 'F5', command: null },
  ]
  expect(keymapProblems(lines, false).map(each => each.wrong)).toEqual(['key', 'command', 'when'])
})
