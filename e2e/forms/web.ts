/** The browser form: `belay web` from the build, in the page that Playwright gives. */
import type { Page } from '@playwright/test'
import { startBelay } from '../fixtures/start.ts'
import type { Form } from './form.ts'

export function webForm(page: Page): Form {
  let isMet = false
  return {
    name: 'web',
    async start(place, folder, meet) {
      if (!isMet) await meet(page.context())
      isMet = true
      const running = await startBelay(place, folder)
      await page.goto(running.url)
      return {
        page,
        context: page.context(),
        pid: running.child.pid ?? 0,
        url: running.url,
        async another(other) {
          const second = await startBelay(place, other)
          const tab = await page.context().newPage()
          await tab.goto(second.url)
          return tab
        },
        async openFolder(shown, path) {
          await shown.keyboard.press('Control+o')
          const field = shown.getByRole('dialog').getByLabel('Path of the folder')
          await field.fill(path)
          await field.press('Enter')
        },
        async saved(shown, act) {
          const [download] = await Promise.all([shown.waitForEvent('download'), act()])
          return download.path()
        },
        output: () => running.output(),
        stop: () => running.stop(),
        async kill() {
          running.child.kill('SIGKILL')
          await running.stop()
        },
        async dispose() {
          await Promise.all(
            page
              .context()
              .pages()
              .map(each => each.close()),
          )
          await running.stop()
        },
      }
    },
  }
}
