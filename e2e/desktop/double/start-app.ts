/** `startApp` on the double. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, expect, type Page } from '@playwright/test'
import { repository } from '../../fixtures/place.ts'
import type { DesktopApp, StartOptions } from '../start-app.ts'
import { launchOnDouble } from './launch.ts'

export interface DoubleApp extends DesktopApp {
  /** How it asked to be started again, growing. */
  readonly relaunched: readonly Electron.RelaunchOptions[]
}

export async function startApp(folder: string | null, options: StartOptions = {}): Promise<DoubleApp> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'belay-desktop-')))
  const { child, asking, exited, faults, relaunched, end } = await launchOnDouble({
    args: folder === null ? [] : [folder],
    env: { ...process.env, BELAY_HOME: home, ...options.env },
    cwd: repository,
    double: options.double,
  })
  child.stdout?.pipe(process.stdout, { end: false })
  child.stderr?.pipe(process.stderr, { end: false })
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
    relaunched,
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
      await end()
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
