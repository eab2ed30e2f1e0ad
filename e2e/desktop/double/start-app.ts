/** For specs: the built desktop app on the double, its window as a Playwright page, and what a test may ask of main. */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, expect, type Page } from '@playwright/test'
import { builtDouble } from './build.ts'
import { type DoubleOptions, OPTIONS } from './options.ts'
import type { Answered, Asked } from './process/run.ts'
import type { Remote } from './remote.ts'

const root = join(import.meta.dirname, '../../..')

/** What one can ask of main, each as a promise. */
type Asking = {
  [K in keyof Remote]: (...args: Parameters<Remote[K]>) => Promise<Awaited<ReturnType<Remote[K]>>>
}

export interface DesktopApp extends Omit<Asking, 'endpoint'> {
  /** The first window. */
  readonly page: Page
  readonly home: string
  readonly exited: Promise<number | null>
  readonly pid: number
  /** Ends everything, whatever state it is in. Rejects when main did what the double refuses. */
  close(): Promise<void>
}

export interface StartOptions {
  readonly env?: Record<string, string>
  readonly double?: DoubleOptions
  /** Its own, that `close` does not remove. */
  readonly home?: string
}

export async function startApp(folder: string | null, options: StartOptions = {}): Promise<DesktopApp> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'belay-desktop-')))
  const child = fork(
    join(await builtDouble(), 'run.mjs'),
    [join(root, 'out/main/index.js'), ...(folder === null ? [] : [folder])],
    {
      cwd: root,
      env: { ...process.env, BELAY_HOME: home, ...options.env, [OPTIONS]: JSON.stringify(options.double ?? {}) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      timeout: 120_000,
      killSignal: 'SIGKILL',
    },
  )
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  const faults: string[] = []
  child.on('message', (message: Answered | { fault: string }) => {
    if ('fault' in message) faults.push(message.fault)
  })
  const asking = askingOf(child)
  const browser = await chromium.connectOverCDP(await asking.endpoint())
  const pageOf = () =>
    browser
      .contexts()[0]
      ?.pages()
      .find(each => each.url().includes('belay.app.localhost'))
  await expect.poll(pageOf, { timeout: 30_000 }).toBeTruthy()
  const own = {
    page: pageOf() as Page,
    home,
    exited,
    pid: child.pid ?? 0,
    async close() {
      await browser.close().catch(() => {})
      if (child.exitCode === null && child.signalCode === null && child.connected) child.disconnect()
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await exited
      clearTimeout(late)
      if (options.home === undefined) await rm(home, { recursive: true, force: true, maxRetries: 5 })
      expect(faults, 'what the double refused').toEqual([])
    },
  }
  return Object.assign(asking, own)
}

function askingOf(child: ChildProcess): Asking {
  let lastId = 0
  const ask = (method: keyof Remote, args: unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++lastId
      const timer = setTimeout(() => done(() => reject(new Error(`${method}: no answer`))), 30_000)
      const done = (settle: () => void) => {
        clearTimeout(timer)
        child.off('message', hear)
        child.off('exit', gone)
        settle()
      }
      const hear = (message: Answered) => {
        if (message.id !== id) return
        done(() => ('failed' in message ? reject(new Error(message.failed)) : resolve(message.value)))
      }
      const gone = () => done(() => reject(new Error(`${method}: the app ended`)))
      child.on('message', hear)
      child.once('exit', gone)
      child.send({ id, method, args } satisfies Asked)
    })
  return new Proxy({} as Asking, {
    // A promise would be asked for its `then`.
    get: (own, name) =>
      name in own || name === 'then' ? Reflect.get(own, name) : (...args: unknown[]) => ask(name as keyof Remote, args),
  })
}
