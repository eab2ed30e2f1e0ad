/** Meets the agent's `Authorize` and `Remember`: looks at each action, asks the rules, keeps what a person wants kept, and records it all. */
import { sep } from 'node:path'
import type { Payload } from '#contract/define'
import type { SessionId, WorkspaceId } from '#contract/id'
import type { permission as permissionDomain } from '#contract/permission'
import type { Violation } from '#contract/sandbox'
import type { AskedCall, Mode, WrittenRule } from '#contract/session-event'
import type { Root } from '#contract/workspace'
import type {
  Authority,
  Authorize,
  CommandParts,
  Decision,
  Persona,
  Remember,
  Remembered,
  Settled,
} from '../agent/ports.ts'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import { askedCall, type Offer, offerOf } from './asked.ts'
import { createAudit } from './audit.ts'
import { decide, type Facts } from './decide.ts'
import { handlersOf, type PermissionHandlers } from './handlers.ts'
import { look } from './look.ts'
import type { PermissionOptions } from './options.ts'
import { auditEntryOf, violationEntryOf } from './recorded.ts'
import { lineOf, type Rule, type RuleSet, readyRules } from './rule.ts'
import { createRulesFiles, type LoadedRules, type RootPlace } from './rules-file.ts'
import { watchRules } from './watch-rules.ts'

/** Asks that nobody answers are forgotten, oldest first, beyond this many. */
const MAX_ASKED = 1000

type Contract = { readonly permission: typeof permissionDomain }
type EventOf<N extends 'permission/recorded' | 'permission/changed'> = { name: N; payload: Payload<Contract, N> }

export interface Permission {
  readonly authorize: Authorize
  /** What is for "here" is written, what is for the session answered. Throws when it cannot be written. */
  readonly remember: Remember
  /** Never throws. */
  readonly record: (settled: Settled) => void
  /** What the jail stopped, for the same record. Never throws. */
  readonly recordViolation: (
    violation: Violation,
    by: { sessionId: SessionId; workspaceId: WorkspaceId; mode: Mode; tool: string; agent: string | null },
  ) => void
  readonly handlers: PermissionHandlers
  readonly events: Emitter<EventOf<'permission/recorded'> | EventOf<'permission/changed'>>
  /** Resolves when the record is on disk. */
  dispose(): Promise<void>
}

export function createPermission(options: PermissionOptions): Permission {
  const { folders, log } = options
  const files = createRulesFiles(folders, log)
  const own = [folders.config, folders.data, folders.state, folders.cache]
  const events: Permission['events'] = createEmitter()
  const changed = (): void => events.emit({ name: 'permission/changed', payload: {} })
  const audit = createAudit({
    folder: `${folders.state}${sep}audit`,
    log,
    recorded: payload => events.emit({ name: 'permission/recorded', payload }),
  })
  const watch = watchRules(changed)
  const asked = new Map<string, Offer>()
  /** One call may ask about several things at once: itself, and each host that it wants to reach. */
  const keyOf = (sessionId: SessionId, { callId, tool, exact }: AskedCall): string =>
    JSON.stringify([sessionId, callId, tool, exact])
  const around = (roots: readonly Root[]) => ({ roots, own, jailed: options.jailHolds?.() ?? false })

  const keep = (key: string, offer: Offer): void => {
    asked.set(key, offer)
    for (const oldest of asked.keys()) {
      if (asked.size <= MAX_ASKED) break
      asked.delete(oldest)
    }
  }

  const authorize: Authorize = async (requests, authority) => {
    const { sessionId, workspaceId, mode, persona } = authority
    const roots = options.workspaceRoots(workspaceId)
    const set = withOwn(await files.load(roots.map(placeOf)), authority)
    return Promise.all(
      requests.map(async (request): Promise<Decision> => {
        const seen = await look(request, around(roots))
        const verdict = decide(set, seen.facts, mode)
        const { reason, rule, by, firm } = verdict
        const command = partsOf(seen.facts)
        if (verdict.verdict !== 'ask') return { verdict: verdict.verdict, by, rule, reason, ...command }
        const offer = offerOf({ request, seen, verdict, mode, roots, set })
        const dirty = request.action.kind === 'command' ? options.dirtyPaths(workspaceId) : []
        const call = askedCall({ request, seen, verdict, offer, persona, dirty })
        if (offer) keep(keyOf(sessionId, call), offer)
        return { verdict: 'ask', by, call, firm, ...command }
      }),
    )
  }

  const remember: Remember = async (answer, call, { sessionId, workspaceId }) => {
    const key = keyOf(sessionId, call)
    const offer = asked.get(key)
    asked.delete(key)
    const { remember: scope } = answer
    if (scope === 'once' || !call.remember.includes(scope) || !offer || answer.verdict === 'skip') return null
    // An edit "for this session" is the session's mode.
    if (scope === 'session' && call.kind === 'edit') return null
    const pattern = answer.pattern ?? offer.patterns[0]
    if (pattern === undefined || !offer.patterns.includes(pattern)) return null
    const verdict = answer.verdict === 'allow' ? ('allow' as const) : ('deny' as const)
    const bound = verdict === 'allow' && offer.bound ? { bound: offer.bound } : {}
    const rule = { tool: offer.tool, verdict, pattern, priority: 0, ...bound }
    if (scope === 'session') return rememberedAs(rule, 'session')
    const root = options.workspaceRoots(workspaceId).find(({ absolute }) => absolute === offer.root)
    if (!root) return null
    await files.add(placeOf(root), rule)
    changed()
    return { ...rememberedAs(rule, 'here'), rule: null }
  }

  const folderOf = (workspaceId: WorkspaceId): string => {
    try {
      return options.workspaceRoots(workspaceId)[0]?.absolute ?? ''
    } catch {
      return ''
    }
  }

  return {
    authorize,
    remember,
    record(settled) {
      const entry = auditEntryOf(settled, folderOf(settled.authority.workspaceId))
      if (entry) audit.add(entry)
    },
    recordViolation: (violation, by) => audit.add(violationEntryOf(violation, by, folderOf(by.workspaceId))),
    handlers: handlersOf({ options, files, audit, watch, around, changed, placeOf }),
    events,
    async dispose() {
      watch.dispose()
      await audit.settled()
    },
  }
}

/** For the flags of a command line, which judge beside the rules. */
function partsOf({ command }: Facts): { command?: CommandParts } {
  if (!command) return {}
  const { parts } = command
  const understood = parts.every(({ kind }) => kind !== 'unknown')
  return {
    command: {
      parts: understood ? parts.map(({ text }) => text).filter(text => text !== '') : null,
      forms: parts.flatMap(({ forms }) => forms),
    },
  }
}

const rememberedAs = (rule: WrittenRule, scope: 'session' | 'here'): Remembered => ({
  line: lineOf({ ...rule, scope }),
  rule,
})

export const placeOf = ({ absolute }: Root): RootPlace => ({
  absolute,
  slashed: sep === '/' ? absolute : absolute.split(sep).join('/'),
})

export const sessionRule = (rule: WrittenRule): Rule => ({ ...rule, scope: 'session', base: null })
const personaRules = (persona: Persona | null): Rule[] =>
  (persona?.rules ?? []).map(rule => ({ ...rule, scope: 'agent', base: null }))

/** What was put together last for these files: a session asks many times before its rules change. */
const together = new WeakMap<LoadedRules, { rules: readonly WrittenRule[]; persona: Persona | null; set: RuleSet }>()

function withOwn(loaded: LoadedRules, { rules, persona }: Authority): RuleSet {
  if (rules.length === 0 && (persona?.rules.length ?? 0) === 0) return loaded.set
  const known = together.get(loaded)
  if (known && known.rules === rules && known.persona === persona) return known.set
  const set = readyRules([...loaded.rules, ...rules.map(sessionRule), ...personaRules(persona)])
  together.set(loaded, { rules, persona, set })
  return set
}
