/**
 * The order of decision, pure: denies are final; protected places always ask; then the rules by priority; then what only
 * reads; then the mode. Adding a deny or a workspace rule never loosens anything; the order of the rules never matters.
 */
import type { Mode } from '#contract/session-event'
import { fits, lineOf, type Rule, type Subject } from './rule.ts'

/** What is known of one action besides the rules. */
export interface Facts extends Subject {
  /** Outside every root. */
  readonly outside: boolean
  /** In a root that may not be written. */
  readonly readOnly: boolean
  /** In one of Belay's own folders. */
  readonly own: boolean
  /** The part of the path that is protected, if any. */
  readonly protectedPart: string | null
  readonly secretPart: string | null
  /** Other names of the same bytes exist: a write would show elsewhere too. */
  readonly shared: boolean
}

export interface Verdict {
  readonly verdict: 'allow' | 'ask' | 'deny'
  /** One sentence for a person, which a model may read too. */
  readonly reason: string
  readonly rule: string | null
  /** Only a person may allow it: no rule, mode or flag answers. */
  readonly firm: boolean
}

const allow = (reason: string, rule: string | null = null): Verdict => ({ verdict: 'allow', reason, rule, firm: false })
const deny = (reason: string, rule: string | null = null): Verdict => ({ verdict: 'deny', reason, rule, firm: false })
const ask = (reason: string, rule: string | null = null, firm = false): Verdict => ({
  verdict: 'ask',
  reason,
  rule,
  firm,
})

export function decide(rules: readonly Rule[], facts: Facts, mode: Mode): Verdict {
  const decided = judge(rules, facts, mode)
  if (decided.verdict !== 'ask' || mode !== 'dontAsk') return decided
  return deny(`${decided.reason} The mode "dontAsk" turns that into a no.`, decided.rule)
}

function judge(rules: readonly Rule[], facts: Facts, mode: Mode): Verdict {
  const impossible = neverDone(facts)
  if (impossible) return impossible
  if (mode === 'bypassPermissions') return allow('The mode "bypassPermissions" allows everything.')
  const speaking = rules.filter(rule => fits(rule, facts))
  return (
    denied(speaking, facts) ??
    refusedByPlan(facts, mode) ??
    firmAsk(facts) ??
    byRule(speaking, facts) ??
    byMode(facts, mode)
  )
}

/** In every mode: these are no questions of trust. */
function neverDone({ kind, outside, readOnly }: Facts): Verdict | null {
  if (kind !== 'write') return null
  if (outside) return deny('Files outside the opened folders are never written.', 'built-in: outside')
  if (readOnly) return deny('This folder was opened read-only.', 'built-in: read-only')
  return null
}

function denied(speaking: readonly Rule[], { own }: Facts): Verdict | null {
  if (own) return deny("Belay's own settings, keys and logs are not for the agent.", 'built-in: own folders')
  const rule = first(speaking.filter(({ verdict }) => verdict === 'deny'))
  return rule ? deny('A rule forbids it.', lineOf(rule)) : null
}

function refusedByPlan({ kind }: Facts, mode: Mode): Verdict | null {
  if (mode !== 'plan') return null
  if (kind === 'write') return deny('Plan mode changes no files. Propose the change as a plan.', 'mode: plan')
  if (kind === 'command') return deny('Plan mode runs no commands. Propose them in a plan.', 'mode: plan')
  return null
}

function firmAsk({ kind, protectedPart, secretPart, shared }: Facts): Verdict | null {
  if (kind === 'write' && protectedPart !== null)
    return ask(
      `${protectedPart} can make programs run or widen what the agent may do.`,
      `protected: ${protectedPart}`,
      true,
    )
  if (kind === 'write' && shared)
    return ask('This file has other names (hard links): the change would show there too.', 'built-in: hard links', true)
  if (kind === 'read' && secretPart !== null)
    return ask(`${secretPart} is likely to hold secrets, which the model would see.`, `secret: ${secretPart}`, true)
  return null
}

/** A folder's own rules may only tighten, and no rule lets a command run while there is no jail to run it in. */
function byRule(speaking: readonly Rule[], { kind }: Facts): Verdict | null {
  if (kind === 'none' || kind === 'ask') return null
  const counting = speaking.filter(
    ({ verdict, scope }) => verdict === 'ask' || (verdict === 'allow' && scope !== 'workspace' && kind !== 'command'),
  )
  const highest = Math.max(...counting.map(({ priority }) => priority))
  const strongest = counting.filter(({ priority }) => priority === highest)
  const allowing = first(strongest.filter(({ verdict }) => verdict === 'allow'))
  if (allowing) return allow('A rule allows it.', lineOf(allowing))
  const asking = first(strongest)
  return asking ? ask(asking.note ?? 'A rule says to ask.', lineOf(asking)) : null
}

function byMode({ kind, outside }: Facts, mode: Mode): Verdict {
  if (kind === 'none' || kind === 'ask') return allow('It changes nothing.', 'built-in: no effect')
  if (kind === 'read')
    return outside
      ? ask('It is outside the opened folders.')
      : allow('Reading in the opened folders is allowed.', 'built-in: read')
  if (kind === 'command') return ask('Every command asks until commands run in a jail.')
  if (mode === 'acceptEdits' || mode === 'auto') return allow(`The mode "${mode}" allows edits here.`, `mode: ${mode}`)
  return ask('No rule allows this edit.')
}

/** The same one whatever the order they came in. */
const first = (rules: readonly Rule[]): Rule | undefined =>
  [...rules].sort((a, b) => b.priority - a.priority || (lineOf(a) < lineOf(b) ? -1 : 1))[0]
