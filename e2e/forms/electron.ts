/** The desktop form on a real Electron. */
import { expect, type Page } from '@playwright/test'
import { launchOnElectron } from '../desktop/electron/launch.ts'
import type { Place } from '../fixtures/place.ts'
import type { Form } from './form.ts'
import { inSystemDialogs } from './system-dialogs.ts'

const START_MS = 60_000
const STOP_MS = 15_000
const isWindow = (page: Page) => page.url().startsWith('app://')

/** `dress` makes a page as the run's options want it. */
export function electronForm(dress: (page: Page) => Promise<void>): Form {
  const launch = (place: Place, folder: string | null) =>
    launchOnElectron({ args: folder === null ? [] : [folder], env: place.env, cwd: place.root })
  return {
    name: 'electron',
    async start(place, folder, meet) {
      const { app, asking, exited, faults } = await launch(place, folder)
      const child = app.process()
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', chunk => {
          output += chunk
        })
      await meet(app.context())
      const windows = () => app.windows().filter(isWindow)
      const window = async (at: number): Promise<Page> => {
        await expect.poll(() => windows()[at], { timeout: START_MS, message: 'a window' }).toBeTruthy()
        const page = windows()[at] as Page
        await dress(page)
        return page
      }
      const isOver = () => child.exitCode !== null || child.signalCode !== null
      const stop = async () => {
        const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
        if (!isOver()) {
          expect(await faults(), 'what the hook refused').toEqual([])
          // Asked whether what runs may be stopped, the person says yes.
          await asking.answer('showMessageBox', { response: 0 })
          await asking.quit().catch(() => {})
        }
        const code = await exited
        clearTimeout(late)
        return code
      }
      return {
        page: await window(0),
        context: app.context(),
        pid: child.pid ?? 0,
        url: null,
        async another(other) {
          const before = windows().length
          // Playwright waits for a window that a second start never has: its end is what counts.
          await launch(place, other).catch(() => {})
          return window(before)
        },
        ...inSystemDialogs(asking, place),
        output: () => output,
        stop,
        async kill() {
          child.kill('SIGKILL')
          await exited
        },
        async dispose() {
          await stop()
        },
      }
    },
  }
}
