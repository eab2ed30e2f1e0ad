/** `startApp` on a real Electron. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { DesktopApp, StartOptions } from '../start-app.ts'
import { launchOnElectron } from './launch.ts'

const START_MS = 60_000

export async function startOnElectron(folder: string | null, options: StartOptions): Promise<DesktopApp> {
  if (Object.keys(options.double ?? {}).length > 0) {
    throw new Error('Only the double has a machine to order: give this test the tag DOUBLE_ONLY.')
  }
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'belay-desktop-')))
  const { env } = process
  const { app, asking, exited, faults } = await launchOnElectron({
    args: folder === null ? [] : [folder],
    env: { ...(env as Record<string, string>), BELAY_HOME: home, ...options.env },
    cwd: process.cwd(),
  })
  const windows = () => app.windows().filter(page => page.url().startsWith('app://'))
  await expect.poll(() => windows().length, { timeout: START_MS }).toBeGreaterThan(0)
  const child = app.process()
  const own = {
    page: windows()[0] as Page,
    home,
    exited,
    pid: child.pid ?? 0,
    async pageOf(windowId: number) {
      const find = async () => {
        for (const page of windows()) {
          const window = await app.browserWindow(page)
          if ((await window.evaluate(({ id }: Electron.BrowserWindow) => id)) === windowId) return page
        }
        return null
      }
      await expect.poll(find, { timeout: START_MS }).toBeTruthy()
      return (await find()) as Page
    },
    async close() {
      const isRunning = child.exitCode === null && child.signalCode === null
      const refused = isRunning ? await faults().catch(() => []) : []
      if (isRunning) child.kill('SIGKILL')
      await exited
      if (options.home === undefined) await rm(home, { recursive: true, force: true, maxRetries: 5 })
      expect(refused, 'what was refused').toEqual([])
    },
  }
  return Object.assign(asking, own)
}
