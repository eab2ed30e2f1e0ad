/** Which licences Belay may be packed with, and where the text is of those that bring none. */
import { readFileSync } from 'node:fs'

/** All of them let a program be given on under its own terms, when their text goes with it. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
])

/** `A OR B` and `A AND B`, one level of brackets, as packages write it. */
export function isAllowed(licence: string): boolean {
  const plain = licence.replace(/^\((.*)\)$/, '$1')
  if (/[()]/.test(plain)) return false
  return plain.split(' OR ').some(choice => choice.split(' AND ').every(each => allowed.has(each)))
}

/** A licence says what may be done and disclaims; a file that only points elsewhere does not. */
export const hasText = (text: string): boolean => text.length > 400

const mit = (holder: string) => ({
  text: readFileSync(new URL('../LICENSE', import.meta.url), 'utf8').replace(/Copyright.*/, `Copyright (c) ${holder}`),
})

const isc = (holder: string) => ({
  text: `ISC License

Copyright (c) ${holder}

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR
CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF
CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS
SOFTWARE.`,
})

/** By name of the package. `as`: the folder of another by the same authors, whose text it is. Holders are those a package names itself. */
export const standIns: Readonly<Record<string, { readonly as: string } | { readonly text: string }>> = {
  '@earendil-works/pi-tui': mit('Mario Zechner'),
  '@vscode/l10n': mit('Microsoft Corporation'),
  '@xterm/addon-serialize': { as: 'node_modules/@xterm/xterm' },
  '@xterm/headless': { as: 'node_modules/@xterm/xterm' },
  'bash-language-server': mit('Mads Hartmann'),
  boolbase: isc('Felix Boehm'),
  'lazy-val': mit('Vladimir Krivosheev'),
  'react-remove-scroll-bar': { as: 'node_modules/react-remove-scroll' },
}
