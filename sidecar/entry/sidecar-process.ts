/** The sidecar process: waits for its start message, brings up the core, listens, and ends with its supervisor. */
import { createClient } from '#contract/client'
import { supervisorContract } from '#contract/index'
import { createChildLedger, ledgerFile } from '../base/child-ledger.ts'
import { createLog } from '../base/log.ts'
import { findParent, type Parent, rpcLink, type StartMessage } from '../base/parent.ts'
import { createCore } from '../core.ts'
import { serve } from '../server/serve.ts'
import { connectOver } from '../transport/connection.ts'
import { listenLocal } from '../transport/local-socket.ts'
import { messagePortLink } from '../transport/message-port.ts'

const DISPOSE_TIMEOUT_MS = 2500
const log = createLog('sidecar')
const endings: (() => Promise<void>)[] = []
let ending = false

async function end(): Promise<void> {
  if (ending) return
  ending = true
  setTimeout(() => process.exit(1), DISPOSE_TIMEOUT_MS).unref()
  for (const each of endings.reverse())
    await each().catch(fault => log('error', 'ending failed', { fault: `${fault}` }))
  process.exit(0)
}

async function start(facts: StartMessage, parent: Parent, supervisorLink: ReturnType<typeof rpcLink>): Promise<void> {
  const { folders, instanceId, epoch, version } = facts
  const ledger = createChildLedger(ledgerFile(folders.state, instanceId, 'sidecar'))
  const { supervisor } = createClient(supervisorContract, connectOver(supervisorLink))
  const ticketKey = Buffer.from(facts.ticketKey, 'base64')
  const core = await createCore({
    folders,
    log,
    instanceId,
    epoch,
    version,
    env: process.env,
    supervisor,
    ticketKey,
    ledger,
  })
  endings.push(() => core.dispose(), ledger.idle)
  const options = { epoch, version, log }
  const listener = await listenLocal({
    path: facts.socketPath,
    token: facts.token,
    log,
    onLink: link => serve(core.service, link, options),
  })
  endings.push(listener.close)
  parent.onMessage((message, [port]) => {
    if ((message as { kind?: unknown }).kind === 'client' && port) serve(core.service, messagePortLink(port), options)
  })
  parent.send({ kind: 'ready' })
}

const parent = findParent()
if (parent) {
  const link = rpcLink(parent.send)
  parent.onMessage(message => {
    if ((message as { kind?: unknown }).kind !== 'start') return link.receive(message)
    void start(message as StartMessage, parent, link).catch(fault => {
      process.stderr.write(`The core could not start: ${fault instanceof Error ? fault.stack : String(fault)}\n`)
      process.exit(1)
    })
  })
  parent.onClose(() => void end())
  process.on('SIGTERM', () => void end())
} else {
  process.stderr.write('This is Belay’s core; it is started by “belay web” or the desktop app.\n')
  process.exitCode = 1
}
