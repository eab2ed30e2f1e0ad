/** The keys that Monaco's menus and hints name for its actions are those of this house, not its own. */
import { type Press, parseChord } from '../chord.ts'
import { isMac } from '../key-text.ts'
import type { Monaco } from './monaco-api.ts'

const signs: Record<string, string> = {
  '.': 'Period',
  ',': 'Comma',
  ';': 'Semicolon',
  '/': 'Slash',
  '\\': 'Backslash',
  '[': 'BracketLeft',
  ']': 'BracketRight',
  '-': 'Minus',
  '=': 'Equal',
  '`': 'Backquote',
  "'": 'Quote',
  ArrowLeft: 'LeftArrow',
  ArrowRight: 'RightArrow',
  ArrowUp: 'UpArrow',
  ArrowDown: 'DownArrow',
}

/** Monaco's number for a chord of one press or two; null for a key that it does not know. */
export function keybindingOf({ KeyCode, KeyMod }: Pick<Monaco, 'KeyCode' | 'KeyMod'>, chord: string): number | null {
  const mac = isMac()
  const numberOf = ({ ctrl, meta, alt, shift, key }: Press): number | null => {
    const name = /^[a-z]$/i.test(key)
      ? `Key${key.toUpperCase()}`
      : /^\d$/.test(key)
        ? `Digit${key}`
        : (signs[key] ?? key)
    const code = KeyCode[name as keyof typeof KeyCode]
    if (typeof code !== 'number') return null
    const [mod, other] = mac ? [meta, ctrl] : [ctrl, meta]
    return (
      code |
      (mod ? KeyMod.CtrlCmd : 0) |
      (other ? KeyMod.WinCtrl : 0) |
      (alt ? KeyMod.Alt : 0) |
      (shift ? KeyMod.Shift : 0)
    )
  }
  const [first, second, ...more] = (parseChord(chord, mac) ?? []).map(numberOf)
  if (typeof first !== 'number' || second === null || more.length > 0) return null
  return second === undefined ? first : KeyMod.chord(first, second)
}

/** By action. An action without a chord is named without one. */
export function nameKeys(monaco: Monaco, chords: ReadonlyMap<string, string | undefined>): void {
  monaco.editor.addKeybindingRules(
    [...chords].flatMap(([action, chord]) => {
      const keybinding = chord === undefined ? null : keybindingOf(monaco, chord)
      const without = { keybinding: 0, command: `-${action}` }
      return keybinding === null ? [without] : [without, { keybinding, command: action, when: 'editorTextFocus' }]
    }),
  )
}
