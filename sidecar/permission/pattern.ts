/** Patterns of rules: text with `*` over a command, a glob over a path, a host or the beginning of an address. Read once, used often. */
import picomatch from 'picomatch'
import type { HostFacts } from './host.ts'
import { hostName } from './host-name.ts'

export type Matches = (text: string) => boolean

export interface CommandPattern {
  readonly matches: Matches
  /** How many characters at its beginning are spelled out; all of them where nothing is wild. */
  readonly head: number
  /** The first word of whatever it fits; null where that may be any. */
  readonly word: string | null
}

export const firstWord = (text: string): string => {
  const space = text.indexOf(' ')
  return space < 0 ? text : text.slice(0, space)
}

/** `*` is any text, also none; `\*` and `\\` are themselves. `cmd *` fits `cmd` as well. Takes time by length alone. */
export function commandPattern(pattern: string): CommandPattern {
  const chunks = ['']
  for (const [token] of pattern.trim().matchAll(/\\[\\*]|[\s\S]/g)) {
    if (token === '*') chunks.push('')
    else chunks[chunks.length - 1] += token.length === 2 ? token.slice(1) : token
  }
  const [first = '', ...rest] = chunks
  if (rest.length === 0)
    return { matches: text => text === first, head: Number.POSITIVE_INFINITY, word: firstWord(first) }
  const last = rest.pop() ?? ''
  const bare = last === '' && rest.length === 0 && first.endsWith(' ') ? first.slice(0, -1) : null
  const matches: Matches = text => {
    if (bare !== null && text === bare) return true
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
    const end = text.length - last.length
    let at = first.length
    for (const chunk of rest) {
      const found = text.indexOf(chunk, at)
      if (found < 0 || found + chunk.length > end) return false
      at = found + chunk.length
    }
    return true
  }
  return { matches, head: first.length, word: first.includes(' ') ? firstWord(first) : null }
}

/** A command pattern that fits this text and no other. */
export const literalCommand = (text: string): string => text.trim().replace(/[\\*]/g, '\\$&')

/** Here names differ only in case for the same file. */
const foldsCase = process.platform === 'win32' || process.platform === 'darwin'
const folded = (text: string): string => (foldsCase ? text.toLowerCase() : text)

/** Throws for a pattern that cannot be read. */
export function pathPattern(pattern: string): Matches {
  const path = literalIn(pattern)
  // Never through the matcher: of an odd enough name it makes a regex that takes for ever, or loses an escape.
  if (path !== null) return text => folded(text) === folded(path)
  const part = foldsCase ? '' : longestPart(pattern)
  let glob: Matches | null = null
  const read = (): Matches => picomatch(pattern, { dot: true, nocase: foldsCase, strictSlashes: true, noextglob: true })
  // Read at once where nothing can be told from its text: a pattern that cannot be read must be known.
  if (part === '') glob = read()
  return text => {
    if (!text.includes(part)) return false
    glob ??= read()
    return glob(text)
  }
}

/** Text that stands in every path it fits; '' where there is none that is sure. */
function longestPart(pattern: string): string {
  const [sure = ''] = /^[\w./ *-]*/.exec(pattern) ?? []
  if (sure.length < pattern.length && !/[*/]$/.test(sure) && pattern.charAt(sure.length) === '?') return ''
  const parts = sure.split('*').map(each => each.replace(/^\/+|\/+$/g, ''))
  return parts.reduce((a, b) => (b.length > a.length ? b : a), '')
}

/** A path pattern that fits this path and no other. */
export const literal = (path: string): string => path.replace(/[\\*?[\]{}()!@+|^$,"'#~&<>;:=%` ]/g, '\\$&')

/** The one path that a pattern without any wild part fits; null for any other pattern. */
function literalIn(pattern: string): string | null {
  const wild = /[*?[\]{}()!@+|]/.test(pattern.replace(/\\./gs, ''))
  return wild ? null : pattern.replace(/\\(.)/gs, '$1')
}

export interface HostPattern {
  matches(facts: HostFacts): boolean
  /** It names one host, so that a private one is meant. */
  readonly exact: boolean
}

/** `host`, `host:port`, `*.domain` (not the domain itself), `*`, or the beginning of an address with its scheme. */
export function hostPattern(pattern: string): HostPattern {
  const text = pattern.trim()
  if (text.includes('://')) return addressPattern(text)
  const [, name = '', port] = /^(.*?)(?::(\d{1,5}))?$/s.exec(text) ?? []
  const host = name.startsWith('*.') ? name.slice(1).toLowerCase() : hostName(name)
  const fitsPort = (facts: HostFacts): boolean => port === undefined || facts.port === Number(port)
  if (name === '*') return { matches: fitsPort, exact: false }
  if (name.startsWith('*.')) return { matches: facts => facts.host.endsWith(host) && fitsPort(facts), exact: false }
  return { matches: facts => facts.host === host && fitsPort(facts), exact: true }
}

function addressPattern(text: string): HostPattern {
  const wild = text.endsWith('*')
  const start = new URL(wild ? text.slice(0, -1) : text)
  const path = `${start.pathname}${start.search}`
  return {
    exact: true,
    matches({ url }) {
      if (!url || url.origin !== start.origin) return false
      const at = `${url.pathname}${url.search}`
      return at === path || (at.startsWith(path) && (wild || path.endsWith('/') || /^[/?]/.test(at.slice(path.length))))
    },
  }
}
