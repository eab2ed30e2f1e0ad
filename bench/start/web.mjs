/** The browser form: from `belay web` to the first paint and to a usable window in headless Chromium. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { root } from '../../scripts/install.mjs'
import { usable } from './page.mjs'

/** The line with the link, and everything started ended again by `stop`. */
async function startWeb(home) {
  const began = performance.now()
  const env = { ...process.env, BELAY_HOME: home }
  const child = spawn(process.execPath, [join(root, 'out/main/belay.js'), 'web', '--no-open', root], {
    env,
    timeout: 120_000,
  })
  const ended = new Promise(resolve => child.once('exit', resolve))
  const link = await new Promise((resolve, reject) => {
    child.stdout.on('data', text => resolve(/http:\S+/.exec(String(text))?.[0]))
    child.once('exit', () => reject(new Error('belay web ended before it printed its link')))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { link, linkMs: performance.now() - began, pid: child.pid, stop }
}

/** `atRest` looks at the processes while the window is open and does nothing. */
export async function webTimes(home, atRest) {
  const browser = await chromium.launch({
    executablePath: process.env.BELAY_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
  })
  try {
    const web = await startWeb(home)
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
