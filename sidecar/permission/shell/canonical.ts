/** Commands in one spelling: the words that a program gets, quoted only where they must be. */
import type { Word } from './words.ts'

const plain = /^[\w@%+=:,./~^{}!?*[\]-]+$/

export function quoted({ text, source, glob }: Word): string {
  if (text === null) return source
  if (glob) return source
  return plain.test(text) && !/[*?[\]]/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

export const textOf = (argv: readonly Word[]): string => argv.map(quoted).join(' ')

/** `/usr/bin/git.exe` and `git` are one program to whoever forbids it. */
export const programOf = (word: Word | undefined): string | null => {
  if (!word || word.text === null) return null
  return (word.text.split('/').at(-1) ?? '').replace(/\.exe$/i, '')
}
