/** The `permission` domain: the merged list of rules, one decision explained, and the record of all. */
import { isAbsolute, resolve } from 'node:path'
import type { Handlers } from '#contract/define'
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { Explanation, permission as permissionDomain } from '#contract/permission'
import type { WrittenRule } from '#contract/session-event'
import type { Root } from '#contract/workspace'
import type { Action } from '../agent/ports.ts'
import type { Audit } from './audit.ts'
import { decide, explainParts } from './decide.ts'
import { linesOf } from './lines.ts'
import { type Around, look } from './look.ts'
import type { PermissionOptions } from './options.ts'
import { readyRules } from './rule.ts'
import type { RootPlace, RulesFiles } from './rules-file.ts'
import type { RulesWatch } from './watch-rules.ts'

export type PermissionHandlers = Handlers<{ readonly permission: typeof permissionDomain }>['permission']

export interface HandlerDeps {
  readonly options: PermissionOptions
  readonly files: RulesFiles
  readonly audit: Audit
  readonly watch: RulesWatch
  around(roots: readonly Root[]): Around
  changed(): void
  placeOf(root: Root): RootPlace
}

export function handlersOf(deps: HandlerDeps): PermissionHandlers {
  const { options, files, audit, watch, around, changed, placeOf } = deps
  const rootsOf = (workspaceId: WorkspaceId | undefined): readonly Root[] =>
    workspaceId === undefined ? [] : options.workspaceRoots(workspaceId)
  const sessionRules = async (
    sessionId: Parameters<NonNullable<PermissionOptions['sessions']>['rules']>[0] | undefined,
  ) => (sessionId === undefined || !options.sessions ? [] : options.sessions.rules(sessionId))
  const edit = async (
    { scope, workspaceId, rule }: { scope: 'user' | 'here'; workspaceId?: WorkspaceId | undefined; rule: WrittenRule },
    change: 'add' | 'remove',
  ) => {
    const roots = rootsOf(workspaceId).map(placeOf)
    if (scope === 'here' && roots.length === 0)
      throw new BelayError('invalid', 'Nothing was written: a rule for “here” needs the folder it is for.')
    const places = scope === 'user' ? [null] : change === 'add' ? roots.slice(0, 1) : roots
    for (const place of places) await files[change](place, rule)
    changed()
    return {}
  }

  return {
    async rules({ workspaceId, sessionId }) {
      const roots = rootsOf(workspaceId)
      const places = roots.map(placeOf)
      const { rules, problems } = await files.load(places)
      watch.add(files.filesOf(places))
      const own = await sessionRules(sessionId)
      const lines = await linesOf({ rules, session: own, roots: places, jailed: around(roots).jailed })
      return { rules: lines, problems: [...problems] }
    },
    addRule: written => edit(written, 'add'),
    removeRule: written => edit(written, 'remove'),
    async setSessionRules({ sessionId, rules }, { clientId }) {
      await options.sessions?.keepRules(sessionId, rules, clientId)
      changed()
      return {}
    },
    async explain({ workspaceId, sessionId, mode, tool, subject }): Promise<Explanation> {
      const roots = options.workspaceRoots(workspaceId)
      const { rules } = await files.load(roots.map(placeOf))
      const own = (await sessionRules(sessionId)).map(rule => ({ ...rule, scope: 'session' as const, base: null }))
      const set = readyRules([...rules, ...own])
      const { facts } = await look({ tool, action: actionOf(tool, subject, roots[0]?.absolute ?? '') }, around(roots))
      const { verdict, reason, rule, firm } = decide(set, facts, mode)
      const parts = explainParts(set, facts, mode).map(({ part, verdict: each }) => ({
        text: part.text,
        kind: part.kind,
        verdict: each.verdict,
        reason: each.reason,
        rule: each.rule,
      }))
      return { verdict, reason, rule, firm, parts }
    },
    audit: ({ workspaceId, limit, ...wanted }) =>
      audit.find({
        ...wanted,
        limit,
        folder: workspaceId === undefined ? undefined : options.workspaceRoots(workspaceId)[0]?.absolute,
      }),
  }
}

const writers = /^(?:edit|write|multiedit|apply_patch)$/

/** What a call of that tool would do. */
export function actionOf(tool: string, subject: string, folder: string): Action {
  if (tool === 'bash' || tool === 'bash_input')
    return { kind: 'command', command: subject, cwd: folder, background: false, exact: subject }
  if (tool === 'webfetch' || tool === 'websearch') return { kind: 'fetch', url: subject, exact: subject }
  if (tool === 'remember') return { kind: 'remember', where: '', exact: subject }
  if (tool === 'network') {
    const [, host = subject, port] = /^(.*?)(?::(\d{1,5}))?$/s.exec(subject.trim()) ?? []
    return { kind: 'network', host, port: port === undefined ? 443 : Number(port) }
  }
  const path = isAbsolute(subject) ? subject : resolve(folder, subject)
  return writers.test(tool) ? { kind: 'write', path, creates: false, exact: '' } : { kind: 'read', path }
}
