/** The desktop form on a real Electron. */
import { expect, type Page } from '@playwright/test'
import { launchOnElectron } from '../desktop/electron/launch.ts'
import type { Place } from '../fixtures/place.ts'
import { startedOn } from './desktop.ts'
import type { Form } from './form.ts'

const launch = (place: Place, folder: string | null) =>
  launchOnElectron({ args: folder === null ? [] : [folder], env: place.env, cwd: place.root })

export function electronForm(dress: (page: Page) => Promise<void>): Form {
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
      let refused: readonly string[] = []
      const main = {
        ...{ child, asking, exited },
        context: app.context(),
        startMs: 60_000,
        isWindow: (page: Page) => page.url().startsWith('app://'),
        output: () => output,
        // Playwright waits for a window that a second start never has: its end is what counts.
        startAgain: (other: string) =>
          launch(place, other).then(
            () => {},
            () => {},
          ),
        // Nobody can be asked afterwards.
        async quits() {
          refused = await faults()
        },
        async over() {
          expect(refused, 'what the hook refused').toEqual([])
        },
      }
      return startedOn(main, place, dress)
    },
  }
}
