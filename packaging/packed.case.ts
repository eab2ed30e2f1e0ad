/** Belay, packed for Linux around an Electron that is not one: twice at once, offline, in folders and environments that differ. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFakeElectron } from './fake-electron.case.ts'

export interface Packed {
  /** The app as it is installed, below a folder with a space in its name. */
  readonly app: string
  readonly archive: string
  /** Packed a second time, elsewhere: without `leftOut`, since it lies beside the archive and takes long, unless all is wanted. */
  readonly again: { readonly archive: string; readonly leftOut: string | null }
  readonly appImage: { readonly desktop: string; readonly desktopFileName: string }
  readonly deb: {
    readonly files: readonly string[]
    readonly desktop: string
    readonly depends: readonly string[]
    readonly recommends: readonly string[]
    readonly afterInstall: string
    readonly afterRemove: string
  }
  /** What was asked of the network. */
  readonly asked: readonly string[]
  remove(): void
}

const root = join(import.meta.dirname, '..')
const TIMEOUT_MS = 240_000

export async function pack(): Promise<Packed> {
  const base = mkdtempSync(join(tmpdir(), 'belay-packed-'))
  // Where one thing fails, what else runs is ended before its folder goes.
  const failed = new AbortController()
  const running: Promise<string>[] = []
  const run = (argv: readonly string[], env: NodeJS.ProcessEnv) => {
    const ended = started(argv, env, failed.signal)
    running.push(ended)
    return ended
  }
  const asked: string[] = []
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(502).end()
  })
  proxy.on('connect', ({ url }, socket) => {
    asked.push(url ?? '')
    socket.destroy()
  })
  const electron = join(base, 'electron')
  const once = async (name: string, env: Record<string, string>, without: string | null = null) => {
    const output = join(base, name)
    const through = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const said = await run([join(import.meta.dirname, 'pack.case.mjs'), electron, output, without ?? ''], {
      PATH: process.env.PATH,
      HOME: join(base, `home of ${name}`),
      XDG_CACHE_HOME: join(base, `cache of ${name}`),
      ...{ http_proxy: through, https_proxy: through, HTTP_PROXY: through, HTTPS_PROXY: through, no_proxy: '' },
      ...env,
    })
    const app = join(output, 'linux-unpacked')
    return { app, archive: join(app, 'resources/app.asar'), told: JSON.parse(said.trim().split('\n').at(-1) ?? '') }
  }
  const leftOut = process.env.BELAY_DEEP ? null : 'pyright/dist/typeshed-fallback'
  try {
    await run([join(root, 'scripts/build.mjs')], process.env)
    mkdirSync(electron)
    writeFakeElectron(electron)
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
    const [first, second] = await Promise.all([
      once('in one folder', { TZ: 'UTC', LANG: 'C' }),
      once('and-another', { TZ: 'Asia/Shanghai', LANG: 'zh_CN.UTF-8' }, leftOut),
    ])
    const { told, ...place } = first
    const again = { archive: second.archive, leftOut }
    return { ...place, ...told, again, asked, remove: () => remove(base) }
  } catch (fault) {
    failed.abort()
    await Promise.allSettled(running)
    remove(base)
    throw fault
  } finally {
    proxy.close()
  }
}

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })

/** Resolves with what it said, when it has ended well. */
function started(argv: readonly string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
  const child = spawn(process.execPath, argv, { cwd: root, env, stdio: 'pipe', timeout: TIMEOUT_MS, signal })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (said += text))
  return new Promise((resolve, reject) => {
    child.on('error', fault => (said += String(fault)))
    child.on('close', code => (code === 0 ? resolve(said) : reject(new Error(said.slice(-4000)))))
  })
}
