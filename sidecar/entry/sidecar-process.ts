/** The sidecar process: brings up the core, listens, and ends with its supervisor. */
import { createClient } from '#contract/client'
import { supervisorContract } from '#contract/index'
import { createChildLedger, ledgerFile } from '../base/child-ledger.ts'
import { rpcLink } from '../base/parent.ts'
import { runSupervised } from '../base/supervised.ts'
import { createCore } from '../core.ts'
import { withElsewhere } from '../server/elsewhere.ts'
import { serve } from '../server/serve.ts'
import { connectOver } from '../transport/connection.ts'
import { listenLocal } from '../transport/local-socket.ts'
import { messagePortLink } from '../transport/message-port.ts'

runSupervised('sidecar', 'Belay’s core', async (facts, { log, parent, atEnd }) => {
  const { folders, instanceId, epoch, version, socketPath: path, token } = facts
  const ledger = createChildLedger(ledgerFile(folders.state, instanceId, 'sidecar'))
  const link = rpcLink(parent.send)
  parent.onMessage(message => link.receive(message))
  const { supervisor, on: heard } = createClient(supervisorContract, connectOver(link))
  const ticketKey = Buffer.from(facts.ticketKey, 'base64')
  const { env } = process
  const core = await createCore({
    ...{ folders, log, instanceId, epoch, version, env, supervisor, heard, ticketKey, ledger },
    startedByDesktop: !env.TERM,
  })
  atEnd(() => core.dispose(), ledger.idle)
  const options = { epoch, version, log }
  const service = withElsewhere(core.service, {
    writerElsewhere: core.writerElsewhere,
    reach: async (instance, name) => (await import('./reach-instance.ts')).reachInstance(folders.state, instance, name),
    log,
  })
  const listener = await listenLocal({ path, token, log, onLink: client => serve(service, client, options) })
  atEnd(listener.close)
  parent.onMessage((message, [port]) => {
    if ((message as { kind?: unknown }).kind === 'client' && port) serve(service, messagePortLink(port), options)
  })
  parent.send({ kind: 'ready' })
})
