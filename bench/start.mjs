/**
 * What starting costs: `belay --version` against `node -e 0`; from `belay web` to the first paint and to a usable window in
 * headless Chromium; memory of our processes at rest (PSS, Linux). Needs a build. Prints figures and ratios, judges nothing.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { ensureBuilt } from '../scripts/build.mjs'
import { root } from '../scripts/install.mjs'

const belay = join(root, 'out/main/belay.js')
const median = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
const ms = value => `${value.toFixed(0)} ms`

function timeOf(args) {
  const times = Array.from({ length: 15 }, () => {
    const began = performance.now()
    spawnSync(process.execPath, args, { timeout: 20_000 })
    return performance.now() - began
  })
  return median(times)
}

/** The line with the link, and everything started ended again by `stop`. */
async function startWeb(home) {
  const began = performance.now()
  const env = { ...process.env, BELAY_HOME: home }
  const child = spawn(process.execPath, [belay, 'web', '--no-open', root], { env, timeout: 120_000 })
  const ended = new Promise(resolve => child.once('exit', resolve))
  const link = await new Promise((resolve, reject) => {
    child.stdout.on('data', text => resolve(/http:\S+/.exec(String(text))?.[0]))
    child.once('exit', () => reject(new Error('belay web ended before it printed its link')))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { began, link, linkMs: performance.now() - began, pid: child.pid, stop }
}

async function windowTimes(browser, home) {
  const web = await startWeb(home)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    const navigated = performance.now()
    await page.goto(web.link, { waitUntil: 'commit' })
    await page.getByText('connected', { exact: true }).waitFor({ timeout: 60_000 })
    const composer = page.getByPlaceholder('Ask for a change')
    await composer.waitFor({ timeout: 60_000 })
    await composer.fill('a')
    const usableMs = performance.now() - navigated
    const paintMs = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    )
    return { linkMs: web.linkMs, paintMs, usableMs, totalMs: web.linkMs + usableMs, memory: memoryOf(web.pid) }
  } finally {
    await context.close()
    await web.stop()
  }
}

/** MiB of proportional memory for the process and its children; null off Linux. */
function memoryOf(pid) {
  if (process.platform !== 'linux') return null
  const parentOf = each => Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${each}/stat`, 'latin1'))?.[1])
  const pssOf = each => Number(/Pss:\s+(\d+)/.exec(readFileSync(`/proc/${each}/smaps_rollup`, 'latin1'))?.[1]) / 1024
  const nameOf = each => /(belay|sidecar|pty-host)\.js/.exec(readFileSync(`/proc/${each}/cmdline`, 'latin1'))?.[1]
  const found = {}
  for (const each of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      if (Number(each) === pid || parentOf(each) === pid) found[nameOf(each) ?? each] = pssOf(each)
    } catch {
      // It ended while we looked.
    }
  }
  return found
}

await ensureBuilt()
const home = mkdtempSync(join(tmpdir(), 'belay-bench-'))
const browser = await chromium.launch({
  executablePath: process.env.BELAY_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
})
try {
  const node = timeOf(['-e', '0'])
  const version = timeOf([belay, '--version'])
  console.log(`belay --version   ${ms(version)}   node -e 0 ${ms(node)}   ratio ${(version / node).toFixed(2)}`)
  for (const [name, at] of [
    ['cold', home],
    ['warm', home],
    ['warm', home],
  ]) {
    const { linkMs, paintMs, usableMs, totalMs, memory } = await windowTimes(browser, at)
    console.log(
      `window (${name})     link ${ms(linkMs)}   first paint ${ms(paintMs)}   usable ${ms(usableMs)}   from command to usable ${ms(totalMs)}`,
    )
    if (!memory) continue
    const sum = Object.values(memory).reduce((total, each) => total + each, 0)
    const parts = Object.entries(memory).map(([part, mib]) => `${part} ${mib.toFixed(0)}`)
    console.log(`memory at rest    ${sum.toFixed(0)} MiB PSS   (${parts.join(', ')})`)
  }
} finally {
  await browser.close()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}
