/** The browser form: from `belay web`, or `npm start`, to the first paint and to a usable window in headless Chromium. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { root } from '../../scripts/install.mjs'
import { usable } from './page.mjs'

const belayWeb = [process.execPath, join(root, 'out/main/belay.js'), 'web', '--no-open', root]
const npmStart = ['npm', '--prefix', root, 'start', '--silent', '--', '--web', '--no-open', root]

/** The line with the link, and everything started ended again by `stop`. */
async function startWeb(home, [program, ...args]) {
  const began = performance.now()
  const env = { ...process.env, BELAY_HOME: home }
  const child = spawn(program, args, { env, timeout: 120_000 })
  // What npm started holds its output: it is over too.
  const ended = new Promise(resolve => child.once('close', resolve))
  const link = await new Promise((resolve, reject) => {
    child.stdout.on('data', text => {
      const found = /http:\S+/.exec(String(text))
      if (found) resolve(found[0])
    })
    child.once('exit', () => reject(new Error('belay web ended before it printed its link')))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { link, linkMs: performance.now() - began, pid: child.pid, stop }
}

/** `atRest` looks at the processes while the window is open and does nothing. */
export const webTimes = (home, atRest) => times(belayWeb, home, atRest)
/** As a person types it, with nothing to install and nothing to build. */
export const npmStartTimes = home => times(npmStart, home, () => {})

async function times(command, home, atRest) {
  const browser = await chromium.launch({
    executablePath: process.env.BELAY_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
  })
  try {
    const web = await startWeb(home, command)
    try {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      const page = await context.newPage()
      const navigated = performance.now()
      await page.goto(web.link, { waitUntil: 'commit' })
      const { paintMs } = await usable(page)
      const usableMs = performance.now() - navigated
      await atRest(web.pid, page)
      return { linkMs: web.linkMs, paintMs, usableMs, totalMs: web.linkMs + usableMs }
    } finally {
      await web.stop()
    }
  } finally {
    await browser.close()
  }
}
