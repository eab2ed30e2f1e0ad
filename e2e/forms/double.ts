/** The desktop form on the double of electron: the built main, its windows as pages of the Chromium behind it. */
import { chromium, expect, type Page } from '@playwright/test'
import { type Launched, launchOnDouble } from '../desktop/double/launch.ts'
import type { Place } from '../fixtures/place.ts'
import type { Form } from './form.ts'
import { inSystemDialogs } from './system-dialogs.ts'

const START_MS = 30_000
const STOP_MS = 15_000
const isWindow = (page: Page) => page.url().includes('belay.app.localhost')

/** `dress` makes a page as the run's options want it. */
export function doubleForm(dress: (page: Page) => Promise<void>): Form {
  const launch = (place: Place, folder: string | null): Promise<Launched> =>
    launchOnDouble({
      args: folder === null ? [] : [folder],
      env: { ...place.env, ...(process.env.BELAY_CHROMIUM ? { BELAY_CHROMIUM: process.env.BELAY_CHROMIUM } : {}) },
      cwd: place.root,
      double: { dark: false },
      launcher: place.launcher,
    })
  return {
    name: 'double',
    async start(place, folder, meet) {
      const launched = await launch(place, folder)
      const fail = (fault: unknown) => {
        throw new Error(`Belay did not open a window: ${fault}\n${launched.output()}`)
      }
      const browser = await launched.asking
        .endpoint()
        .then(each => chromium.connectOverCDP(each))
        .catch(fail)
      const [context] = browser.contexts()
      if (!context) throw new Error('Chromium has no context')
      await meet(context)
      const windows = () => context.pages().filter(isWindow)
      const window = async (at: number): Promise<Page> => {
        await expect.poll(() => windows()[at], { timeout: START_MS, message: 'a window' }).toBeTruthy()
        const page = windows()[at] as Page
        await dress(page)
        return page
      }
      const stop = async () => {
        const { child, exited, asking } = launched
        const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
        if (child.connected) {
          // Asked whether what runs may be stopped, the person says yes.
          await asking.answer('showMessageBox', { response: 0 }).catch(() => {})
          await asking.quit().catch(() => {})
        }
        const code = await exited
        clearTimeout(late)
        return code
      }
      return {
        page: await window(0),
        context,
        pid: launched.child.pid ?? 0,
        url: null,
        async another(other) {
          const before = windows().length
          const second = await launch(place, other)
          expect(await second.exited, second.output()).toBe(0)
          return window(before)
        },
        ...inSystemDialogs(launched.asking, place),
        output: () => launched.output(),
        stop,
        async kill() {
          await launched.kill()
          await browser.close().catch(() => {})
        },
        async dispose() {
          await stop()
          await browser.close().catch(() => {})
          expect(launched.faults, 'what the double refused').toEqual([])
        },
      }
    },
  }
}
