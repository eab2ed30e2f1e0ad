/** Keys as the table of commands writes them, as Electron reads them. Pure. */

const modifiers: Readonly<Record<string, string>> = {
  $mod: 'CommandOrControl',
  ctrl: 'Control',
  control: 'Control',
  meta: 'Super',
  cmd: 'Super',
  win: 'Super',
  alt: 'Alt',
  option: 'Alt',
  shift: 'Shift',
}
const names: Readonly<Record<string, string>> = {
  arrowleft: 'Left',
  arrowright: 'Right',
  arrowup: 'Up',
  arrowdown: 'Down',
  enter: 'Return',
  escape: 'Esc',
  ...Object.fromEntries(
    ['Backspace', 'Delete', 'Space', 'Tab', 'Home', 'End', 'PageUp', 'PageDown', 'Insert'].map(name => [
      name.toLowerCase(),
      name,
    ]),
  ),
}

/** '$mod+Shift+P' -> 'CommandOrControl+Shift+P'. Null for what no native menu can show: two steps, keys it has no name for. */
export function acceleratorOf(keys: string): string | null {
  if (keys.includes(' ')) return null
  const parts = keys.replace(/\+\+$/, '+Plus').split('+')
  const key = parts.pop() ?? ''
  const before = parts.map(part => modifiers[part.toLowerCase()])
  const named = keyOf(key)
  return named === null || before.includes(undefined) ? null : [...before, named].join('+')
}

function keyOf(key: string): string | null {
  if (/^[a-z\d]$/i.test(key)) return key.toUpperCase()
  if (/^(?:f([1-9]|1\d|2[0-4])|plus)$/i.test(key)) return key[0]?.toUpperCase() + key.slice(1).toLowerCase()
  if (/^[`\-=[\]\\;',./]$/.test(key)) return key
  return names[key.toLowerCase()] ?? null
}
