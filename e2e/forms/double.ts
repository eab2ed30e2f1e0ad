/** The desktop form on the double of electron: the built main, its windows as pages of the Chromium behind it. */
import { chromium, expect, type Page } from '@playwright/test'
import { launchOnDouble } from '../desktop/double/launch.ts'
import type { Place } from '../fixtures/place.ts'
import { startedOn } from './desktop.ts'
import type { Form } from './form.ts'

const launch = (place: Place, folder: string | null) =>
  launchOnDouble({
    args: folder === null ? [] : [folder],
    env: { ...place.env, ...(process.env.BELAY_CHROMIUM ? { BELAY_CHROMIUM: process.env.BELAY_CHROMIUM } : {}) },
    cwd: place.root,
    double: { dark: false },
    launcher: place.launcher,
  })

export function doubleForm(dress: (page: Page) => Promise<void>): Form {
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
      const main = {
        ...launched,
        context,
        startMs: 30_000,
        isWindow: (page: Page) => page.url().includes('belay.app.localhost'),
        async startAgain(other: string) {
          const second = await launch(place, other)
          expect(await second.exited, second.output()).toBe(0)
        },
        async quits() {},
        async over() {
          await browser.close().catch(() => {})
          expect(launched.faults, 'what the double refused').toEqual([])
        },
      }
      return startedOn(main, place, dress)
    },
  }
}
