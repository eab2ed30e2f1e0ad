/** Options of a command line, held against those that make a reading program do more than read. */
import type { Word } from './words.ts'

/** Letters of short options and names of long ones that do more than read. */
export interface Bad {
  readonly short?: string
  readonly long?: readonly string[]
}

/** Programs take any beginning of a long option's name for it, and letters in any group: so does this. */
export function badOption(args: readonly Word[], { short = '', long = [] }: Bad): string | null {
  for (const { text } of args) {
    if (text === null || !text.startsWith('-') || text === '-') continue
    if (text === '--') return null
    if (text.startsWith('--')) {
      const name = text.slice(2).replace(/=.*$/s, '')
      if (long.some(each => each.startsWith(name))) return text
    } else if ([...short].some(letter => text.includes(letter))) return text
  }
  return null
}

/** What is no option: also all behind `--`. `valued` options take the next word, which is then none of them. */
export function positionals(args: readonly Word[], valued: RegExp | null = null): Word[] {
  const found: Word[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (!word) continue
    if (word.text === '--') return [...found, ...args.slice(at + 1)]
    if (word.prefix.startsWith('-') && word.prefix !== '-') {
      if (word.text !== null && valued?.test(word.text)) at++
    } else found.push(word)
  }
  return found
}

/** The part of `--name=value` that may name a file. */
export const valuesOf = (args: readonly Word[]): Word[] =>
  args.flatMap(word => {
    const at = word.text?.startsWith('-') ? word.text.indexOf('=') : -1
    return at < 0 || word.text === null ? [] : [{ ...word, text: word.text.slice(at + 1) }]
  })
