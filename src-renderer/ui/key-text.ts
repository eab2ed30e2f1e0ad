/** Chords as a person sees them: '$mod+Shift+P' is "Ctrl+Shift+P", on a Mac "⇧⌘P". */

export const isMac = (): boolean => /^Mac|^iP/.test(navigator.platform)

const macGlyphs: Record<string, string> = { $mod: '⌘', Meta: '⌘', Control: '⌃', Ctrl: '⌃', Alt: '⌥', Shift: '⇧' }
const macOrder = ['⌃', '⌥', '⇧', '⌘']
const names: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Enter: '⏎',
  Escape: 'Esc',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Delete: 'Del',
  ' ': 'Space',
}

export function keyText(chord: string, mac = isMac()): string {
  return chord
    .split(' ')
    .map(press => pressText(press, mac))
    .join(' ')
}

function pressText(press: string, mac: boolean): string {
  // '$mod++' is Ctrl and the plus key.
  const parts = press.replace(/\+\+$/, '+Plus').split('+')
  const key = parts.pop() ?? ''
  const shown = key === 'Plus' ? '+' : (names[key] ?? (key.length === 1 ? key.toUpperCase() : key))
  if (!mac) return [...parts.map(part => (part === '$mod' || part === 'Control' ? 'Ctrl' : part)), shown].join('+')
  const glyphs = parts.map(part => macGlyphs[part] ?? part)
  return glyphs.sort((a, b) => macOrder.indexOf(a) - macOrder.indexOf(b)).join('') + shown
}
