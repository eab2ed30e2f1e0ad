/** The pty host process: owns every terminal, listens, and ends them all with its supervisor. */
import { createChildLedger, ledgerFile } from '../base/child-ledger.ts'
import { runSupervised } from '../base/supervised.ts'
import { serve } from '../server/serve.ts'
import { createTerminals } from '../terminal/index.ts'
import { listenLocal } from '../transport/local-socket.ts'
import { messagePortLink } from '../transport/message-port.ts'

runSupervised('pty-host', 'Belay’s host for terminals', async (facts, { log, parent, atEnd }) => {
  const ledger = createChildLedger(ledgerFile(facts.folders.state, facts.instanceId, 'pty-host'))
  const ticketKey = Buffer.from(facts.ticketKey, 'base64')
  const terminals = createTerminals({ ledger, log, ticketKey, version: facts.version })
  atEnd(ledger.idle, terminals.dispose)
  const options = { epoch: facts.epoch, version: facts.version, log }
  const { socketPath: path, token } = facts
  const listener = await listenLocal({ path, token, log, onLink: link => serve(terminals, link, options) })
  atEnd(listener.close)
  parent.onMessage((message, [port]) => {
    if ((message as { kind?: unknown }).kind === 'client' && port) serve(terminals, messagePortLink(port), options)
  })
  parent.send({ kind: 'ready' })
})
