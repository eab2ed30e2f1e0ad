/** The pty host process: owns every terminal, listens, and ends them all with its supervisor. */
import { createChildLedger, ledgerFile } from '../base/child-ledger.ts'
import { createLog } from '../base/log.ts'
import { findParent, type Parent, type StartMessage } from '../base/parent.ts'
import { serve } from '../server/serve.ts'
import { createTerminals } from '../terminal/index.ts'
import { listenLocal } from '../transport/local-socket.ts'
import { messagePortLink } from '../transport/message-port.ts'

const DISPOSE_TIMEOUT_MS = 2500
const log = createLog('pty-host')
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

async function start(facts: StartMessage, parent: Parent): Promise<void> {
  const ledger = createChildLedger(ledgerFile(facts.folders.state, facts.instanceId, 'pty-host'))
  const ticketKey = Buffer.from(facts.ticketKey, 'base64')
  const terminals = createTerminals({ ledger, log, ticketKey, version: facts.version })
  endings.push(ledger.idle, terminals.dispose)
  const options = { epoch: facts.epoch, version: facts.version, log }
  const { socketPath: path, token } = facts
  const listener = await listenLocal({ path, token, log, onLink: link => serve(terminals, link, options) })
  endings.push(listener.close)
  parent.onMessage((message, [port]) => {
    if ((message as { kind?: unknown }).kind === 'client' && port) serve(terminals, messagePortLink(port), options)
  })
  parent.send({ kind: 'ready' })
}

const parent = findParent()
if (parent) {
  parent.onMessage(message => {
    if ((message as { kind?: unknown }).kind !== 'start') return
    void start(message as StartMessage, parent).catch(fault => {
      process.stderr.write(`The terminals could not start: ${fault instanceof Error ? fault.stack : String(fault)}\n`)
      process.exit(1)
    })
  })
  parent.onClose(() => void end())
  process.on('SIGTERM', () => void end())
} else {
  process.stderr.write('This is Belay’s host for terminals; it is started by “belay web” or the desktop app.\n')
  process.exitCode = 1
}
