/**
 * What a command line said about tools: `name` or `name(glob)`, `*` for any name. Not a boundary but a list: a denied tool
 * never runs, and where there is a list of allowed ones, what is not on it is denied.
 */
import { isAbsolute, relative, sep } from 'node:path'
import picomatch from 'picomatch'
import type { RunFlags } from '#contract/session'
import type { Action, ActionRequest, CommandParts } from './ports.ts'

export interface FlagVerdict {
  verdict: 'allow' | 'deny'
  /** The flag as it was written. */
  rule: string
  reason: string
}

/**
 * Null: the flags say nothing about this call. `roots`: absolute folders that relative patterns start in. `command`: what the
 * rules made of a command; each part of it must be allowed, and one that is forbidden is enough.
 */
export function judgeByFlags(
  flags: RunFlags | null,
  request: ActionRequest,
  roots: readonly string[],
  command?: CommandParts,
): FlagVerdict | null {
  if (!flags) return null
  const forms = command?.forms ?? []
  const denied = flags.disallowedTools?.find(
    entry => matches(entry, request, roots, 'any') || forms.some(text => matchesText(entry, request.tool, text)),
  )
  if (denied !== undefined) {
    return { verdict: 'deny', rule: `--disallowedTools ${denied}`, reason: `--disallowedTools has ${denied}` }
  }
  if (!flags.allowedTools) return null
  const allowed =
    flags.allowedTools.find(entry => matches(entry, request, roots, command?.parts === null ? 'none' : 'all')) ??
    byParts(flags.allowedTools, request.tool, command?.parts ?? [])
  if (allowed !== undefined) {
    return { verdict: 'allow', rule: `--allowedTools ${allowed}`, reason: `--allowedTools has ${allowed}` }
  }
  return {
    verdict: 'deny',
    rule: '--allowedTools',
    reason: `it is not on --allowedTools (${flags.allowedTools.join(', ')})`,
  }
}

/** The entries that allow every part between them, as they were written. */
function byParts(entries: readonly string[], tool: string, parts: readonly string[]): string | undefined {
  const by = parts.map(text => entries.find(entry => matchesText(entry, tool, text)))
  return parts.length > 0 && by.every(entry => entry !== undefined) ? [...new Set(by)].join(',') : undefined
}

function matchesText(entry: string, tool: string, text: string): boolean {
  const [, name = entry, pattern] = ENTRY.exec(entry) ?? []
  return (
    (name === '*' || name.toLowerCase() === tool.toLowerCase()) && pattern !== undefined && commandGlob(pattern)(text)
  )
}
const ENTRY = /^\s*([\w*-]+)\s*(?:\((.*)\))?\s*$/s

/**
 * `any`: one part of a chained command is enough (to deny); `all`: a chained command never fits a pattern as a whole (to allow);
 * `none`: it is not understood, so it fits no pattern.
 */
type How = 'any' | 'all' | 'none'

function matches(entry: string, { tool, action }: ActionRequest, roots: readonly string[], how: How): boolean {
  const [, name = entry, pattern] = ENTRY.exec(entry) ?? []
  if (name !== '*' && name.toLowerCase() !== tool.toLowerCase()) return false
  return pattern === undefined || subjectsOf(action, roots, how).some(({ text, glob }) => glob(pattern)(text))
}

interface Subject {
  text: string
  glob(pattern: string): (text: string) => boolean
}

function subjectsOf(action: Action, roots: readonly string[], how: How): Subject[] {
  if (action.kind === 'command') {
    const whole = { text: action.command.trim(), glob: commandGlob }
    if (how === 'none') return []
    if (!CHAINS.test(action.command)) return [whole]
    return how === 'all'
      ? []
      : [whole, ...action.command.split(CHAINS).map(text => ({ text: text.trim(), glob: commandGlob }))]
  }
  if (action.kind === 'fetch') return addressSubjects(action.url)
  if (action.kind !== 'read' && action.kind !== 'write') return []
  const inside = isAbsolute(action.path) ? roots.map(root => relative(root, action.path)).filter(isInside) : []
  return [action.path, ...inside].map(path => ({ text: path.split(sep).join('/'), glob: pathGlob }))
}

/** A page is named by its host, with a port or without: a `*` over a whole address would fit a name in its path. */
function addressSubjects(address: string): Subject[] {
  if (!URL.canParse(address)) return []
  const { hostname, host } = new URL(address)
  return [...new Set([hostname, host])].map(text => ({ text, glob: commandGlob }))
}

/** Whatever could make one command two, or run another inside it. */
const CHAINS = /[;&|\n\r`]|\$\(|<\(|>\(|>|</
const isInside = (path: string): boolean => path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
const pathGlob = (pattern: string): ((text: string) => boolean) => picomatch(pattern, { dot: true })
/** In a command `*` is any text, and a pattern without one is the whole command. */
const commandGlob = (pattern: string): ((text: string) => boolean) => {
  const source = pattern
    .trim()
    .split('*')
    .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  const regex = new RegExp(`^${source.replace(/ \.\*$/, '(?: .*)?')}$`, 's')
  return text => regex.test(text)
}
