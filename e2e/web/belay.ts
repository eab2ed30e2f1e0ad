/** A person's Belay for one test: fresh home, fresh hono, a real process, a real page. Fails on what the page complains of and on anything left running. */
import {
  type BrowserContext,
  test as base,
  expect,
  type Page,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
} from '@playwright/test'
import { createPlace, type Place } from '../fixtures/place.ts'
import { childrenOf, endProcess, type Process, processesOf } from '../fixtures/processes.ts'
import { doubleForm } from '../forms/double.ts'
import { electronForm } from '../forms/electron.ts'
import { type Form, type FormName, formName } from '../forms/form.ts'
import { webForm } from '../forms/web.ts'

export { expect } from '@playwright/test'

/** How it is set up before Belay starts. */
export interface Setup {
  /** The test model: prompts made by `script()` drive it. Without it the built-in guide answers. */
  readonly scripted?: boolean
  /** Yes unless said otherwise. */
  readonly trusted?: boolean
  /** hono as a git repository with one commit. */
  readonly git?: boolean
  readonly settings?: Record<string, unknown>
  readonly prepare?: (place: Place) => Promise<void> | void
  /** What is given on the command line: hono unless said otherwise; null: nothing. */
  readonly opens?: (place: Place) => string | null
}

export interface Belay {
  readonly place: Place
  /** hono. */
  readonly folder: string
  /** The one that there is now. */
  readonly page: Page
  readonly form: FormName
  /** The process on which all hangs. */
  pid(): number
  /** Of the browser form; throws on another. */
  url(): string
  /** Another window on the same core, by a second start. */
  secondWindow(folder?: string): Promise<Page>
  openFolder(path: string): Promise<void>
  /** Where the file is that `act` lets the window give out. */
  saved(act: () => Promise<void>): Promise<string>
  /** Ends Belay as a person does and starts it again on the same home. The page from now on: on the desktop it is another one. */
  restart(): Promise<Page>
  /** SIGKILL for the process on which all hangs; then as `restart`. */
  crash(): Promise<Page>
  /** SIGKILL, as the kernel would, or another signal. */
  kill(child: 'sidecar' | 'pty-host', signal?: NodeJS.Signals): void
  processes(): Process[]
  /** Console errors that this test provokes. */
  tolerate(pattern: RegExp): void
  /** What the page complained of so far. */
  complaints(): readonly string[]
}

/** Code that a page was about to fetch is part of it. */
const connectionLost =
  /WebSocket connection to|net::ERR_CONNECTION_REFUSED|net::ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically imported module/

type Given = PlaywrightTestArgs & PlaywrightTestOptions

/** Playwright gives a page only to who asks for one: the desktop brings its own. */
const forms = {
  web: async ({ page }: Given, use: (form: Form) => Promise<void>) => use(webForm(page)),
  double: async ({ viewport, colorScheme, contextOptions }: Given, use: (form: Form) => Promise<void>) =>
    use(doubleForm(dressAs({ viewport, colorScheme, contextOptions }))),
  electron: async ({ viewport, colorScheme, contextOptions }: Given, use: (form: Form) => Promise<void>) =>
    use(electronForm(dressAs({ viewport, colorScheme, contextOptions }))),
}

export const test = base.extend<{ setup: Setup; place: Place; form: Form; belay: Belay }>({
  setup: [{}, { option: true }],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  place: async ({}, use) => {
    const place = await createPlace()
    await use(place)
    await place.dispose()
  },

  form: forms[formName],

  belay: async ({ place, form, setup }, use) => {
    const { scripted, trusted = true, git, settings, prepare, opens = () => place.folder } = setup
    await place.writeSettings({ ...(scripted ? { 'agent.model': 'scripted/default' } : {}), ...settings })
    if (trusted) await place.trust(place.folder)
    if (git) {
      place.git('init', '--quiet', '--initial-branch=main')
      place.git('add', '--all')
      place.git('commit', '--quiet', '--message=hono as npm has it')
    }
    await prepare?.(place)
    const tolerated: RegExp[] = []
    const complaints: string[] = []
    const complain = (text: string) => {
      if (!tolerated.some(pattern => pattern.test(text))) complaints.push(text)
    }
    const start = () => form.start(place, opens(place), context => meet(context, complain))
    let started = await start()
    const again = async (end: () => Promise<unknown>) => {
      // While nothing listens the page tries again and again.
      tolerated.push(connectionLost)
      await end()
      started = await start()
      return started.page
    }
    try {
      await use({
        place,
        form: form.name,
        get page() {
          return started.page
        },
        folder: place.folder,
        pid: () => started.pid,
        url() {
          if (started.url === null)
            throw new Error(`${form.name} has no address: this journey is of the browser form alone`)
          return started.url
        },
        secondWindow: (folder = place.folder) => started.another(folder),
        openFolder: path => started.openFolder(started.page, path),
        saved: act => started.saved(started.page, act),
        restart: () => again(started.stop),
        crash: () => again(started.kill),
        kill(child, signal = 'SIGKILL') {
          tolerated.push(connectionLost)
          const found = childrenOf(place.root, child)
          expect(found, `one ${child}`).toHaveLength(1)
          for (const { pid } of found) process.kill(pid, signal)
        },
        processes: () => processesOf(place.root),
        tolerate: pattern => void tolerated.push(pattern),
        complaints: () => complaints,
      })
    } finally {
      tolerated.push(connectionLost)
      await started.dispose()
    }
    // What was killed may be a moment in going, on a busy machine.
    const left = () => processesOf(place.root)
    try {
      await expect.poll(left, { message: 'processes left behind', timeout: 2000 }).toEqual([])
    } finally {
      for (const { pid } of left()) endProcess(pid)
    }
    expect(complaints, `what the page complained of; Belay said:\n${started.output()}`).toEqual([])
  },
})

/** Before its pages are loaded, where that can be. */
async function meet(context: BrowserContext, complain: (text: string) => void): Promise<void> {
  for (const page of context.pages()) watch(page, complain)
  context.on('page', page => watch(page, complain))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', event =>
      console.error(`CSP ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    )
  })
}

function watch(page: Page, complain: (text: string) => void): void {
  page.on('pageerror', error => complain(`page error: ${error.message}`))
  page.on('console', message => {
    if (message.type() === 'error') complain(`console: ${message.text()}`)
  })
  page.on('dialog', dialog => {
    // Reloading with unsaved text may ask; a script's own dialog must not come up.
    if (dialog.type() !== 'beforeunload') complain(`dialog: ${dialog.message()}`)
    // On the desktop it is for main to answer.
    if (dialog.type() !== 'beforeunload' || formName === 'web') void dialog.accept().catch(() => {})
  })
  page.on('request', request => {
    const { protocol, hostname } = new URL(request.url())
    if (/^(https?|wss?|ftp):$/.test(protocol) && !ownHosts.includes(hostname))
      complain(`foreign request: ${request.url()}`)
  })
}

/** The last one is `app://belay` on the double of electron. */
const ownHosts = ['127.0.0.1', 'localhost', 'belay.app.localhost']

/** What the run's options say of a page, where Playwright did not make it. */
const dressAs =
  ({ viewport, colorScheme, contextOptions }: Pick<Given, 'viewport' | 'colorScheme' | 'contextOptions'>) =>
  async (page: Page): Promise<void> => {
    if (viewport) await page.setViewportSize(viewport)
    const { reducedMotion, forcedColors } = contextOptions
    await page.emulateMedia({ colorScheme, reducedMotion, forcedColors })
  }
