/** Opens a page, or a link, on the person's screen: a Chromium window of Belay's own where there is one, else the usual browser. */
import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BelayError } from '#contract/error'
import { findOnPath } from '../base/on-path.ts'
import type { ChildLedger, ProcessGroup } from '../base/process-group.ts'
import { spawnGroup } from '../base/process-group.ts'
import { findChromium, hasScreen } from './executables.ts'

export interface Browser {
  /** How the page is shown; `none`: there is no screen or no browser, the person opens the link. */
  open(url: string): Promise<'window' | 'browser' | 'none'>
  /** Ends windows of our own. Never rejects. */
  close(): Promise<void>
}

/** The window keeps its own profile, so that no extension of the person's reads the page and the person's browser is left alone. */
export function createBrowser(options: { cacheDir: string; env: NodeJS.ProcessEnv; ledger?: ChildLedger }): Browser {
  const { env } = options
  const windows = new Set<ProcessGroup>()
  return {
    async open(url) {
      if (!hasScreen(env)) return 'none'
      const chromium = findChromium(env)
      if (!chromium) return openPlainly(url, env) ? 'browser' : 'none'
      const profile = join(options.cacheDir, 'browser')
      await mkdir(profile, { recursive: true, mode: 0o700 })
      const asRoot = process.platform === 'linux' && process.getuid?.() === 0
      const group = spawnGroup(
        chromium,
        [
          `--app=${url}`,
          `--user-data-dir=${profile}`,
          '--no-first-run',
          '--no-default-browser-check',
          '--disable-background-networking',
          '--disable-component-update',
          ...(asRoot ? ['--no-sandbox'] : []),
        ],
        {
          cwd: dirname(profile),
          env: env as Record<string, string>,
          ...(options.ledger ? { ledger: options.ledger } : {}),
        },
      )
      group.stdout.resume()
      group.stderr.resume()
      windows.add(group)
      void group.exited.then(() => windows.delete(group))
      return 'window'
    },
    async close() {
      await Promise.all([...windows].map(each => each.end(1000)))
    },
  }
}

/** https, mailto, and http on this machine. Throws `invalid` for all else. The text that comes back is safe to hand to the system. */
export function checkedExternal(text: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new BelayError('invalid', 'That is no link that Belay opens.')
  }
  const local = url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol === 'https:' || url.protocol === 'mailto:' || local) return url.href
  throw new BelayError('invalid', `Belay opens https, mailto and http on this machine, not ${url.protocol}`)
}

/** No shell is involved. False: nothing here opens links. */
export function openPlainly(target: string, env: NodeJS.ProcessEnv): boolean {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['/usr/bin/open', target]
      : process.platform === 'win32'
        ? ['rundll32.exe', 'url.dll,FileProtocolHandler', target]
        : [findOnPath(['xdg-open', 'gio'], env) ?? '', target]
  if (!command || !hasScreen(env)) return false
  if (command.endsWith('gio')) args.unshift('open')
  const opener = spawn(command, args, { env, stdio: 'ignore', detached: true, windowsHide: true })
  opener.on('error', () => {})
  opener.unref()
  return true
}

/** Shows a file or folder in the platform's file manager; on Linux its folder. */
export function reveal(absolute: string, env: NodeJS.ProcessEnv): boolean {
  if (process.platform === 'linux') return openPlainly(dirname(absolute), env)
  const [command, args] =
    process.platform === 'darwin' ? ['/usr/bin/open', ['-R', absolute]] : ['explorer.exe', [`/select,${absolute}`]]
  const opener = spawn(command as string, args as string[], { env, stdio: 'ignore', detached: true })
  opener.on('error', () => {})
  opener.unref()
  return true
}
