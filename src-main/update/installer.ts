/** Fetches what a feed names and puts it in the place of the running Belay: electron-updater's part, with our own reads of the network. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import {
  AppImageUpdater,
  type AppUpdater,
  BaseUpdater,
  DebUpdater,
  MacUpdater,
  NsisUpdater,
  type ResolvedUpdateFileInfo,
} from 'electron-updater'
import type { Log } from '../../sidecar/base/log.ts'
import { type Fetch, fetchFile } from './bounded-fetch.ts'
import { failed } from './failure.ts'
import type { Feed, FeedSource } from './feed.ts'
import type { Installed } from './installed-as.ts'

const IDLE_MS = 30_000
const SYSTEM_INSTALL_MS = 120_000

export interface InstallerOptions {
  readonly source: FeedSource
  readonly fetch: Fetch
  readonly version: string
  readonly cacheDir: string
  readonly log: Log
  readonly idleMs?: number
  quit(): void
}

export interface Installer {
  /** Rejects with a reason; then nothing of it is left. */
  fetch(feed: Feed, signal: AbortSignal, progress: (doneBytes: number, bytes: number) => void): Promise<void>
  /**
   * Looks at the fetched file once more and puts it in place; the new Belay starts, and the caller ends this one at once. On
   * macOS the system's own updater does both, and this never resolves. Rejects with a reason where nothing was replaced.
   */
  install(): Promise<void>
}

export function createInstaller(kind: Installed, options: InstallerOptions): Installer {
  const updater = updaterOf(kind, options)
  let ready: { file: string; sha512: string } | null = null
  let job: { feed: Feed; signal: AbortSignal; progress(doneBytes: number, bytes: number): void } | null = null
  let fault: unknown = null
  updater.on('error', thrown => {
    fault = thrown
  })
  const resolveFiles = (feed: Feed): ResolvedUpdateFileInfo[] =>
    feed.files.map(info => ({ url: new URL(encodeURIComponent(info.url), options.source.url), info }))
  const httpExecutor = {
    async download(url: URL, target: string): Promise<string> {
      const wanted = job && resolveFiles(job.feed).find(each => each.url.href === url.href)?.info
      if (!job || !wanted?.size) throw failed('malformed', url.pathname)
      const { progress, signal } = job
      const bytes = wanted.size
      await fetchFile(options.fetch, url.href, {
        target,
        wanted: { bytes, sha512: wanted.sha512 },
        idleMs: options.idleMs ?? IDLE_MS,
        signal,
        progress: doneBytes => progress(doneBytes, bytes),
      })
      return target
    },
  }
  return {
    async fetch(feed, signal, progress) {
      job = { feed, signal, progress }
      ready = null
      // What a check of its own would set: the feed has been read and judged here, by its signature.
      const provider = { resolveFiles, fileExtraDownloadHeaders: {}, isUseMultipleRangeRequest: false }
      Object.assign(updater, { httpExecutor, updateInfoAndProvider: { info: feed, provider } })
      try {
        const [file] = await updater.downloadUpdate()
        const info = feed.files.find(each => file?.endsWith(each.url))
        if (!file || !info) throw failed('damaged')
        ready = { file, sha512: info.sha512 }
      } finally {
        job = null
      }
    },
    async install() {
      if (!ready) throw failed('notInstalled')
      if ((await hashOf(ready.file)) !== ready.sha512) {
        await rm(ready.file, { force: true })
        ready = null
        throw failed('damaged')
      }
      fault = null
      if (updater instanceof BaseUpdater) {
        if (!updater.install(false, true)) throw fault ?? failed('notInstalled')
        return
      }
      await new Promise((_resolve, reject) => {
        const late = () => reject(failed('notInstalled'))
        setTimeout(late, SYSTEM_INSTALL_MS).unref()
        updater.once('error', reject)
        updater.quitAndInstall()
      })
    },
  }
}

function updaterOf(kind: Installed, { version, cacheDir, source, log, quit }: InstallerOptions): AppUpdater {
  const app = {
    version,
    name: 'belay',
    isPackaged: true,
    appUpdateConfigPath: '',
    userDataPath: cacheDir,
    baseCachePath: cacheDir,
    whenReady: async () => {},
    relaunch: () => {},
    quit,
    onQuit: () => {},
  }
  const made =
    kind === 'appimage'
      ? new AppImageUpdater(undefined, app)
      : kind === 'deb'
        ? new DebUpdater(undefined, app)
        : kind === 'mac'
          ? new MacUpdater(undefined, app)
          : new NsisUpdater(undefined, app)
  made.autoDownload = false
  made.autoInstallOnAppQuit = false
  made.allowDowngrade = false
  made.disableDifferentialDownload = true
  made.disableWebInstaller = true
  made.logger = {
    info: message => log('info', 'updater', { said: String(message) }),
    warn: message => log('warn', 'updater', { said: String(message) }),
    error: message => log('warn', 'updater', { said: String(message) }),
  }
  // In place of app-update.yml: where files wait, and whose name Windows must find on an installer.
  Object.assign(made, {
    configOnDisk: { value: Promise.resolve({ updaterCacheDirName: 'update', publisherName: source.publisher }) },
  })
  return made
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash).catch(() => {
    throw failed('damaged')
  })
  return hash.digest('base64')
}
