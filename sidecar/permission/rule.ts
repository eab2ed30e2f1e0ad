/** Rules are data: who may do what, where it was written, and how strongly. Only `decide` says what they come to. */
import type { z } from 'zod'
import type { RuleScope } from '#contract/permission'
import type { WrittenRule } from '#contract/session-event'
import type { HostFacts } from './host.ts'
import { commandPattern, firstWord, type HostPattern, hostPattern, type Matches, pathPattern } from './pattern.ts'
import type { PartKind } from './shell/understand.ts'

/** Before defaults are filled in. */
export type RuleInput = z.input<typeof WrittenRule>
export type Scope = RuleScope
export type Bound = NonNullable<WrittenRule['bound']>

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

/** One part of a command, as rules see it. */
export interface PartSubject {
  readonly text: string
  readonly kind: PartKind
  readonly forms: readonly string[]
  readonly allowed: readonly { readonly text: string; readonly head: number }[]
}

export interface CommandSubject {
  readonly whole: string
  /** Real, with `/`; where it starts. */
  readonly cwd: string
  readonly parts: readonly PartSubject[]
  /** What the project defines of it. */
  readonly bounds: readonly Bound[]
}

/** What a rule is held against. Paths are real, with `/`. */
export interface Subject {
  readonly tool: string
  readonly kind: 'none' | 'ask' | 'read' | 'write' | 'command' | 'fetch' | 'network' | 'remember'
  readonly command: CommandSubject | null
  readonly host: HostFacts | null
  readonly absolute: string | null
  /** The same path, seen from each root it lies in. */
  readonly inRoots: readonly { readonly root: string; readonly path: string }[]
}

/** A rule made ready: its pattern is read once for each kind of thing it is held against. */
export interface Ready extends Rule {
  readonly line: string
  /** A folder's and an agent's own may only tighten. */
  readonly loosens: boolean
  /** The first word of every command it could fit; null where that may be any. */
  readonly word: string | null
  /** Whether its pattern fits one of these at all. */
  mayFit(texts: readonly string[]): boolean
  /** Its place among the others, strongest first. */
  readonly order: number
  /** Whether it speaks of this at all; of a command with `part`, of that part. */
  fits(subject: Subject, part?: PartSubject): boolean
}

export interface RuleSet {
  readonly all: readonly Ready[]
  /** Strongest first. Of a command, those alone that fit some text of it. */
  about(subject: Subject): readonly Ready[]
}

export function readyRules(rules: readonly Rule[]): RuleSet {
  const all = rules
    .map(rule => ready(rule))
    .sort((a, b) => b.priority - a.priority || (a.line < b.line ? -1 : a.line > b.line ? 1 : 0))
    .map((rule, order) => ({ ...rule, order }))
  const known = new Map<string, ByWord>()
  return {
    all,
    about({ tool, kind, command }) {
      const key = `${tool.toLowerCase()} ${kind === 'write'}`
      const found = known.get(key) ?? byWord(all.filter(rule => namesTool(rule, tool, kind)))
      if (known.size < 500) known.set(key, found)
      return command ? ofCommand(found, command) : found.all
    },
  }
}

interface ByWord {
  readonly all: readonly Ready[]
  readonly anyWord: readonly Ready[]
  readonly words: ReadonlyMap<string, readonly Ready[]>
}

function byWord(all: readonly Ready[]): ByWord {
  const words = new Map<string, Ready[]>()
  for (const rule of all) if (rule.word !== null) words.set(rule.word, [...(words.get(rule.word) ?? []), rule])
  return { all, anyWord: all.filter(({ word }) => word === null), words }
}

function ofCommand({ anyWord, words }: ByWord, { whole, parts }: CommandSubject): readonly Ready[] {
  const texts = new Set([whole])
  for (const { forms, allowed } of parts) {
    for (const form of forms) texts.add(form)
    for (const { text } of allowed) texts.add(text)
  }
  const all = [...texts]
  const found = [...new Set(all.map(firstWord))].flatMap(word => words.get(word) ?? [])
  return [...anyWord, ...found].filter(rule => rule.mayFit(all)).sort((a, b) => a.order - b.order)
}

/** Whether it speaks of this at all. For one rule, once; many are made ready with `readyRules`. */
export const fits = (rule: Rule, subject: Subject): boolean =>
  namesTool(rule, subject.tool, subject.kind) && ready(rule).fits(subject)

function namesTool({ tool }: Rule, name: string, kind: Subject['kind']): boolean {
  const mine = tool.toLowerCase()
  return mine === '*' || mine === name.toLowerCase() || (mine === 'edit' && kind === 'write')
}

/** A pattern that cannot be read fits everything it could forbid and nothing else. */
function orNot<T>(verdict: Rule['verdict'], make: () => T, all: T, none: T): () => T {
  let made: T | null = null
  return () => {
    if (made !== null) return made
    try {
      made = make()
    } catch {
      made = verdict === 'allow' ? none : all
    }
    return made
  }
}

function ready(rule: Rule): Ready {
  const { pattern, verdict, base, scope, bound } = rule
  const text = pattern ?? '*'
  const yes: Matches = () => true
  const no: Matches = () => false
  const path = orNot(verdict, () => pathPattern(text), yes, no)
  const host = orNot<HostPattern>(
    verdict,
    () => hostPattern(text),
    { matches: () => true, exact: false },
    { matches: () => false, exact: false },
  )
  const command = commandPattern(text)
  const inBase = (at: string): boolean => base === null || at === base || at.startsWith(`${base}/`)

  const fitsPart = (subject: CommandSubject, part: PartSubject): boolean => {
    if (verdict !== 'allow')
      return pattern === null || command.matches(subject.whole) || part.forms.some(command.matches)
    if (part.kind === 'unknown' || !inBase(subject.cwd)) return false
    if (bound && !subject.bounds.some(({ what, hash }) => what === bound.what && hash === bound.hash)) return false
    if (pattern === null) return true
    return part.allowed.some(each => command.head >= each.head && command.matches(each.text))
  }
  const fitsHost = (facts: HostFacts): boolean => {
    const { matches, exact } = host()
    if (verdict === 'allow' && facts.nature !== 'public' && (!exact || pattern === null)) return false
    return pattern === null || matches(facts)
  }
  const fitsPath = ({ absolute, inRoots }: Subject): boolean => {
    if (pattern === null) return true
    if (absolute === null) return false
    const matches = path()
    return (
      (base === null && matches(absolute)) ||
      inRoots.some(at => (base === null || base === at.root) && matches(at.path))
    )
  }
  return {
    ...rule,
    line: lineOf(rule),
    order: 0,
    mayFit: texts => pattern === null || texts.some(command.matches),
    word: pattern === null ? null : command.word,
    loosens: verdict === 'allow' && scope !== 'workspace' && scope !== 'agent',
    fits(subject, part) {
      if (subject.command) {
        const { command: whole } = subject
        if (part) return fitsPart(whole, part)
        return verdict === 'allow'
          ? whole.parts.every(each => fitsPart(whole, each))
          : whole.parts.some(each => fitsPart(whole, each))
      }
      return subject.host ? fitsHost(subject.host) : fitsPath(subject)
    },
  }
}
