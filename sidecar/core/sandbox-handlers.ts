/** What a client may ask of the jail: the folders are the jail's answer, the hosts are the rules'. */
import type { BelayHandlers } from '#contract/index'
import type { Permission } from '../permission/permission.ts'
import type { Jail } from '../sandbox/jail.ts'
import type { Workspaces } from '../workspace/service.ts'

export const sandboxHandlers = (
  jail: Jail,
  permission: Pick<Permission, 'handlers'>,
  workspaces: Pick<Workspaces, 'get'>,
): BelayHandlers['sandbox'] => ({
  status: () => jail.status(),
  async policy({ workspaceId, sessionId }, call) {
    const held = await jail.policy(workspaces.get(workspaceId).info.roots, sessionId)
    const { rules } = await permission.handlers.rules({ workspaceId, sessionId }, call)
    const hosts = rules.filter(rule => rule.tool === 'network' && rule.inert === null)
    const of = (verdict: string) => hosts.flatMap(rule => (rule.verdict === verdict ? (rule.pattern ?? '*') : []))
    return { ...held, hosts: { allow: of('allow'), deny: of('deny') } }
  },
})
