/** Answers one sidecar's requests (`#contract/supervisor`) over its fork channel: params checked, faults as data. */
import { ResponseError } from 'vscode-jsonrpc/node'
import type { CallContext, Handlers } from '#contract/define'
import { BelayError, toFault } from '#contract/error'
import { type SupervisorContract, supervisorContract } from '#contract/supervision'
import { rpcLink } from '../base/parent.ts'
import { connectOver } from '../transport/connection.ts'

/** What the machine around the sidecar can do; src-main and `belay web` each bring one. */
export type Machine = Handlers<SupervisorContract>['supervisor']

/** A channel to one process: feed it what arrives, close it when that process is gone. */
export interface MachineChannel {
  receive(message: unknown): void
  close(): void
}

export function serveMachine(machine: Machine, send: (message: unknown) => void): MachineChannel {
  const link = rpcLink(send)
  const connection = connectOver(link)
  for (const [name, { params }] of Object.entries(supervisorContract.supervisor)) {
    const handle = machine[name as keyof Machine] as (params: unknown, context: CallContext) => unknown
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
    close: () => link.close('the process ended'),
  }
}
