/** A core at the other end of a connection, greeted by name. */
import type { MessageConnection } from 'vscode-jsonrpc'
import { type Client, createClient } from '#contract/client'
import { type BelayContract, contract } from '#contract/index'
import { PROTOCOL_VERSION } from '#contract/protocol'
import { newId } from '../../base/id.ts'

export interface Reached {
  readonly client: Client<BelayContract>
  /** The core has gone. */
  onClose(hear: () => void): void
}

/** `name`: what others read of who answered. */
export async function reach(connection: MessageConnection, name: string): Promise<Reached> {
  const client = createClient(contract, connection)
  await client.link.hello({ protocol: PROTOCOL_VERSION, name, clientId: newId(name) })
  return { client, onClose: hear => void connection.onClose(hear) }
}
