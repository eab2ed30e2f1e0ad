/** What the desktop form is for a person on whatever runs its main: windows that are pages, and an end that may be asked about. */
import type { ChildProcess } from 'node:child_process'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import type { Asking } from '../desktop/double/asking.ts'
import type { Place } from '../fixtures/place.ts'
import type { Started } from './form.ts'
import { inSystemDialogs } from './system-dialogs.ts'

const STOP_MS = 15_000

export interface DesktopMain {
  readonly child: ChildProcess
  readonly asking: Asking
  readonly exited: Promise<number | null>
  readonly context: BrowserContext
  readonly startMs: number
  isWindow(page: Page): boolean
  output(): string
  /** A second start, which hands its folder over and ends. */
  startAgain(folder: string): Promise<void>
  /** Before it is asked to quit. */
  quits(): Promise<void>
  /** After its end: closes what the test has open of it. Rejects when it did what is refused. */
  over(): Promise<void>
}

/** `dress` makes a page as the run's options want it. */
export async function startedOn(
  main: DesktopMain,
  place: Place,
  dress: (page: Page) => Promise<void>,
): Promise<Started> {
  const { child, asking, exited, context } = main
  const windows = () => context.pages().filter(main.isWindow)
  const window = async (at: number): Promise<Page> => {
    await expect.poll(() => windows()[at], { timeout: main.startMs, message: 'a window' }).toBeTruthy()
    const page = windows()[at] as Page
    await dress(page)
    return page
  }
  const stop = async () => {
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    if (child.exitCode === null && child.signalCode === null) {
      await main.quits()
      // Asked whether what runs may be stopped, the person says yes. It may be about to end by itself.
      await asking.answer('showMessageBox', { response: 0 }).catch(() => {})
      await asking.quit().catch(() => {})
    }
    const code = await exited
    clearTimeout(late)
    await main.over()
    return code
  }
  return {
    page: await window(0),
    context,
    pid: child.pid ?? 0,
    url: null,
    async another(folder) {
      const before = windows().length
      await main.startAgain(folder)
      return window(before)
    },
    ...inSystemDialogs(asking, place),
    output: main.output,
    stop,
    async kill() {
      child.kill('SIGKILL')
      await exited
      await main.over()
    },
    dispose: async () => void (await stop()),
  }
}
