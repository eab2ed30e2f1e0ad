/** Meets the agent's `Authorize` and `Remember`: looks at each action, asks the rules, and keeps what a person wants kept. */
import { sep } from 'node:path'
import type { CallId, SessionId, WorkspaceId } from '#contract/id'
import type { AnyPath } from '#contract/path'
import type { AskedCall, Mode } from '#contract/session-event'
import type { Root } from '#contract/workspace'
import type { Action, ActionRequest, Authorize, Decision, Remember } from '../agent/ports.ts'
import type { Folders } from '../base/folders.ts'
import type { Log } from '../base/log.ts'
import { decide, type Facts, type Verdict } from './decide.ts'
import { look } from './look.ts'
import { lineOf, literal } from './rule.ts'
import { createRulesFiles } from './rules-file.ts'

/** Asks that nobody answers are forgotten, oldest first, beyond this many. */
const MAX_ASKED = 1000

export interface Permission {
  readonly authorize: Authorize
  /** Keeps what is for "here": the rule as it is written, or null when none was. Throws when it cannot be written. */
  readonly remember: Remember
}

export function createPermission(options: {
  folders: Folders
  log: Log
  /** Throws for an unknown workspace. */
  workspaceRoots(workspaceId: WorkspaceId): readonly Root[]
  dirtyPaths(workspaceId: WorkspaceId): readonly AnyPath[]
}): Permission {
  const { folders } = options
  const files = createRulesFiles(folders, options.log)
  const own = [folders.config, folders.data, folders.state, folders.cache]
  const asked = new Map<string, Facts>()
  const keyOf = (sessionId: SessionId, callId: CallId): string => `${sessionId} ${callId}`

  const keep = (key: string, facts: Facts): void => {
    asked.set(key, facts)
    for (const oldest of asked.keys()) {
      if (asked.size <= MAX_ASKED) break
      asked.delete(oldest)
    }
  }

  const authorize: Authorize = async (requests, { sessionId, workspaceId, mode }) => {
    const roots = options.workspaceRoots(workspaceId)
    const rules = await files.load(roots.map(placeOf))
    return Promise.all(
      requests.map(async request => {
        const facts = await look(request, roots, own)
        const verdict = decide(rules, facts, mode)
        if (verdict.verdict === 'ask') keep(keyOf(sessionId, request.callId), facts)
        const dirty = request.action.kind === 'command' ? options.dirtyPaths(workspaceId) : []
        return decisionOf(request, facts, verdict, mode, dirty)
      }),
    )
  }

  const remember: Remember = async (answer, call, { sessionId, workspaceId }) => {
    const key = keyOf(sessionId, call.callId)
    const facts = asked.get(key)
    asked.delete(key)
    if (answer.remember !== 'here' || !call.remember.includes('here') || !facts) return null
    const place = narrowest(facts)
    if (!place) return null
    const verdict = answer.verdict === 'allow' ? ('allow' as const) : ('deny' as const)
    const written = { tool: 'edit', verdict, pattern: literal(place.path), priority: 0 }
    const root = options
      .workspaceRoots(workspaceId)
      .map(placeOf)
      .find(({ slashed }) => slashed === place.root)
    if (!root) return null
    await files.addHere(root, written)
    return { line: lineOf({ ...written, scope: 'here' }), rule: null }
  }

  return { authorize, remember }
}

const placeOf = ({ absolute }: Root): { absolute: string; slashed: string } => ({
  absolute,
  slashed: sep === '/' ? absolute : absolute.split(sep).join('/'),
})

/** The innermost root: a rule is kept where the person would look for it. */
const narrowest = ({ inRoots }: Facts): Facts['inRoots'][number] | undefined =>
  [...inRoots].sort((a, b) => b.root.length - a.root.length)[0]

function decisionOf(
  request: ActionRequest,
  facts: Facts,
  verdict: Verdict,
  mode: Mode,
  dirty: readonly AnyPath[],
): Decision {
  const { reason, rule, firm } = verdict
  if (verdict.verdict !== 'ask') return { verdict: verdict.verdict, rule, reason }
  const { callId, tool, action } = request
  const call: AskedCall = {
    callId,
    tool,
    kind: kinds[action.kind],
    exact: exactOf(action),
    where: whereOf(action, facts),
    reason,
    rule,
    remember: rememberable(action, facts, verdict, mode),
    dirty: dirty.flatMap(path => ('rootId' in path ? [path] : [])),
  }
  return { verdict: 'ask', call, firm }
}

/** "For this session" is the mode that lets edits run: offered where that mode would be the answer to this very ask. */
function rememberable(action: Action, facts: Facts, { rule, firm }: Verdict, mode: Mode): AskedCall['remember'] {
  if (action.kind !== 'write' || firm || !narrowest(facts)) return []
  return mode === 'default' && rule === null ? ['session', 'here'] : ['here']
}

const kinds = {
  none: 'other',
  ask: 'other',
  read: 'read',
  write: 'edit',
  command: 'command',
  fetch: 'fetch',
  network: 'network',
} as const

function exactOf(action: Action): string {
  if (action.kind === 'network') return `${action.host}:${action.port}`
  if (action.kind === 'read') return action.path
  return 'exact' in action ? action.exact : ''
}

const whereOf = (action: Action, { absolute }: Facts): string =>
  action.kind === 'command' ? action.cwd : (absolute ?? '')
