/** Answers one sidecar's requests (`#contract/supervisor`) over its fork channel: params checked, faults as data. */
import { ResponseError } from 'vscode-jsonrpc/node'
import type { CallContext, EventName, Handlers } from '#contract/define'
import { BelayError, toFault } from '#contract/error'
import { type SupervisorContract, supervisorContract } from '#contract/supervision'
import type { Emitter } from '../base/emitter.ts'
import { rpcLink } from '../base/parent.ts'
import { connectOver } from '../transport/connection.ts'

/** What the machine around the sidecar can do. */
export type MachineHandlers = Handlers<SupervisorContract>['supervisor']

/** src-main, `belay web` and the text faces each bring one. */
export interface Machine {
  readonly handlers: MachineHandlers
  /** What the sidecar is told of unasked. */
  readonly news: Emitter<EventName<SupervisorContract>>
}

/** A channel to one process: feed it what arrives, close it when that process is gone. */
export interface MachineChannel {
  receive(message: unknown): void
  close(): void
}

export function serveMachine({ handlers, news }: Machine, send: (message: unknown) => void): MachineChannel {
  const link = rpcLink(send)
  const connection = connectOver(link)
  const quiet = news.on(name => void connection.sendNotification(name, {}).catch(() => {}))
  for (const [name, def] of Object.entries(supervisorContract.supervisor)) {
    if (def.kind !== 'request') continue
    const { params } = def
    const handle = handlers[name as keyof MachineHandlers] as (params: unknown, context: CallContext) => unknown
    connection.onRequest(`supervisor/${name}`, async (given: unknown, token) => {
      const abort = new AbortController()
      token.onCancellationRequested(() => abort.abort())
      try {
        const parsed = params.safeParse(given)
        if (!parsed.success) throw new BelayError('invalid', `supervisor/${name} was asked with wrong parameters.`)
        return await handle(parsed.data, { clientId: 'sidecar', signal: abort.signal })
      } catch (thrown) {
        const { code, message } = toFault(thrown)
        throw new ResponseError(-32000, message, { code })
      }
    })
  }
  return {
    receive: link.receive,
    close() {
      quiet()
      link.close('the process ended')
      void handlers.keepAwake({ on: false }, { clientId: 'sidecar', signal: AbortSignal.abort() })
    },
  }
}
