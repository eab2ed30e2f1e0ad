/** What a client may ask of the jail: the folders are the jail's answer, the hosts are the rules', what was set aside is a person's. */
import { sep } from 'node:path'
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { BelayHandlers } from '#contract/index'
import type { SetAside } from '#contract/sandbox'
import { protectedPart } from '../base/protected-places.ts'
import type { Permission } from '../permission/permission.ts'
import type { Jail } from '../sandbox/jail.ts'
import type { Workspaces } from '../workspace/service.ts'

export function sandboxHandlers(
  jail: Jail,
  permission: Pick<Permission, 'handlers' | 'record'>,
  workspaces: Pick<Workspaces, 'get'>,
): BelayHandlers['sandbox'] {
  const waiting = (workspaceId: WorkspaceId): SetAside[] =>
    jail.asides.list().filter(each => each.workspaceId === workspaceId)

  const find = (workspaceId: WorkspaceId, id: string): SetAside => {
    const found = waiting(workspaceId).find(each => each.id === id)
    if (found) return found
    throw new BelayError('not_found', 'Nothing was done: it was put back or thrown away already.')
  }

  const record = (workspaceId: WorkspaceId, aside: SetAside, verdict: 'allow' | 'deny'): void => {
    const { sessionId, callId, path, mode, agent } = aside
    const persona = agent === null ? null : { name: agent, body: '', rules: [], depth: 1 }
    permission.record({
      request: { callId, tool: 'bash', action: { kind: 'write', path, creates: true, exact: '' } },
      authority: { sessionId, workspaceId, mode, rules: [], persona },
      kind: 'answer',
      verdict,
      by: 'person',
      rule: `protected: ${protectedPart(path) ?? ''}`,
      reason:
        verdict === 'allow'
          ? 'It came to be while a command ran, was set aside, and was put back.'
          : 'It came to be while a command ran, was set aside, and was thrown away.',
    })
  }

  return {
    status: () => jail.status(),
    async policy({ workspaceId, sessionId }, call) {
      const held = await jail.policy(workspaces.get(workspaceId).info.roots, sessionId)
      const { rules } = await permission.handlers.rules({ workspaceId, sessionId }, call)
      const hosts = rules.filter(rule => rule.tool === 'network' && rule.inert === null)
      const of = (verdict: string) => hosts.flatMap(rule => (rule.verdict === verdict ? (rule.pattern ?? '*') : []))
      return { ...held, hosts: { allow: of('allow'), deny: of('deny') } }
    },
    setAside: ({ workspaceId }) => ({ places: waiting(workspaceId) }),
    putBack({ workspaceId, id }) {
      const aside = find(workspaceId, id)
      const { roots } = workspaces.get(workspaceId).info
      const closed = roots.find(({ absolute, readOnly }) => readOnly && aside.path.startsWith(absolute + sep))
      if (closed) throw new BelayError('read_only', `${closed.absolute} is read-only by now. Nothing was put back.`)
      jail.asides.putBack(id)
      // What runs now and looked before it was there is not to take it away again.
      jail.expect(aside.path)
      record(workspaceId, aside, 'allow')
      return {}
    },
    throwAway({ workspaceId, id }) {
      const aside = find(workspaceId, id)
      jail.asides.throwAway(id)
      record(workspaceId, aside, 'deny')
      return {}
    },
  }
}
