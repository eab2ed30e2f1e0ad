/**
 * The order of decision, pure: denies are final; protected places always ask; then the rules by priority; then what only
 * reads; then the mode. Adding a deny or a workspace rule never loosens anything; the order of the rules never matters.
 */
import type { Mode } from '#contract/session-event'
import {
  type CommandSubject,
  type PartSubject,
  type Ready,
  type Rule,
  type RuleSet,
  readyRules,
  type Subject,
} from './rule.ts'

export interface PartFacts extends PartSubject {
  /** Why it is no read, or not understood; a sentence. */
  readonly why: string
  /** A protected place that it may change, by its name. */
  readonly protectedPart: string | null
}

export interface CommandFacts extends CommandSubject {
  readonly parts: readonly PartFacts[]
  /** Whether this machine has a jail that holds. */
  readonly jailed: boolean
  /** It asks to run outside the jail. */
  readonly unjailed: boolean
  /** It asks to see `.env` and its kind. */
  readonly withSecrets: boolean
}

/** What is known of one action besides the rules. */
export interface Facts extends Subject {
  readonly command: CommandFacts | null
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
  /** What spoke: a rule that somebody wrote, what Belay holds by itself, or the mode alone. */
  readonly by: 'rule' | 'built-in' | 'mode'
  /** Only a person may allow it: no rule, mode or flag answers. */
  readonly firm: boolean
}

type Ground = Pick<Verdict, 'by' | 'rule'>
const NO_RULE: Ground = { by: 'mode', rule: null }
const written = ({ line }: Ready): Ground => ({ by: 'rule', rule: line })
const builtIn = (what: string): Ground => ({ by: 'built-in', rule: `built-in: ${what}` })
const modeIs = (mode: Mode): Ground => ({ by: 'mode', rule: `mode: ${mode}` })

const says =
  (verdict: Verdict['verdict']) =>
  (reason: string, { by, rule }: Ground = NO_RULE): Verdict => ({ verdict, reason, rule, by, firm: false })
const allow = says('allow')
const deny = says('deny')
const ask = says('ask')
const firmly = (reason: string, ground: Ground): Verdict => ({ ...ask(reason, ground), firm: true })
const strength = { allow: 0, ask: 1, deny: 2 } as const

/** `rules` may be ready: then nothing is read again. */
export function decide(rules: readonly Rule[] | RuleSet, facts: Facts, mode: Mode): Verdict {
  const decided = judge('about' in rules ? rules : readyRules(rules), facts, mode)
  if (decided.verdict !== 'ask' || mode !== 'dontAsk') return decided
  return deny(`${decided.reason} The mode "dontAsk" turns that into a no.`, decided)
}

function judge(rules: RuleSet, facts: Facts, mode: Mode): Verdict {
  const impossible = neverDone(facts)
  if (impossible) return impossible
  if (facts.kind === 'remember') return judgeNote(rules.about(facts), facts)
  if (mode === 'bypassPermissions') return allow('The mode "bypassPermissions" allows everything.')
  const naming = rules.about(facts)
  const first = denied(naming, facts) ?? refusedByPlan(facts, mode) ?? firmAsk(facts)
  if (first) return first
  if (facts.command) return judgeCommand(naming, facts, facts.command, mode)
  const speaking = naming.filter(rule => rule.verdict !== 'deny' && rule.fits(facts))
  return byRule(speaking, facts) ?? byMode(facts, mode)
}

/** In no mode by itself: only by a rule that a person wrote for just this. What is remembered speaks in every later conversation. */
function judgeNote(naming: readonly Ready[], facts: Facts): Verdict {
  const own = naming.filter(rule => rule.tool.toLowerCase() === facts.tool && rule.fits(facts))
  return (
    denied(naming, facts) ??
    byRule(own, facts) ??
    firmly('What is remembered is told to the agent in later conversations too.', builtIn('memory'))
  )
}

/** In every mode: these are no questions of trust. */
function neverDone({ kind, outside, readOnly }: Facts): Verdict | null {
  if (kind !== 'write') return null
  if (outside) return deny('Files outside the opened folders are never written.', builtIn('outside'))
  if (readOnly) return deny('This folder was opened read-only.', builtIn('read-only'))
  return null
}

function denied(naming: readonly Ready[], facts: Facts): Verdict | null {
  if (facts.own) return deny("Belay's own settings, keys and logs are not for the agent.", builtIn('own folders'))
  const rule = naming.find(each => each.verdict === 'deny' && each.fits(facts))
  return rule ? deny('A rule forbids it.', written(rule)) : null
}

function refusedByPlan({ kind, command }: Facts, mode: Mode): Verdict | null {
  if (mode !== 'plan') return null
  if (kind === 'write') return deny('Plan mode changes no files. Propose the change as a plan.', modeIs('plan'))
  if (!command) return null
  if (command.unjailed) return deny('Plan mode runs nothing outside the jail.', modeIs('plan'))
  const more = command.parts.find(part => part.kind !== 'reads')
  if (!more) return null
  return deny(`Plan mode runs only commands that read. ${named(command, more)}Propose it in a plan.`, modeIs('plan'))
}

/** Which part of a longer command is meant, and why. */
const named = ({ parts }: CommandFacts, { text, why }: PartFacts): string => {
  const which = parts.length > 1 ? `\`${text.length > 200 ? `${text.slice(0, 200)}…` : text}\`: ` : ''
  return why === '' ? '' : `${which}${why} `
}

const protectedAsk = (part: string): Verdict =>
  firmly(`${part} can make programs run or widen what the agent may do.`, {
    by: 'built-in',
    rule: `protected: ${part}`,
  })

function firmAsk({ kind, protectedPart, secretPart, shared, command, host }: Facts): Verdict | null {
  if (kind === 'write' && protectedPart !== null) return protectedAsk(protectedPart)
  if (kind === 'write' && shared)
    return firmly('This file has other names (hard links): the change would show there too.', builtIn('hard links'))
  if (kind === 'read' && secretPart !== null)
    return firmly(`${secretPart} is likely to hold secrets, which the model would see.`, {
      by: 'built-in',
      rule: `secret: ${secretPart}`,
    })
  if (host?.nature === 'keys')
    return firmly(`${host.host} gives out the keys of this machine.`, builtIn('link-local address'))
  if (!command) return null
  if (command.unjailed)
    return firmly('It would run outside the jail: nothing holds it back.', builtIn('outside the jail'))
  if (command.withSecrets)
    return firmly('It would see `.env` and its kind, which are masked otherwise.', builtIn('with secrets'))
  const place = command.parts.find(part => part.protectedPart !== null)?.protectedPart
  return place ? protectedAsk(place) : null
}

/** Every part must pass; what asks most counts. */
function judgeCommand(naming: readonly Ready[], facts: Facts, command: CommandFacts, mode: Mode): Verdict {
  const verdicts = judgeParts(naming, facts, command, mode)
  const worst = verdicts.reduce((a, b) => (strength[b.verdict] > strength[a.verdict] ? b : a), verdicts[0] ?? NOTHING)
  if (command.jailed || worst.verdict !== 'allow') return worst
  return ask('There is no jail here that would hold it, so every command asks.', builtIn('no jail'))
}
const NOTHING = allow('Nothing runs.', builtIn('no effect'))

function judgeParts(naming: readonly Ready[], facts: Facts, command: CommandFacts, mode: Mode): Verdict[] {
  return command.parts.map(part => {
    const speaking = naming.filter(rule => rule.verdict !== 'deny' && rule.fits(facts, part))
    return byRule(speaking, facts) ?? byKind(command, part, mode)
  })
}

function byKind(command: CommandFacts, part: PartFacts, mode: Mode): Verdict {
  if (part.kind === 'reads') return allow('It only reads.', builtIn('commands that read'))
  const words = named(command, part).trim()
  if (part.kind === 'unknown') return ask(words)
  if (mode === 'auto' && command.jailed) return allow('The mode "auto" runs commands in the jail.', modeIs('auto'))
  return ask(words === '' ? 'No rule allows this command.' : words)
}

/** One verdict for each part of a command, in their order: for whoever wants to know why. */
export function explainParts(rules: RuleSet, facts: Facts, mode: Mode): { part: PartFacts; verdict: Verdict }[] {
  const { command } = facts
  if (!command) return []
  const naming = rules.about(facts)
  return command.parts.map(part => {
    const rule = naming.find(each => each.verdict === 'deny' && each.fits(facts, part))
    if (rule) return { part, verdict: deny('A rule forbids it.', written(rule)) }
    if (mode === 'bypassPermissions') return { part, verdict: allow('The mode "bypassPermissions" allows everything.') }
    if (mode === 'plan' && part.kind !== 'reads')
      return { part, verdict: deny(`Plan mode runs only commands that read. ${part.why}`.trim(), modeIs('plan')) }
    if (part.protectedPart !== null) return { part, verdict: protectedAsk(part.protectedPart) }
    const verdict = judgeParts(naming, facts, { ...command, parts: [part] }, mode)[0] ?? NOTHING
    return { part, verdict }
  })
}

/** A folder's own rules and an agent's may only tighten. `speaking`: strongest first. */
function byRule(speaking: readonly Ready[], { kind, command }: Facts): Verdict | null {
  if (kind === 'none' || kind === 'ask') return null
  const counting = speaking.filter(
    ({ verdict, loosens }) => verdict === 'ask' || (loosens && (command === null || command.jailed)),
  )
  const highest = counting[0]?.priority
  const strongest = counting.filter(({ priority }) => priority === highest)
  const allowing = strongest.find(({ verdict }) => verdict === 'allow')
  if (allowing) return allow('A rule allows it.', written(allowing))
  const asking = strongest[0]
  return asking ? ask(asking.note ?? 'A rule says to ask.', written(asking)) : null
}

function byMode({ kind, outside, host }: Facts, mode: Mode): Verdict {
  if (kind === 'none' || kind === 'ask') return allow('It changes nothing.', builtIn('no effect'))
  if (kind === 'fetch' || kind === 'network') {
    if (host?.nature === 'private') return ask(`${host.host} is this machine or a network that is not the open one.`)
    return ask(kind === 'fetch' ? 'No rule allows this address.' : 'No rule allows this host.')
  }
  if (kind === 'read')
    return outside
      ? ask('It is outside the opened folders.')
      : allow('Reading in the opened folders is allowed.', builtIn('read'))
  if (mode === 'acceptEdits' || mode === 'auto') return allow(`The mode "${mode}" allows edits here.`, modeIs(mode))
  return ask('No rule allows this edit.')
}
