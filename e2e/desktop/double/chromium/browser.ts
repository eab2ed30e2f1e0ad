/** Debian's Chromium behind the double's windows, its profile in the app's own, so that it is the same after a restart. It dies with us. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { withoutHiddenPages } from '../../../chromium-features.ts'
import { app } from '../modules/app.ts'
import { atEnd } from '../process/lifetime.ts'
import { type Cdp, connectCdp } from './cdp.ts'
import { serverPort } from './scheme-server.ts'

const START_TIMEOUT_MS = 30_000
const CLOSE_MS = 3000
const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-gpu',
  '--no-first-run',
  withoutHiddenPages,
  // Electron's ports tell when the other end is closed.
  '--enable-blink-features=MessagePortCloseEvent',
  // Chromium ends when our end of the pipe is closed, however that came about; the port is the test's.
  '--remote-debugging-pipe',
  '--remote-debugging-port=0',
]

export interface Browser {
  /** Where a test may look at the pages. */
  readonly endpoint: string
  readonly cdp: Cdp
}

let started: Promise<Browser> | undefined

/** The same one for every window. */
export function theBrowser(): Promise<Browser> {
  started ??= start()
  return started
}

async function start(): Promise<Browser> {
  const own = [
    // A name of its own for each scheme, the same at every start: what a page stored is found again.
    `--host-resolver-rules=MAP *.localhost 127.0.0.1:${await serverPort()}`,
    `--user-data-dir=${join(app.getPath('userData'), 'Chromium')}`,
  ]
  const until = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const child = spawn(process.env.BELAY_CHROMIUM ?? '/usr/bin/chromium', [...flags, ...own, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    })
    const gone = once(child, 'exit')
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    const cdp = connectCdp(child.stdio[3] as Writable, child.stdio[4] as Readable)
    const endpoint = await endpointOf(child, until)
    if (endpoint === null) {
      // The one of a main process that was killed has the profile for another moment.
      process.off('exit', kill)
      if (Date.now() > until) throw new Error('electron double: Chromium did not start')
      continue
    }
    atEnd(async () => {
      const late = setTimeout(kill, CLOSE_MS)
      await cdp.send('Browser.close').catch(() => {})
      await gone
      clearTimeout(late)
    })
    return { endpoint, cdp }
  }
}

/** Null: it ended at once. */
function endpointOf(child: ChildProcess, until: number): Promise<string | null> {
  return new Promise(resolve => {
    const timer = setTimeout(() => child.kill('SIGKILL'), Math.max(0, until - Date.now()))
    let said = ''
    child.once('exit', () => {
      clearTimeout(timer)
      resolve(null)
    })
    child.stderr?.on('data', chunk => {
      said += chunk
      const [, found] = /DevTools listening on (ws:\S+)/.exec(said) ?? []
      if (!found) return
      clearTimeout(timer)
      resolve(found)
    })
  })
}
