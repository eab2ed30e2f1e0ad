/** Which texts are keys: Electron ignores the others without a word. */

const modifiers = /^(command|cmd|control|ctrl|commandorcontrol|cmdorctrl|alt|option|altgr|shift|super|meta)$/i
const named =
  /^(plus|space|tab|capslock|numlock|scrolllock|backspace|delete|insert|return|enter|up|down|left|right|home|end|pageup|pagedown|escape|esc|volumeup|volumedown|volumemute|medianexttrack|mediaprevioustrack|mediastop|mediaplaypause|printscreen|num[0-9]|numdec|numadd|numsub|nummult|numdiv|f([1-9]|1[0-9]|2[0-4]))$/i
const sign = /^[\x21-\x2a\x2c-\x7e]$/

export function isAccelerator(text: string): boolean {
  const keys = text.split('+')
  const last = keys.pop() ?? ''
  return keys.every(key => modifiers.test(key)) && (named.test(last) || sign.test(last))
}
