/**
 * Sessions that another Belay of this profile writes, for the clients of this one: what is asked of such a session is asked of
 * that Belay, and what happens in it is told here. Promise: where that one does not answer, or ends, it is as if it were not there.
 */
import type { Client } from '#contract/client'
import type { CallContext } from '#contract/define'
import { toFault } from '#contract/error'
import type { SessionId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import { sessionTree } from '#contract/session-tree'
import type { Log } from '../base/log.ts'
import type { ClientSink, Service } from './service.ts'

/** Another core, greeted. */
export interface FarCore {
  readonly client: Client<BelayContract>
  /** The core has gone. */
  onClose(hear: () => void): void
  end(): void
}

export interface Elsewhere {
  /** The instance that writes the session, where that is another one. */
  writerElsewhere(sessionId: SessionId): Promise<string | null>
  /** `name`: of the client that asks. Rejects where that instance has no door, or is of another version. */
  reach(instanceId: string, name: string): Promise<FarCore>
  readonly log: Log
}

type Handler = (params: never, context: CallContext) => unknown
type Domain = Readonly<Record<string, Handler>>

/** Of the list, of files of the whole session, or refused while somebody writes it: answered here, whoever writes. */
const ofTheList = ['create', 'list', 'usage', 'pin', 'archive', 'seen', 'delete', 'export', ...Object.keys(sessionTree)]

export function withElsewhere(service: Service<BelayContract>, elsewhere: Elsewhere): Service<BelayContract> {
  const visitors = new Map<string, Visitor>()

  const passing =
    (domain: string, name: string, own: Handler): Handler =>
    async (params: { sessionId: SessionId }, context) => {
      const far = await visitors.get(context.clientId)?.coreOf(params.sessionId)
      if (!far) return own(params as never, context)
      // Whoever read along here before that core could be reached reads no more.
      if (name === 'close') await own(params as never, context)
      const calls = far as unknown as Record<string, Record<string, (params: object, options: object) => unknown>>
      return calls[domain]?.[name]?.(params, { signal: context.signal })
    }
  const passed = <D extends object>(domain: string, handlers: D, not: readonly string[] = []): D =>
    Object.fromEntries(
      Object.entries(handlers as Domain).map(([name, own]) => [
        name,
        not.includes(name) ? own : passing(domain, name, own),
      ]),
    ) as D

  const { session, head, permission } = service.handlers
  return {
    ...service,
    handlers: {
      ...service.handlers,
      session: passed('session', session, ofTheList),
      head: passed('head', head),
      permission: { ...permission, ...passed('permission', { setSessionRules: permission.setSessionRules }) },
    },
    attach(client) {
      const visitor = createVisitor(client, elsewhere)
      visitors.set(client.clientId, visitor)
      const detach = service.attach(client)
      return () => {
        if (visitors.get(client.clientId) === visitor) visitors.delete(client.clientId)
        visitor.leave()
        detach()
      }
    },
  }
}

interface Visitor {
  /** Null: it is written here, or by nobody that can be reached. */
  coreOf(sessionId: SessionId): Promise<Client<BelayContract> | null>
  leave(): void
}

/** One client's ways to other cores, made when it first needs them and ended with it. */
function createVisitor(client: ClientSink, { writerElsewhere, reach, log }: Elsewhere): Visitor {
  const ways = new Map<string, Promise<FarCore>>()
  let left = false

  const open = async (instanceId: string): Promise<FarCore> => {
    const far = await reach(instanceId, client.name)
    for (const name of ['session/happened', 'session/live', 'link/lagged'] as const)
      far.client.on(name, payload => client.emit(name, payload))
    far.onClose(() => {
      ways.delete(instanceId)
      // What it wrote may be written here now: opened again, it is.
      if (!left) client.emit('link/lagged', {})
    })
    if (left) far.end()
    return far
  }
  const way = (instanceId: string): Promise<FarCore> => {
    const known = ways.get(instanceId)
    if (known) return known
    const opening = open(instanceId)
    ways.set(instanceId, opening)
    opening.catch(fault => {
      ways.delete(instanceId)
      log('info', 'the core that writes a session cannot be asked', { instanceId, fault: toFault(fault).message })
    })
    return opening
  }
  return {
    async coreOf(sessionId) {
      const instanceId = await writerElsewhere(sessionId)
      if (instanceId === null || left) return null
      return way(instanceId).then(
        far => far.client,
        () => null,
      )
    },
    leave() {
      left = true
      for (const each of ways.values()) void each.then(far => far.end()).catch(() => {})
      ways.clear()
    },
  }
}
