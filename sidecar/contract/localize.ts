/**
 * What the core or main said, in the person's language. Both speak English, to windows, terminals and logs alike; a window of
 * another language, and main's own dialogs, look their sentences up (`resources/core-words/<language>.json`, complete by
 * scripts/core-words.mjs). What is not known there stays as it was said.
 */

/** English sentences with `{0}` where something was put in, and what they are in the language. */
export type CoreWords = Readonly<Record<string, string>>
export type Localize = (said: string) => string

/** What a sentence is about, before it: a part of a command. */
const ABOUT = /^(`[^`]*`: )(.+)$/s
const SENTENCE_END = /(?<=[.?!]) (?=\S)/
const KEPT = 500
/** What is put in may hold a sentence of its own, and that one another. */
const DEPTH = 4
/** Longer ones are output of programs, not sentences of the core. */
const LONGEST = 2000
/** So many sentences belong together at most. */
const TOGETHER = 6

export function createLocalize(words: CoreWords): Localize {
  const patterns = Object.entries(words)
    .filter(([english]) => english.includes('{'))
    .sort(([one], [other]) => fixed(other) - fixed(one))
    .map(([english, translated]) => ({ pattern: patternOf(english), landmark: landmarkOf(english), translated }))
  const known = new Map<string, string>()

  const look = (said: string, depth: number): string | null => {
    const exact = Object.hasOwn(words, said) ? words[said] : undefined
    if (exact !== undefined) return exact
    for (const { pattern, landmark, translated } of patterns) {
      if (!said.includes(landmark)) continue
      const found = pattern.exec(said)?.groups
      if (found) return translated.replace(/\{(\d)\}/g, (_, at) => putIn(found[`p${at}`] ?? '', depth - 1))
    }
    return null
  }
  /** A reason (`it sets the clock`) may have been made a sentence of its own. */
  const find = (said: string, depth: number): string | null => {
    const found = look(said, depth)
    if (found !== null || !said.endsWith('.')) return found
    const reason = look(said.charAt(0).toLowerCase() + said.slice(1, -1), depth)
    return reason === null ? null : `${reason}。`
  }
  /** The longest beginning that is known, then the rest; a sentence that is not known stays between. */
  const localizeAt = (said: string, depth: number): string => {
    if (depth === 0 || said === '') return said
    const [, about = '', why] = ABOUT.exec(said) ?? []
    if (why !== undefined) return about + localizeAt(why, depth - 1)
    const parts = said.split(SENTENCE_END)
    for (let taken = Math.min(parts.length, TOGETHER); taken > 0; taken--) {
      const found = find(parts.slice(0, taken).join(' '), depth)
      if (found !== null) return [found, ...rest(parts.slice(taken), depth)].join('')
    }
    return parts.length === 1 ? said : [parts[0], ...rest(parts.slice(1), depth)].join(' ')
  }
  /** A sentence that was put into another may have lost its full stop there. */
  const putIn = (said: string, depth: number): string => {
    const whole = localizeAt(said, depth)
    if (whole !== said || !/ /.test(said)) return whole
    const stopped = localizeAt(`${said}.`, depth)
    return /[.。]$/.test(stopped) && stopped !== `${said}.` ? stopped.slice(0, -1) : said
  }
  const rest = (parts: string[], depth: number) => (parts.length > 0 ? [localizeAt(parts.join(' '), depth)] : [])

  return said => {
    if (said.length > LONGEST) return said
    const before = known.get(said)
    if (before !== undefined) return before
    const now = localizeAt(said, DEPTH)
    if (known.size >= KEPT) known.clear()
    known.set(said, now)
    return now
  }
}

/** How much of a sentence never changes: the more, the surer a match is. */
const fixed = (english: string) => english.replace(/\{\d\}/g, '').length

/** Its longest part that never changes: what does not hold it is no such sentence, and is not searched further. */
const landmarkOf = (english: string) =>
  english.split(/\{\d\}/).reduce((longest, part) => (part.length > longest.length ? part : longest), '')

function patternOf(english: string): RegExp {
  const named = new Set<string>()
  const source = english
    .split(/(\{\d\})/)
    .map(part => {
      if (!/^\{\d\}$/.test(part)) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      const name = `p${part[1]}`
      if (named.has(name)) return `\\k<${name}>`
      named.add(name)
      return `(?<${name}>.*?)`
    })
    .join('')
  return new RegExp(`^${source}$`, 'su')
}
