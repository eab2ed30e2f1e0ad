/**
 * Chords: '$mod+K $mod+S' as data, and whether a key press is one. Letters go by what the layout says, and by the place of
 * the key where the layout has no Latin letters; digits and signs by either, since Shift changes what they say.
 */

export interface Press {
  readonly ctrl: boolean
  readonly meta: boolean
  readonly alt: boolean
  readonly shift: boolean
  /** As written: 'P', '5', '`', 'ArrowLeft', 'F1'. */
  readonly key: string
}

export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

const signCodes: Record<string, string> = {
  '`': 'Backquote',
  '-': 'Minus',
  '=': 'Equal',
  '[': 'BracketLeft',
  ']': 'BracketRight',
  '\\': 'Backslash',
  ';': 'Semicolon',
  "'": 'Quote',
  ',': 'Comma',
  '.': 'Period',
  '/': 'Slash',
}
const codeSigns = Object.fromEntries(Object.entries(signCodes).map(([sign, code]) => [code, sign]))

/** Null for what is no chord: an unknown modifier, no key. */
export function parseChord(chord: string, mac: boolean): Press[] | null {
  const presses = chord
    .trim()
    .split(/\s+/)
    .map(text => parsePress(text, mac))
  return presses.every(press => press !== null) ? presses : null
}

function parsePress(text: string, mac: boolean): Press | null {
  const parts = text === '+' ? ['+'] : text.replace(/\+\+$/, '+\0').split('+')
  const key = (parts.pop() ?? '').replace('\0', '+')
  if (!key) return null
  const press = { ctrl: false, meta: false, alt: false, shift: false, key }
  for (const part of parts) {
    const name = part.toLowerCase()
    if (name === '$mod') press[mac ? 'meta' : 'ctrl'] = true
    else if (name === 'ctrl' || name === 'control') press.ctrl = true
    else if (name === 'meta' || name === 'cmd' || name === 'win') press.meta = true
    else if (name === 'alt' || name === 'option') press.alt = true
    else if (name === 'shift') press.shift = true
    else return null
  }
  return press
}

export function matches(event: KeyPress, press: Press): boolean {
  return (
    event.ctrlKey === press.ctrl &&
    event.metaKey === press.meta &&
    event.altKey === press.alt &&
    event.shiftKey === press.shift &&
    isKey(event, press.key)
  )
}

function isKey(event: KeyPress, key: string): boolean {
  if (/^[a-z]$/i.test(key)) {
    // Option makes letters into signs on a Mac, and Cyrillic has none of ours: then the place of the key counts.
    return /^[a-z]$/i.test(event.key)
      ? event.key.toLowerCase() === key.toLowerCase()
      : event.code === `Key${key.toUpperCase()}`
  }
  if (/^\d$/.test(key)) return event.key === key || event.code === `Digit${key}`
  const code = signCodes[key]
  if (code) return event.key === key || (event.code === code && !/^[a-z0-9]$/i.test(event.key))
  return event.key.toLowerCase() === key.toLowerCase() || (key === 'Space' && event.key === ' ')
}

/** The chord of one press as a keymap writes it; null for a modifier alone. */
export function writeChord(event: KeyPress, mac: boolean): string | null {
  if (['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'Dead', 'Process', 'Unidentified'].includes(event.key))
    return null
  const mod = mac ? event.metaKey : event.ctrlKey
  const parts = [
    mod && '$mod',
    mac && event.ctrlKey && 'Control',
    !mac && event.metaKey && 'Meta',
    event.altKey && 'Alt',
    event.shiftKey && 'Shift',
  ].filter(Boolean)
  return [...parts, keyName(event)].join('+')
}

function keyName(event: KeyPress): string {
  const letter = /^Key([A-Z])$/.exec(event.code)?.[1]
  if (/^[a-z]$/i.test(event.key)) return event.key.toUpperCase()
  if (letter) return letter
  const digit = /^Digit(\d)$/.exec(event.code)?.[1]
  return digit ?? codeSigns[event.code] ?? (event.key === ' ' ? 'Space' : event.key)
}

/** One spelling for comparing: '$mod+Shift+P' and 'shift+$mod+p' are one chord. */
export function sameChordKey(chord: string, mac: boolean): string {
  const presses = parseChord(chord, mac)
  if (!presses) return chord
  return presses
    .map(p => `${p.ctrl ? 'c' : ''}${p.meta ? 'm' : ''}${p.alt ? 'a' : ''}${p.shift ? 's' : ''}-${p.key.toLowerCase()}`)
    .join(' ')
}
