/** The machine as the desktop offers it: keys sealed by the platform, its proxies, its sleep. */
import { powerMonitor, powerSaveBlocker, safeStorage, session } from 'electron'
import type { Log } from '../../sidecar/base/log.ts'
import { createMachine, type MachineReports } from '../../sidecar/supervise/machine/machine.ts'
import { createSecrets } from '../../sidecar/supervise/machine/secrets.ts'
import type { ShellEnvironment } from '../../sidecar/supervise/machine/shell-environment.ts'
import type { Machine } from '../../sidecar/supervise/serve-machine.ts'
import { createKeychain } from './keychain.ts'
import { createPower } from './power.ts'
import { createSystemProxy } from './system-proxy.ts'

export interface DesktopMachine extends Machine, MachineReports {
  /** Lets the machine sleep again. */
  dispose(): void
}

/** After the app is ready. */
export function createDesktopMachine(options: {
  dataFolder: string
  instanceId: string
  /** Its maker's to end. */
  environment: ShellEnvironment
  log: Log
}): DesktopMachine {
  const { dataFolder: folder, instanceId, environment: shell, log } = options
  const power = createPower(powerMonitor, powerSaveBlocker, () => machine.news.emit('supervisor/resumed'))
  const machine = createMachine({
    secrets: createSecrets({ folder, instanceId, cipher: createKeychain(safeStorage) }),
    env: process.env,
    shell,
    systemProxy: createSystemProxy(session.defaultSession, log),
    keepAwake: power.keepAwake,
  })
  return { ...machine, dispose: power.dispose }
}
