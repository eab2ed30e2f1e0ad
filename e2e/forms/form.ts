/** The forms that Belay has for a person: one set of journeys runs on each of them. */
import type { BrowserContext, Page } from '@playwright/test'
import type { Place } from '../fixtures/place.ts'

export type FormName = 'web' | 'double' | 'electron'

/** Which one this run is about. */
export const formName: FormName = nameOf(process.env.BELAY_FORM ?? 'web')

function nameOf(asked: string): FormName {
  if (asked === 'web' || asked === 'double' || asked === 'electron') return asked
  throw new Error(`BELAY_FORM is web, double or electron, not ${asked}`)
}

/** Belay as it runs in one of them. */
export interface Started {
  /** Its first window. */
  readonly page: Page
  readonly context: BrowserContext
  /** Whose end is the end of all. */
  readonly pid: number
  /** The address of the browser form; null where there is none. */
  readonly url: string | null
  /** A second start on the same home, and the window that it brings. */
  another(folder: string): Promise<Page>
  /** Opens a folder from this window, in whatever its form asks with. */
  openFolder(page: Page, path: string): Promise<void>
  /** Where the file is that `act` lets the window give out. */
  saved(page: Page, act: () => Promise<void>): Promise<string>
  output(): string
  /** As a person ends it. Resolves with the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL for the process that all hangs on. */
  kill(): Promise<void>
  /** Closes what the test has open of it, whatever state it is in. Rejects when it did what its form refuses. */
  dispose(): Promise<void>
}

export interface Form {
  readonly name: FormName
  /** `meet` is called with each context that its windows are in, once. */
  start(place: Place, folder: string | null, meet: (context: BrowserContext) => Promise<void>): Promise<Started>
}

/** The tag of a test that orders a machine as only the double has one. */
export const DOUBLE_ONLY = '@double'

/** Journeys of the browser form itself; a single test of another file has the tag instead. */
export const WEB_ONLY = '@web'
export const webOnly: Readonly<Record<string, string>> = {
  'security.spec.ts': 'links, cookies and origins of its server',
  'serve.spec.ts': 'its server without a window',
  'many-cores.spec.ts': 'several servers on one home',
}
