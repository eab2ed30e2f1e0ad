/**
 * What stands in the place of a match: the template of a person, filled in. Core and window use this one function, so what
 * is previewed is what is written.
 */
import type { SearchGroups } from './workspace.ts'

export interface Replaced {
  readonly text: string
  readonly groups: SearchGroups
}

export interface Replacement {
  readonly template: string
  /** Off: the template stands for itself. */
  readonly regex: boolean
  readonly preserveCase: boolean
}

/** Groups a search catches by number: more than these nobody counts. */
export const NUMBERED_GROUPS = 9

/** Names of the groups of a pattern, each once, in order. */
export const groupNames = (pattern: string): string[] => [
  ...new Set([...pattern.matchAll(/\(\?P?<([A-Za-z_]\w*)>/g)].map(([, name]) => name ?? '')),
]

const TOKEN = /\$(?:\$|&|(\d)|<([A-Za-z_]\w*)>|\{(\w+)\})|\\([\\nrtuUlL])/g

/**
 * `$1`, `${1}`, `$<name>`, `${name}` for groups, `$&` or `$0` for all of it, `$$` for a dollar; `\n`, `\r`, `\t`, `\\`; `\U`
 * and `\L` change the case of the next group, `\u` and `\l` that of its first letter.
 */
export function fillIn(match: Replaced, { template, regex, preserveCase }: Replacement): string {
  const text = regex ? expand(template, match) : template
  return preserveCase ? inCaseOf(match.text, text) : text
}

function expand(template: string, { text, groups }: Replaced): string {
  let out = ''
  let at = 0
  let change: string | null = null
  const group = (name: string) => {
    out += changed(name === '0' ? text : (groups[name] ?? ''), change)
    change = null
  }
  for (const found of template.matchAll(TOKEN)) {
    const [token, digit, angled, braced, escapeCode] = found
    out += template.slice(at, found.index)
    at = found.index + token.length
    const name = digit ?? angled ?? braced
    if (name !== undefined) group(name)
    else if (token === '$&') group('0')
    else if (token === '$$') out += '$'
    else if (escapeCode && 'uUlL'.includes(escapeCode)) change = escapeCode
    else out += { n: '\n', r: '\r', t: '\t' }[escapeCode ?? ''] ?? '\\'
  }
  return out + template.slice(at)
}

function changed(text: string, change: string | null): string {
  if (change === 'U') return text.toUpperCase()
  if (change === 'L') return text.toLowerCase()
  if (change === 'u') return upperFirst(text)
  if (change === 'l') return lowerFirst(text)
  return text
}

const first = (text: string) => String.fromCodePoint(text.codePointAt(0) ?? 0)
const upperFirst = (text: string) => (text === '' ? '' : first(text).toUpperCase() + text.slice(first(text).length))
const lowerFirst = (text: string) => (text === '' ? '' : first(text).toLowerCase() + text.slice(first(text).length))
const isUpper = (text: string) => text === text.toUpperCase() && text !== text.toLowerCase()
const isLower = (text: string) => text === text.toLowerCase() && text !== text.toUpperCase()

/** FOO gives BAR, Foo gives Bar, foo gives bar; words joined by - or _ one by one, where both have as many. */
function inCaseOf(model: string, text: string): string {
  const joint = model.includes('-') ? '-' : model.includes('_') ? '_' : null
  if (joint !== null) {
    const models = model.split(joint)
    const words = text.split(joint)
    if (models.length === words.length) return words.map((word, at) => wordInCaseOf(models[at] ?? '', word)).join(joint)
  }
  return wordInCaseOf(model, text)
}

function wordInCaseOf(model: string, text: string): string {
  if (isUpper(model)) return text.toUpperCase()
  if (isLower(model)) return isUpper(text) ? text.toLowerCase() : lowerFirst(text)
  if (model !== '' && isUpper(first(model))) return upperFirst(text)
  if (model !== '' && isLower(first(model))) return lowerFirst(text)
  return text
}
