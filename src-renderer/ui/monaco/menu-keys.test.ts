/** Chords of this house as Monaco counts them. */

import { KeyMod } from 'monaco-editor/editor/common/services/editorBaseApi.js'
import { KeyCode } from 'monaco-editor/editor/common/standalone/standaloneEnums.js'
import { expect, test } from 'vitest'
import { keybindingOf } from './menu-keys.ts'

const of = (chord: string) => keybindingOf({ KeyCode, KeyMod }, chord)

test('keys, modifiers and two presses', () => {
  expect(of('F12')).toBe(KeyCode.F12)
  expect(of('$mod+.')).toBe(KeyMod.CtrlCmd | KeyCode.Period)
  expect(of('Shift+Alt+F')).toBe(KeyMod.Shift | KeyMod.Alt | KeyCode.KeyF)
  expect(of('Shift+Alt+ArrowRight')).toBe(KeyMod.Shift | KeyMod.Alt | KeyCode.RightArrow)
  expect(of('$mod+Space')).toBe(KeyMod.CtrlCmd | KeyCode.Space)
  expect(of('$mod+K $mod+F')).toBe(KeyMod.chord(KeyMod.CtrlCmd | KeyCode.KeyK, KeyMod.CtrlCmd | KeyCode.KeyF))
})

test('what is no chord, or a key that Monaco lacks, has none', () => {
  expect([of('Hyper+X'), of('$mod+Ж'), of('')]).toEqual([null, null, null])
})
