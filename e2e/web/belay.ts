/** A person's Belay for one test: fresh home, fresh hono, a real process, a real page. Fails on what the page complains of and on anything left running. */
import { test as base, expect, type Page } from '@playwright/test'
import { createPlace, type Place } from '../fixtures/place.ts'
import { childrenOf, type Process, processesOf } from '../fixtures/processes.ts'
import { type Running, startBelay } from '../fixtures/start.ts'

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
  readonly page: Page
  running(): Running
  /** Another window on the same core, by a second `belay web`. */
  secondWindow(folder?: string): Promise<Page>
  /** Ends Belay as Ctrl-C does, starts it again on the same home, and opens the page anew. */
  restart(): Promise<void>
  /** SIGKILL for the process that `belay web` is; then as `restart`. */
  crash(): Promise<void>
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

export const test = base.extend<{ setup: Setup; place: Place; belay: Belay }>({
  setup: [{}, { option: true }],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  place: async ({}, use) => {
    const place = await createPlace()
    await use(place)
    await place.dispose()
  },

  belay: async ({ place, page, context, setup }, use) => {
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
    context.on('page', each => watch(each, complain))
    watch(page, complain)
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', event =>
        console.error(`CSP ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
      )
    })
    let running = await startBelay(place, opens(place))
    try {
      await page.goto(running.url)
      await use({
        place,
        page,
        folder: place.folder,
        running: () => running,
        async secondWindow(folder = place.folder) {
          const second = await startBelay(place, folder)
          const other = await context.newPage()
          await other.goto(second.url)
          return other
        },
        async restart() {
          // While nothing listens the page tries again and again.
          tolerated.push(connectionLost)
          await running.stop()
          running = await startBelay(place, opens(place))
          await page.goto(running.url)
        },
        async crash() {
          tolerated.push(connectionLost)
          running.child.kill('SIGKILL')
          await running.stop()
          running = await startBelay(place, opens(place))
          await page.goto(running.url)
        },
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
      await Promise.all(context.pages().map(each => each.close()))
      await running.stop()
    }
    // What was killed may be a moment in going, on a busy machine.
    const left = () => processesOf(place.root)
    try {
      await expect.poll(left, { message: 'processes left behind', timeout: 2000 }).toEqual([])
    } finally {
      for (const { pid } of left()) end(pid)
    }
    expect(complaints, `what the page complained of; Belay said:\n${running.output()}`).toEqual([])
  },
})

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has just gone by itself.
  }
}

function watch(page: Page, complain: (text: string) => void): void {
  page.on('pageerror', error => complain(`page error: ${error.message}`))
  page.on('console', message => {
    if (message.type() === 'error') complain(`console: ${message.text()}`)
  })
  page.on('dialog', dialog => {
    // Reloading with unsaved text may ask; a script's own dialog must not come up.
    if (dialog.type() !== 'beforeunload') complain(`dialog: ${dialog.message()}`)
    void dialog.accept().catch(() => {})
  })
  page.on('request', request => {
    const { protocol, hostname } = new URL(request.url())
    if (/^(https?|wss?|ftp):$/.test(protocol) && hostname !== '127.0.0.1' && hostname !== 'localhost')
      complain(`foreign request: ${request.url()}`)
  })
}
