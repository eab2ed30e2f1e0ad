import { afterEach, expect, test } from 'vitest'
import type { KeyBinding, SettingsSnapshot } from '#contract/settings'
import { settingsStore } from '../../state/mirror/settings-store.ts'
import { passesToApp } from './live-actions.ts'

const withKeymap = (keymap: KeyBinding[]): void => {
  const snapshot: SettingsSnapshot = { values: [], problems: [], keymap }
  settingsStore.setState({ snapshot })
}
const ctrl = (letter: string): KeyboardEvent =>
  new KeyboardEvent('keydown', { key: letter, code: `Key${letter.toUpperCase()}`, ctrlKey: true })

afterEach(() => withKeymap([]))

test('the window’s keys pass the shell by, as the person’s keymap has them', () => {
  expect(passesToApp(ctrl('p'))).toBe('app.findFile')
  withKeymap([
    { key: '$mod+P', command: null },
    { key: '$mod+T', command: 'app.findFile' },
    { key: '$mod+E', command: 'app.findFile', when: 'editor' },
  ])
  expect(passesToApp(ctrl('p'))).toBe(null)
  expect(passesToApp(ctrl('t'))).toBe('app.findFile')
  expect(passesToApp(ctrl('e'))).toBe(null)
  expect(passesToApp(ctrl('b'))).toBe('app.toggleSide')
})
