/** What `belay run` and `belay stream` work in: an instance, a core and a loopback, made for one of them and ended after it. The keys are the person's own. */
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { MessageConnection } from 'vscode-jsonrpc'
import type { Calls } from '#contract/define'
import type { WorkspaceId } from '#contract/id'
import type { SupervisorContract } from '#contract/index'
import { createChildLedger, ledgerFile } from '../base/child-ledger.ts'
import { foldersOf } from '../base/folders.ts'
import { createLog } from '../base/log.ts'
import { createCore } from '../core.ts'
import type { Face, HeadlessOptions } from '../heads/headless/options.ts'
import { serve } from '../server/serve.ts'
import { openInstance } from '../supervise/instance.ts'
import { createMachine } from '../supervise/machine/machine.ts'
import { createSecrets } from '../supervise/machine/secrets.ts'
import { createShellEnvironment } from '../supervise/machine/shell-environment.ts'
import type { Machine } from '../supervise/serve-machine.ts'
import { connectOver } from '../transport/connection.ts'
import { loopback } from '../transport/loopback.ts'
import { version } from './version.ts'

export interface InCore {
  readonly connection: MessageConnection
  readonly workspaceId: WorkspaceId
  readonly introduced: { cwd: string; version: string }
}

/** Rejects like `work`, or where no core comes up. When it settles, everything that was started has ended. */
export async function withCore<T>(
  face: Face,
  options: HeadlessOptions,
  work: (core: InCore) => Promise<T>,
): Promise<T> {
  const endings: (() => Promise<unknown>)[] = []
  try {
    const log = createLog(face)
    const folders = foldersOf()
    const instance = await openInstance({ stateDir: folders.state, kind: face, version })
    endings.push(() => instance.close())
    const ledger = createChildLedger(ledgerFile(folders.state, instance.id, face))
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
      commandLine: {
        models: [options.model, options.fallbackModel].flatMap(model => model ?? []),
        bare: options.bare,
      },
    })
    endings.push(() => core.dispose())
    const cwd = resolve(options.cwd ?? '.')
    const { workspaceId } = await core.openFolder(cwd, {
      trust: options.trust,
      more: options.addDirs.map(folder => resolve(folder)),
    })
    const [near, far] = loopback()
    serve(core.service, far, { epoch, version, log })
    const connection = connectOver(near)
    endings.push(async () => connection.dispose())
    return await work({ connection, workspaceId, introduced: { cwd, version } })
  } finally {
    for (const end of endings.reverse()) await end().catch(() => {})
  }
}

/** The machine in this very process, asked as a supervisor would be. */
function askDirectly(machine: Machine): Calls<SupervisorContract>['supervisor'] {
  const own = { clientId: 'headless', signal: new AbortController().signal }
  return {
    secretGet: async params => machine.secretGet(params, own),
    secretSet: async params => machine.secretSet(params, own),
    secretDelete: async params => machine.secretDelete(params, own),
    trash: async params => machine.trash(params, own),
    shellEnvironment: async params => machine.shellEnvironment(params, own),
    notify: async params => machine.notify(params, own),
  }
}
