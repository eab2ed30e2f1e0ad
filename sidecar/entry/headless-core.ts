/** What a text face works in: an instance, a core and a loopback, made for it and ended after it. The keys are the person's own. */
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { Calls } from '#contract/define'
import type { SupervisorContract } from '#contract/index'
import { createChildLedger, ledgerFile } from '../base/child-ledger.ts'
import { foldersOf } from '../base/folders.ts'
import { createLog } from '../base/log.ts'
import { setAsideInWords, setAsides } from '../base/set-aside.ts'
import { type Core, type CoreOptions, createCore } from '../core.ts'
import type { Opening } from '../heads/headless/conversation.ts'
import type { Face, HeadlessOptions } from '../heads/headless/options.ts'
import { type Reached, reach } from '../heads/headless/reach.ts'
import { serve } from '../server/serve.ts'
import { openInstance } from '../supervise/instance.ts'
import { createMachine } from '../supervise/machine/machine.ts'
import { createSecrets } from '../supervise/machine/secrets.ts'
import { createShellEnvironment } from '../supervise/machine/shell-environment.ts'
import { openProfile } from '../supervise/profile/open-profile.ts'
import type { Machine } from '../supervise/serve-machine.ts'
import { connectOver } from '../transport/connection.ts'
import { loopback } from '../transport/loopback.ts'
import { withRunning } from './attach.ts'
import { openFaceDoor } from './face-door.ts'
import { version } from './version.ts'

export interface InCore extends Reached {
  /** Trusted for this process in what Belay ships. Throws in words. */
  readonly openFolder: Core['openFolder']
}
export type TextFace = Face | 'acp'

/** Rejects like `work`, or where no core comes up. When it settles, everything that was started has ended. */
export async function withCore<T>(
  face: TextFace,
  commandLine: CoreOptions['commandLine'],
  work: (core: InCore) => Promise<T>,
): Promise<T> {
  const endings: (() => Promise<unknown>)[] = []
  try {
    const log = createLog(face)
    endings.push(sayUnreadable(face))
    const folders = foldersOf()
    await openProfile(folders, version)
    const instance = await openInstance({ stateDir: folders.state, kind: face, version })
    endings.push(() => instance.close())
    const ledger = createChildLedger(ledgerFile(folders.state, instance.id, face))
    endings.push(() => ledger.idle())
    const secrets = createSecrets({ folder: folders.data, instanceId: instance.id })
    const shell = createShellEnvironment({ env: process.env, fromTerminal: true, ledger })
    endings.push(() => shell.end())
    const epoch = randomBytes(8).toString('hex')
    // Closed when the core has let go of its sessions: whoever looked in may then write them.
    let door: ReturnType<typeof openFaceDoor> | null = null
    endings.push(async () => (await door)?.close())
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
      ...(commandLine ? { commandLine } : {}),
    })
    endings.push(() => core.dispose())
    const serving = { epoch, version, log }
    const [near, far] = loopback()
    serve(core.service, far, serving)
    door = openFaceDoor(instance, folders, core.service, serving)
    const connection = connectOver(near)
    endings.push(async () => connection.dispose())
    return await work({ ...(await reach(connection, face)), openFolder: core.openFolder })
  } finally {
    for (const end of endings.reverse()) await end().catch(() => {})
  }
}

/** The same for one session of one folder, as a command line names them: in a core of its own, or (`--attach`) in one that runs. */
export async function withFolder<T>(
  face: Face,
  options: HeadlessOptions,
  work: (opening: Omit<Opening, 'options'> & { introduced: { cwd: string; version: string } }) => Promise<T>,
): Promise<T> {
  const introduced = { cwd: resolve(options.cwd ?? '.'), version }
  if (options.attach !== null)
    return withRunning(face, options.attach, introduced.cwd, opening => work({ ...opening, introduced }))
  const models = [options.model, options.fallbackModel].flatMap(model => model ?? [])
  return withCore(face, { models, bare: options.bare }, async ({ openFolder, ...reached }) => {
    const more = options.addDirs.map(folder => resolve(folder))
    const { workspaceId } = await openFolder(introduced.cwd, { trust: options.trust, more })
    return work({ ...reached, workspaceId, introduced })
  })
}

/** On stderr: at once, or in a terminal that is being drawn on when that is over. */
function sayUnreadable(face: TextFace): () => Promise<void> {
  const held: string[] = []
  const say = (words: string) => void process.stderr.write(`belay: ${words}\n`)
  const end = setAsides.on(found =>
    face === 'terminal' ? held.push(setAsideInWords(found)) : say(setAsideInWords(found)),
  )
  return async () => {
    end()
    held.forEach(say)
  }
}

/** The machine in this very process, asked as a supervisor would be. */
function askDirectly({ handlers }: Machine): Calls<SupervisorContract>['supervisor'] {
  const own = { clientId: 'headless', signal: new AbortController().signal }
  return {
    secretGet: async params => handlers.secretGet(params, own),
    secretSet: async params => handlers.secretSet(params, own),
    secretDelete: async params => handlers.secretDelete(params, own),
    trash: async params => handlers.trash(params, own),
    shellEnvironment: async params => handlers.shellEnvironment(params, own),
    proxyFor: async params => handlers.proxyFor(params, own),
    keepAwake: async params => handlers.keepAwake(params, own),
  }
}
