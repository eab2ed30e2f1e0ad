/** For specs: the built desktop app on the double, its window as a Playwright page, and what a test may ask of main. */
import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, expect, type Page } from '@playwright/test'
import { type Asking, askingOf, faultsOf } from './asking.ts'
import { builtDouble } from './build.ts'
import { type DoubleOptions, OPTIONS } from './options.ts'

const root = join(import.meta.dirname, '../../..')

export interface DesktopApp extends Omit<Asking, 'endpoint'> {
  /** The first window. */
  readonly page: Page
  readonly home: string
  readonly exited: Promise<number | null>
  readonly pid: number
  /** Of any window, also one whose page crashed: what saw it crash has no more use for it. */
  pageOf(windowId: number): Promise<Page>
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
  const faults = faultsOf(child)
  const asking = askingOf(child)
  const endpoint = await asking.endpoint()
  const browser = await chromium.connectOverCDP(endpoint)
  const others: Browser[] = []
  const pageOf = () =>
    browser
      .contexts()[0]
      ?.pages()
      .find(each => each.url().includes('belay.app.localhost'))
  await expect.poll(pageOf, { timeout: 30_000 }).toBeTruthy()
  const connect = async () => {
    const fresh = await chromium.connectOverCDP(endpoint)
    others.push(fresh)
    return fresh
  }
  const targetOf = async (windowId: number) => (await asking.windows()).find(({ id }) => id === windowId)?.target
  const own = {
    page: pageOf() as Page,
    home,
    exited,
    pid: child.pid ?? 0,
    async pageOf(windowId: number) {
      const found: Page[] = []
      const look = async () => {
        found.push(...(await pagesIn(await connect(), await targetOf(windowId))))
        return found.length
      }
      // A page that has just crashed is seen by nobody until another document is there.
      await expect.poll(look, { timeout: 30_000 }).toBeGreaterThan(0)
      return found[0] as Page
    },
    async close() {
      for (const each of [browser, ...others]) await each.close().catch(() => {})
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

async function pagesIn(browser: Browser, target: string | undefined): Promise<Page[]> {
  const pages = browser.contexts()[0]?.pages() ?? []
  const targets = await Promise.all(
    pages.map(async page => {
      const session = await page.context().newCDPSession(page)
      const { targetInfo } = await session.send('Target.getTargetInfo')
      await session.detach()
      return targetInfo.targetId
    }),
  )
  return pages.filter((_page, at) => targets[at] === target)
}
