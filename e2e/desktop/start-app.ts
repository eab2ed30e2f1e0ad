/** For specs of the shell: the built desktop app, its window as a Playwright page, and what a test may ask of main; on the double, or on a real Electron. */
import { expect, type Page } from '@playwright/test'
import { formName } from '../forms/form.ts'
import type { Asking } from './double/asking.ts'
import type { DoubleOptions } from './double/options.ts'
import { startApp as startOnDouble } from './double/start-app.ts'
import { startOnElectron } from './electron/start-app.ts'

export interface DesktopApp extends Omit<Asking, 'endpoint'> {
  /** The first window. */
  readonly page: Page
  readonly home: string
  readonly exited: Promise<number | null>
  readonly pid: number
  /** Of any window, also one whose page crashed: what saw it crash has no more use for it. */
  pageOf(windowId: number): Promise<Page>
  /** Ends everything, whatever state it is in. Rejects when main did what is refused, as an unprepared dialog is. */
  close(): Promise<void>
}

export interface StartOptions {
  readonly env?: Record<string, string>
  /** A machine set up like that is the double's alone: such a test has the tag `DOUBLE_ONLY`. */
  readonly double?: DoubleOptions
  /** Its own, that `close` does not remove. */
  readonly home?: string
}

export const startApp = (folder: string | null, options: StartOptions = {}): Promise<DesktopApp> =>
  formName === 'electron' ? startOnElectron(folder, options) : startOnDouble(folder, options)

/** As a person ends it, all of it. */
export async function quit(desktop: DesktopApp): Promise<void> {
  await desktop.quit()
  expect(await desktop.exited).toBe(0)
  await desktop.close()
}
