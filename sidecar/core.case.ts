/** A whole core below one folder, and windows of it over a loopback: for tests of what no room does alone. */
import { join } from 'node:path'
import { type Client, createClient } from '#contract/client'
import { type BelayContract, contract } from '#contract/index'
import { PROTOCOL_VERSION } from '#contract/protocol'
import { foldersOf } from './base/folders.ts'
import { type Core, createCore } from './core.ts'
import { serve } from './server/serve.ts'
import { connectOver } from './transport/connection.ts'
import { loopback } from './transport/loopback.ts'

const log = () => {}

/** Belay's own folders are in `belay` of `home`; the person's home is `person`. No key, no supervisor, no ledger. */
export const startCore = (
  home: string,
  person = home,
  env: Record<string, string> = {},
  instanceId = 'ins_test',
): Promise<Core> =>
  createCore({
    folders: foldersOf({ BELAY_HOME: join(home, 'belay') }),
    log,
    instanceId,
    epoch: 'epoch',
    version: '0',
    env: { PATH: process.env.PATH, HOME: person, ...env },
    supervisor: null,
    ticketKey: new Uint8Array(32),
    ledger: { add: () => {}, remove: () => {} },
  })

/** A window that has said hello. */
export async function openWindow({ service }: Core): Promise<Client<BelayContract>> {
  const [near, far] = loopback()
  serve(service, far, { epoch: 'epoch', version: '0', log })
  const client = createClient(contract, connectOver(near))
  await client.link.hello({ protocol: PROTOCOL_VERSION, name: 'window', clientId: 'window' })
  return client
}
