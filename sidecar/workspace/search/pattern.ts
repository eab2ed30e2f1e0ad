/** A person's question as ripgrep's arguments. A line end in it makes it one over several lines, of either kind. */
import { randomBytes } from 'node:crypto'
import { groupNames, NUMBERED_GROUPS } from '#contract/replacement'
import type { SearchGroups } from '#contract/workspace'

export interface Pattern {
  readonly query: string
  readonly regex: boolean
  readonly matchCase: boolean
  readonly wholeWord: boolean
}

const LINE_END = '\\r?\\n'

export function patternArguments(pattern: Pattern): string[] {
  const { regex, matchCase, wholeWord } = pattern
  const query = regex ? pattern.query.replaceAll('\r\n', '\n') : pattern.query.replaceAll(/\r\n?/g, '\n')
  const lines = regex ? manyLines(query) : query.includes('\n')
  const written = !lines ? query : regex ? eitherEnd(query) : query.split('\n').map(escaped).join(LINE_END)
  return [
    matchCase ? '--case-sensitive' : '--ignore-case',
    ...(wholeWord ? ['--word-regexp'] : []),
    ...(regex || lines ? ['--crlf'] : ['--fixed-strings']),
    ...(lines ? ['--multiline'] : []),
    `--regexp=${written}`,
  ]
}

const manyLines = (regex: string): boolean => /\n|(?<!\\)(?:\\\\)*\\n/.test(regex)
const escaped = (text: string): string => text.replace(/[\\.+*?()|[\]{}^$#&~-]/g, '\\$&')

/** A line feed outside a class also means the pair that Windows writes. */
function eitherEnd(regex: string): string {
  let inClass = false
  return regex.replace(/\\[\s\S]|[[\]\n]/g, token => {
    if (token === '[') inClass = true
    if (token === ']') inClass = false
    return !inClass && (token === '\\n' || token === '\n') ? LINE_END : token
  })
}

export interface GroupReader {
  /** Makes ripgrep tell what the groups caught, which its JSON otherwise leaves out. */
  readonly args: readonly string[]
  read(told: string): SearchGroups
}

/** For a pattern whose matches are to be replaced. Uses ripgrep's own engine: no second one could disagree with it. */
export function groupReader({ query, regex }: Pattern): GroupReader {
  if (!regex || !query.includes('(')) return { args: [], read: () => ({}) }
  const names = [...Array.from({ length: NUMBERED_GROUPS }, (_, at) => `${at + 1}`), ...groupNames(query)]
  // No file holds it by accident.
  const between = `\u0001${randomBytes(6).toString('hex')}\u0001`
  return {
    args: ['--replace', names.map(name => `\${${name}}`).join(between)],
    read(told) {
      const parts = told.split(between)
      return Object.fromEntries(names.flatMap((name, at) => (parts[at] ? [[name, parts[at]]] : [])))
    },
  }
}
