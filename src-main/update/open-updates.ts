/** The updater of this app: its feed, its own session on the network, its way of being installed. Loads nothing until it is used. */
import { app, dialog, session } from 'electron'
import type { Folders } from '../../sidecar/base/folders.ts'
import type { Log } from '../../sidecar/base/log.ts'
import { readMainSettings } from '../settings.ts'
import { say } from '../words.ts'
import { installedAs } from './installed-as.ts'
import { feedSource } from './source.ts'
import { createUpdates, type Updates } from './updates.ts'

export function openUpdates(options: {
  folders: Folders
  version: string
  log: Log
  /** Asks the person and ends all that runs before `last`; the app ends after it. */
  quitAnd(last: () => Promise<void>): void
}): Updates {
  const { folders, version, log } = options
  const { platform, arch, env, resourcesPath } = process
  const source = feedSource(app.isPackaged, env)
  const kind = installedAs(platform, env, resourcesPath)
  // No cookies, no cache, and none of the pages' rules: nothing of it is left on disk.
  const fetch = (url: string, init: RequestInit) =>
    session.fromPartition('belay-update', { cache: false }).fetch(url, init)
  return createUpdates({
    source,
    fetch,
    allowed: () => readMainSettings(folders.config).updateCheck,
    version,
    platform,
    arch,
    stateDir: folders.state,
    installer:
      source && kind
        ? async () => {
            const { createInstaller } = await import('./installer.ts')
            return createInstaller(kind, {
              source,
              fetch,
              version,
              log,
              cacheDir: folders.cache,
              quit: () => app.quit(),
            })
          }
        : null,
    quitAnd: options.quitAnd,
    tellNotInstalled: () => dialog.showErrorBox(say('update.notInstalled'), say('update.kept')),
  })
}
