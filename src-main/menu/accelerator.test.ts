/** Every chord of the table, and what a person may write, is shown or left out; none is shown wrong. */
import { expect, it } from 'vitest'
import { acceleratorOf } from './accelerator.ts'

it.each([
  ['$mod+Shift+P', 'CommandOrControl+Shift+P'],
  ['$mod+b', 'CommandOrControl+B'],
  ['F12', 'F12'],
  ['Alt+ArrowLeft', 'Alt+Left'],
  ['$mod+`', 'CommandOrControl+`'],
  ['$mod+\\', 'CommandOrControl+\\'],
  ['$mod++', 'CommandOrControl+Plus'],
  ['$mod+Enter', 'CommandOrControl+Return'],
  ['Meta+Option+PageDown', 'Super+Alt+PageDown'],
  ['$mod+K $mod+S', null],
  ['Hyper+K', null],
  ['$mod+é', null],
  ['$mod+', null],
  ['F25', null],
  ['', null],
])('%s', (keys, accelerator) => expect(acceleratorOf(keys)).toBe(accelerator))
