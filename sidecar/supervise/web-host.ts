/** `#contract/host` for one window of the browser form: what a page cannot do itself, done by the process on the same machine. */
import { isAbsolute } from 'node:path'
import type { Handlers } from '#contract/define'
import { BelayError } from '#contract/error'
import { type HostContract, hostContract } from '#contract/supervision'
import { checkedExternal, openPlainly, reveal } from './browser.ts'
import { commonHandlers, tellCommon } from './common-host.ts'
import { hasScreen } from './executables.ts'
import type { InstalledHandlers } from './installed.ts'
import type { MachineReports } from './machine/machine.ts'
import { noUpdates } from './no-updates.ts'
import type { Supervisor } from './supervisor.ts'

interface Listener {
  emit(name: string, payload: unknown): void
}

export interface WebHost {
  readonly contract: HostContract
  readonly handlers: Handlers<HostContract>
  attach(client: Listener): () => void
}

/** Made for each window. `folder` is that of its link. */
export function createWebHost(options: {
  supervisor: Supervisor
  folder: () => string | null
  openWindow: (folder: string | null) => Promise<'window' | 'browser' | 'none'>
  machine: MachineReports
  installed: InstalledHandlers
  env: NodeJS.ProcessEnv
}): WebHost {
  const { supervisor, machine, env } = options
  const done = {}
  const handlers: Handlers<HostContract>['host'] = {
    capabilities: () => ({
      kind: 'web',
      platform: process.platform as 'linux' | 'darwin' | 'win32',
      nativeDialogs: false,
      reveal: hasScreen(env),
      windowControls: false,
    }),
    initialFolder: () => ({ folder: options.folder() }),
    pickFolders: () => ({ folders: [] }),
    pickFiles: () => ({ files: [] }),
    pickSaveFile: () => ({ file: null }),
    saveText: () => ({ path: null }),
    openExternal: ({ url }) => {
      const checked = checkedExternal(url)
      if (!openPlainly(checked, env))
        throw new BelayError('unavailable', `Nothing here opens links. It leads to ${checked}`)
      return done
    },
    reveal: ({ absolute }) => {
      if (!isAbsolute(absolute)) throw new BelayError('invalid', 'Only a full path can be shown.')
      if (!reveal(absolute, env)) throw new BelayError('unavailable', 'No file manager was found on this machine.')
      return done
    },
    newWindow: async ({ folder }) => {
      if ((await options.openWindow(folder)) !== 'none') return done
      throw new BelayError('unavailable', 'No browser was found to open a window in. `npm start` prints a fresh link.')
    },
    // The page sets its own title and shows its own notices; a browser has no menu of ours.
    focusWindow: () => ({ focused: false }),
    closeWindow: () => ({ closed: false }),
    toggleFullScreen: () => ({ done: false }),
    setShown: () => done,
    setLook: () => done,
    setMenu: () => done,
    showMenu: () => done,
    takeOpenings: () => ({ openings: [] }),
    waiting: () => done,
    clearRecent: () => done,
    quit: () => done,
    ...commonHandlers(supervisor, machine),
    ...options.installed,
  }
  return {
    contract: hostContract,
    handlers: { host: handlers, update: noUpdates },
    attach: client => tellCommon(supervisor, machine, (name, payload) => client.emit(name, payload)),
  }
}
