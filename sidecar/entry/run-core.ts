/** What `belay run` runs in: an instance, a core and a loopback, made for one turn and ended after it. The keys are the person's own. */
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { Calls } from '#contract/define'
import { toFault } from '#contract/error'
import type { SupervisorContract } from '#contract/index'
import { createChildLedger, ledgerFile } from '../base/child-ledger.ts'
import { foldersOf } from '../base/folders.ts'
import { createLog } from '../base/log.ts'
import { createCore } from '../core.ts'
import type { RunArguments } from '../heads/run/arguments.ts'
import { type RunResult, run } from '../heads/run/run.ts'
import { serve } from '../server/serve.ts'
import { openInstance } from '../supervise/instance.ts'
import { createMachine } from '../supervise/machine/machine.ts'
import { createSecrets } from '../supervise/machine/secrets.ts'
import { createShellEnvironment } from '../supervise/machine/shell-environment.ts'
import type { Machine } from '../supervise/serve-machine.ts'
import { connectOver } from '../transport/connection.ts'
import { loopback } from '../transport/loopback.ts'

export interface CoreRun {
  given: RunArguments
  prompt: string
  /** What comes on stdin beside the prompt. */
  context: Promise<string>
  version: string
  signal: AbortSignal
}

/** Never rejects. When it answers, everything the turn started has ended. */
export async function runInCore({ given, prompt, context, version, signal }: CoreRun): Promise<RunResult> {
  const endings: (() => Promise<unknown>)[] = []
  try {
    const log = createLog('run')
    const folders = foldersOf()
    const instance = await openInstance({ stateDir: folders.state, kind: 'run', version })
    endings.push(() => instance.close())
    const ledger = createChildLedger(ledgerFile(folders.state, instance.id, 'run'))
    endings.push(() => ledger.idle())
    const secrets = createSecrets({ folder: folders.data, instanceId: instance.id })
    const shell = createShellEnvironment({ env: process.env, fromTerminal: true, ledger })
    endings.push(() => shell.end())
    const epoch = randomBytes(8).toString('hex')
    const core = await createCore({
      folders,
      log,
      instanceId: instance.id,
      epoch,
      version,
      env: process.env,
      supervisor: askDirectly(createMachine({ secrets, env: process.env, shell })),
      ticketKey: randomBytes(32),
      ledger,
      commandLine: { model: given.model ?? null },
    })
    endings.push(() => core.dispose())
    const { workspaceId } = await core.openFolder(resolve(given.cwd ?? '.'), { trust: given.trust })
    const [near, far] = loopback()
    serve(core.service, far, { epoch, version, log })
    const connection = connectOver(near)
    endings.push(async () => connection.dispose())
    return await run({ connection, workspaceId, arguments: given, prompt, context: await context, signal })
  } catch (thrown) {
    return { ...nothing, error: toFault(thrown) }
  } finally {
    for (const end of endings.reverse()) await end().catch(() => {})
  }
}

/** The machine in this very process, asked as a supervisor would be. */
function askDirectly(machine: Machine): Calls<SupervisorContract>['supervisor'] {
  const own = { clientId: 'run', signal: new AbortController().signal }
  return {
    secretGet: async params => machine.secretGet(params, own),
    secretSet: async params => machine.secretSet(params, own),
    secretDelete: async params => machine.secretDelete(params, own),
    trash: async params => machine.trash(params, own),
    shellEnvironment: async params => machine.shellEnvironment(params, own),
    notify: async params => machine.notify(params, own),
  }
}

const nothing: RunResult = {
  text: '',
  sessionId: '',
  outcome: 'error',
  error: null,
  usage: null,
  cost: null,
  durationMs: 0,
  denied: [],
}
