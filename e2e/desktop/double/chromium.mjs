/** Debian's Chromium behind the double's windows: one browser, reached by its DevTools protocol, so that a test can look at the same pages. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectCdp } from './cdp.mjs'

const START_TIMEOUT_MS = 30_000
let started

/** `{ endpoint, cdp, close }`; the same one for every window. */
export function theBrowser() {
  started ??= start()
  return started
}

async function start() {
  const profile = mkdtempSync(join(tmpdir(), 'belay-double-'))
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    '--no-first-run',
    '--disable-sync',
    '--disable-gpu',
  ]
  const child = spawn(
    process.env.BELAY_CHROMIUM ?? '/usr/bin/chromium',
    [...flags, '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  const gone = new Promise(resolve => child.once('exit', resolve))
  const kill = () => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Gone already.
    }
  }
  process.once('exit', kill)
  const endpoint = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('electron double: Chromium did not start')), START_TIMEOUT_MS)
    let said = ''
    child.stderr.on('data', chunk => {
      said += chunk
      const found = /DevTools listening on (ws:\S+)/.exec(said)
      if (!found) return
      clearTimeout(timer)
      resolve(found[1])
    })
  })
  const cdp = await connectCdp(endpoint)
  return {
    endpoint,
    cdp,
    close: async () => {
      cdp.close()
      kill()
      await gone
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}
