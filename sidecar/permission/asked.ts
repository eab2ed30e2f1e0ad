/** What a person is shown of a call that asks, and what of their answer may be kept. */
import type { AnyPath } from '#contract/path'
import type { AskedCall, Mode } from '#contract/session-event'
import type { Root } from '#contract/workspace'
import type { Action, ActionRequest, Persona } from '../agent/ports.ts'
import { decide, type Facts, type Verdict } from './decide.ts'
import { hostOffers } from './host.ts'
import type { Seen } from './look.ts'
import { commandOffers } from './offers.ts'
import { literal } from './pattern.ts'
import { below, slashed } from './place.ts'
import { type Bound, type RuleSet, readyRules } from './rule.ts'

export interface Offer {
  /** What the remembered rule names. */
  readonly tool: string
  /** The exact thing first. */
  readonly patterns: readonly string[]
  readonly scopes: AskedCall['remember']
  readonly bound: Bound | null
  /** Absolute: the folder that "here" is. */
  readonly root: string
}

interface Asking {
  readonly request: ActionRequest
  readonly seen: Seen
  readonly verdict: Verdict
  readonly mode: Mode
  readonly roots: readonly Root[]
  readonly set: RuleSet
}

/** Null where nothing may be kept: what only a person may allow, what is not understood, commands without a jail. */
export function offerOf(asking: Asking): Offer | null {
  const offer = asking.verdict.firm ? null : candidate(asking)
  if (!offer || offer.patterns.length === 0 || !offer.root) return null
  if (asking.seen.facts.kind === 'write' || asking.verdict.rule === null) return offer
  // A rule of higher priority goes on asking whatever is kept: then keeping is no answer.
  const { set, seen, mode } = asking
  const base = slashed(offer.root)
  const kept = {
    tool: offer.tool,
    verdict: 'allow' as const,
    pattern: offer.patterns[0] ?? null,
    priority: 0,
    scope: 'here' as const,
    base: seen.facts.command ? base : null,
  }
  return decide(readyRules([...set.all, kept]), seen.facts, mode).verdict === 'allow' ? offer : null
}

function candidate({ request, seen, verdict, mode, roots }: Asking): Offer | null {
  const { facts, command } = seen
  const { tool, action } = request
  const first = roots[0]?.absolute ?? ''
  if (action.kind === 'write') {
    const place = narrowest(facts)
    if (!place) return null
    const root = roots.find(({ absolute }) => slashed(absolute) === place.root)?.absolute ?? ''
    // "For this session" is the mode that lets edits run: offered where that mode would answer this very ask.
    const scopes = mode === 'default' && verdict.rule === null ? (['session', 'here'] as const) : (['here'] as const)
    return { tool: 'edit', patterns: [literal(place.path)], scopes: [...scopes], bound: null, root }
  }
  if (action.kind === 'command') {
    if (!command?.facts.jailed || !command.bindable || tool === 'bash_input') return null
    const root = roots.find(({ absolute }) => below(absolute, action.cwd) !== null)?.absolute ?? first
    return {
      tool,
      patterns: commandOffers(action.command, command.parts),
      scopes: ['session', 'here'],
      bound: command.bound,
      root,
    }
  }
  if (facts.host)
    return { tool, patterns: hostOffers(facts.host), scopes: ['session', 'here'], bound: null, root: first }
  if (action.kind === 'read' && facts.absolute !== null)
    return { tool, patterns: [literal(facts.absolute)], scopes: ['session'], bound: null, root: first }
  return null
}

/** The innermost root: a rule is kept where the person would look for it. */
const narrowest = ({ inRoots }: Facts): Facts['inRoots'][number] | undefined =>
  [...inRoots].sort((a, b) => b.root.length - a.root.length)[0]

export function askedCall({
  request,
  seen,
  verdict,
  offer,
  persona,
  dirty,
}: {
  request: ActionRequest
  seen: Seen
  verdict: Verdict
  offer: Offer | null
  persona: Persona | null
  dirty: readonly AnyPath[]
}): AskedCall {
  const { callId, tool, action } = request
  const { facts } = seen
  return {
    callId,
    tool,
    kind: facts.command?.unjailed ? 'unjailed' : kinds[action.kind],
    exact: exactOf(action),
    where: whereOf(action) ?? facts.absolute ?? '',
    reason: verdict.reason,
    rule: verdict.rule,
    remember: offer ? offer.scopes : [],
    ...(offer ? { patterns: [...offer.patterns] } : {}),
    ...(offer?.bound ? { boundTo: offer.bound.what } : {}),
    ...(persona ? { agent: persona.name } : {}),
    ...(facts.command?.withSecrets ? { secrets: true } : {}),
    dirty: dirty.flatMap(path => ('rootId' in path ? [path] : [])),
  }
}

const whereOf = (action: Action): string | null =>
  action.kind === 'command' ? action.cwd : action.kind === 'remember' ? action.where : null

const kinds = {
  none: 'other',
  ask: 'other',
  read: 'read',
  write: 'edit',
  command: 'command',
  fetch: 'fetch',
  network: 'network',
  remember: 'remember',
} as const

function exactOf(action: Action): string {
  if (action.kind === 'network') return `${action.host}:${action.port}`
  if (action.kind === 'read') return action.path
  return 'exact' in action ? action.exact : ''
}
