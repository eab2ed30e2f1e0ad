/** Rules are data: who may do what, where it was written, and how strongly. Only `decide` says what they come to. */
import picomatch from 'picomatch'
import type { z } from 'zod'
import type { WrittenRule } from '#contract/session-event'

/** Before defaults are filled in. */
export type RuleInput = z.input<typeof WrittenRule>

export type Scope = 'built-in' | 'user' | 'here' | 'workspace'

export interface Rule extends WrittenRule {
  readonly scope: Scope
  /** The real folder (with `/`) that its pattern starts in; null: any root, or the whole path. */
  readonly base: string | null
  /** Said instead of "a rule says so". */
  readonly note?: string
}

/** The line as a person reads it, on an ask, in the log and in the list of rules. */
export const lineOf = ({
  verdict,
  tool,
  pattern,
  scope,
}: Pick<Rule, 'verdict' | 'tool' | 'pattern' | 'scope'>): string =>
  `${verdict} ${tool}${pattern === null ? '' : `(${pattern})`} [${scope}]`

/** What a rule is held against. Paths are real, with `/`. */
export interface Subject {
  readonly tool: string
  readonly kind: 'none' | 'ask' | 'read' | 'write' | 'command' | 'fetch' | 'network'
  readonly command: string | null
  readonly absolute: string | null
  /** The same path, seen from each root it lies in. */
  readonly inRoots: readonly { readonly root: string; readonly path: string }[]
}

/** Whether the rule speaks of this at all. A pattern that cannot be read fits everything it could forbid and nothing else. */
export function fits(rule: Rule, subject: Subject): boolean {
  if (!namesTool(rule, subject)) return false
  if (rule.pattern === null) return true
  try {
    return textsOf(rule, subject).some(globOf(rule.pattern, subject.kind))
  } catch {
    return rule.verdict !== 'allow'
  }
}

function namesTool({ tool }: Rule, subject: Subject): boolean {
  const name = tool.toLowerCase()
  return name === '*' || name === subject.tool.toLowerCase() || (name === 'edit' && subject.kind === 'write')
}

function textsOf(rule: Rule, { kind, command, absolute, inRoots }: Subject): string[] {
  if (kind === 'command' && command !== null) return [command.trim(), ...segments(command)]
  if (absolute === null) return []
  const relative = inRoots.filter(({ root }) => rule.base === null || rule.base === root).map(({ path }) => path)
  return rule.base === null ? [absolute, ...relative] : relative
}

/** Only good enough to forbid: without a real parser no command is ever allowed by a rule. */
const segments = (command: string): string[] => command.split(/[;&|\n\r`(){}]+|\$\(/).map(text => text.trim())

/** Here names differ only in case for the same file. */
const foldsCase = process.platform === 'win32' || process.platform === 'darwin'

/** Reading a pattern costs more than using it, and the same few are used again and again. */
const read = new Map<string, (text: string) => boolean>()
const MAX_READ = 2000

function globOf(pattern: string, kind: Subject['kind']): (text: string) => boolean {
  const key = `${kind === 'command'} ${pattern}`
  const known = read.get(key)
  if (known) return known
  if (read.size >= MAX_READ) read.clear()
  const glob = readGlob(pattern, kind)
  read.set(key, glob)
  return glob
}

function readGlob(pattern: string, kind: Subject['kind']): (text: string) => boolean {
  if (kind !== 'command') {
    const path = literalIn(pattern)
    // Never through the matcher: of an odd enough name it makes a regex that takes for ever, or loses an escape.
    if (path !== null) return text => folded(text) === folded(path)
    const glob = picomatch(pattern, { dot: true, nocase: foldsCase, strictSlashes: true, noextglob: true })
    return text => glob(text)
  }
  const source = pattern.trim().split('*').map(escapeRegex).join('.*')
  const regex = new RegExp(`^${source.replace(/ \.\*$/, '(?: .*)?')}$`, 's')
  return text => regex.test(text)
}

const escapeRegex = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A pattern that fits this path and no other. */
export const literal = (path: string): string => path.replace(/[\\*?[\]{}()!@+|^$,"'#~&<>;:=%` ]/g, '\\$&')

/** The one path that a pattern without any wild part fits; null for any other pattern. */
function literalIn(pattern: string): string | null {
  const wild = /[*?[\]{}()!@+|]/.test(pattern.replace(/\\./gs, ''))
  return wild ? null : pattern.replace(/\\(.)/gs, '$1')
}

const folded = (text: string): string => (foldsCase ? text.toLowerCase() : text)
