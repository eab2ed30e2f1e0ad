/** The browser form as one thing to start and to end: instance, children, gateway, the door for later starts. */
import { createChildLedger, ledgerFile } from '../base/child-ledger.ts'
import type { Folders } from '../base/folders.ts'
import { newId } from '../base/id.ts'
import type { Log } from '../base/log.ts'
import { createWebGateway, type WebGatewayOptions } from '../server/web.ts'
import { createBrowser } from '../supervise/browser.ts'
import { builtFiles } from '../supervise/built.ts'
import { listenForStarts, type OpenAnswer, type OpenRequest } from '../supervise/control.ts'
import { nodeFork } from '../supervise/fork.ts'
import { installedHandlers } from '../supervise/installed.ts'
import type { Instance } from '../supervise/instance.ts'
import { createMachine } from '../supervise/machine/machine.ts'
import { createSecrets } from '../supervise/machine/secrets.ts'
import { createShellEnvironment } from '../supervise/machine/shell-environment.ts'
import { watchSleep } from '../supervise/machine/sleep.ts'
import { reapDeadInstances } from '../supervise/reaper.ts'
import { createSupervisor } from '../supervise/supervisor.ts'
import { createWebHost } from '../supervise/web-host.ts'

export interface WebForm {
  /** A link for one window; `open` also shows it. */
  openWindow(request: OpenRequest): Promise<OpenAnswer>
  /** Where programs may ask, and where their token stands; null: nowhere. */
  readonly programs: { url: string; tokenFrom: string } | null
  /** Never rejects. */
  stop(): Promise<void>
}

/** Where it listens and how one comes in. */
export type Door = Pick<WebGatewayOptions, 'address' | 'tls' | 'password'>

/** Throws when the port or the control socket cannot be had; everything started is then ended. */
export async function startWebForm(options: {
  instance: Instance
  folders: Folders
  port: number
  door: Door
  version: string
  env: NodeJS.ProcessEnv
  /** Also answers programs: where it works when they name no workspace; undefined: it does not. */
  served?: { folder: string | null } | undefined
  log: Log
}): Promise<WebForm> {
  const { instance, folders, version, env, log } = options
  const files = builtFiles(import.meta.dirname)
  const ledger = createChildLedger(ledgerFile(folders.state, instance.id, 'supervisor'))
  const secrets = createSecrets({ folder: folders.data, instanceId: instance.id })
  const shell = createShellEnvironment({ env, fromTerminal: Boolean(env.TERM), ledger })
  const machine = createMachine({ secrets, env, shell })
  const fork = nodeFork(files.children, env)
  const supervisor = createSupervisor({ fork, folders, instance, version, log, machine })
  const browser = createBrowser({ cacheDir: folders.cache, env, ledger })
  const endSleepWatch = watchSleep(() => machine.news.emit('supervisor/resumed'))
  const endings = [
    async () => endSleepWatch(),
    () => instance.close(),
    () => ledger.idle(),
    () => browser.close(),
    () => shell.end(),
    () => supervisor.stop(),
  ]
  const stop = async () => {
    for (const end of endings.splice(0).reverse())
      await end().catch(fault => log('warn', 'ending failed', { fault: `${fault}` }))
  }
  supervisor.start()
  try {
    const openWindow = async ({ folder, open }: OpenRequest): Promise<OpenAnswer> => {
      const shown = open ? await browser.open(gateway.mintUrl(folder)).catch(() => 'none' as const) : 'none'
      return { url: gateway.mintUrl(folder), shown }
    }
    const api =
      options.served &&
      (await (
        await import('./http-api.ts')
      ).serveRuns({
        ...{ folders, env, ledger, log, folder: options.served.folder, belay: files.belay },
        sidecar: () => supervisor.target('sidecar'),
      }))
    if (api) endings.push(async () => api.close())
    const gateway = await createWebGateway({
      staticFolder: files.renderer,
      port: options.port,
      ...options.door,
      hostService: ({ folder }) =>
        createWebHost({
          supervisor,
          machine,
          installed: installedHandlers(() => shell.get()),
          folder,
          env,
          openWindow: async folder => (await openWindow({ folder, open: true })).shown,
        }),
      target: channel => supervisor.target(channel === 'pty' ? 'pty-host' : 'sidecar'),
      onTargetChanged: listener => supervisor.changed.on(listener),
      api: api?.handle,
      version,
      epoch: newId('epo'),
      log,
    })
    endings.push(() => gateway.close())
    const control = await listenForStarts({ stateDir: folders.state, instance, onOpen: openWindow, log })
    endings.push(() => control.close())
    void reapDeadInstances({ stateDir: folders.state, instanceId: instance.id, log })
    const programs = api ? { url: gateway.address, tokenFrom: api.tokenFrom } : null
    return { openWindow, programs, stop }
  } catch (fault) {
    await stop()
    throw fault
  }
}
