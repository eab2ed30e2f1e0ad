/** `belay acp`: an agent for editors that speak the Agent Client Protocol, over stdin and stdout. Nothing but protocol on stdout. */
import { Readable, Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { endSignals } from '../base/end-signals.ts'
import { createAcpAgent } from '../heads/acp/agent.ts'
import { withCore } from './headless-core.ts'
import { onInterruption } from './interruption.ts'
import { version } from './version.ts'

/** Answers the exit code when the client has closed stdin, or at a signal. */
export async function main(args: string[]): Promise<number> {
  const given = read(args)
  if ('problem' in given) {
    process.stderr.write(`belay acp: ${given.problem}\n${USAGE}\n`)
    return 1
  }
  if (given.help) {
    process.stdout.write(`${USAGE}\n\n${HELP}\n`)
    return 0
  }
  // Whatever prints would break the protocol.
  console.log = console.info = console.debug = console.error
  const interruption = onInterruption()
  const commandLine = given.model === null ? undefined : { models: [given.model], bare: false }
  return withCore('acp', commandLine, async ({ client, openFolder }) => {
    const agent = await createAcpAgent({
      ...{ client, version, model: given.model },
      openFolder: (cwd, more) => openFolder(cwd, { more }),
    })
    const output = Writable.toWeb(process.stdout) as WritableStream<Uint8Array>
    const stream = ndJsonStream(output, Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>)
    const acp = agent.app.connect(stream)
    interruption.signal.addEventListener('abort', () => acp.close(), { once: true })
    await acp.closed
    await agent.end()
    const by = interruption.by()
    return by ? endSignals[by] : 0
  })
}

const USAGE = 'Usage: belay acp [--model provider/model]'
const HELP = `An editor that speaks the Agent Client Protocol starts this itself: point its setting for agents at it.
Without --model new sessions take the model you chose in Belay.`

function read(args: string[]): { model: string | null; help: boolean } | { problem: string } {
  try {
    const { values } = parseArgs({
      args,
      options: { model: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
    const { model = null, help = false } = values
    if (model !== null && !/^[^/\s]+\/\S+$/.test(model)) return { problem: '--model is provider/model.' }
    return { model, help }
  } catch (fault) {
    return { problem: (fault as Error).message }
  }
}
