/**
 * A folder of 100,000 entries, and a tenth of it: listing in the core, then rows in the window's model, then (with a build
 * and a browser) the click that opens it in a real window. And a burst of 50,000 new files: how long until what is listed
 * equals the disk. Bars: open < 200 ms, no frame > 100 ms, fewer than 200 rows in the page; burst < 2 s after the last,
 * while a person's keys show in 50 ms.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { foldersOf } from '../sidecar/base/folders.ts'
import type { WirePath } from '../sidecar/contract/path.ts'
import { createWorkspaces } from '../sidecar/workspace/service.ts'
import { inMs, percentile, percentiles, takeSamples, watchKeys, withBelayPage } from './belay-page.ts'

const ENTRIES = 100_000
const BURST = 50_000
const OPEN_BAR_MS = 200
const FRAME_BAR_MS = 100
const ROWS_BAR = 200
const BURST_BAR_MS = 2000
const ECHO_BAR_MS = 50
/** Where the build is; another folder as the argument. */
const out = resolve(process.argv[2] ?? 'out')

const fast = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const home = mkdtempSync(join(fast, 'belay-bench-tree-'))
const folder = join(home, 'tree')
const fill = (name: string, count: number) => {
  mkdirSync(join(folder, name), { recursive: true })
  for (let at = 0; at < count; at++)
    writeFileSync(join(folder, name, `file-${(at * 7919) % count}.${at % 3 === 0 ? 'txt' : 'ts'}`), '')
}
fill('large', ENTRIES)
fill('small', ENTRIES / 10)
const met = (holds: boolean) => (holds ? 'met' : 'MISSED')

async function core(): Promise<void> {
  const all = createWorkspaces({
    folders: foldersOf({ BELAY_HOME: join(home, 'core') }),
    log: () => {},
    env: process.env,
  })
  try {
    const workspace = await all.open(folder)
    const rootId = workspace.paths.roots[0]?.rootId
    if (!rootId) throw new Error('no root')
    await workspace.ready
    const list = async (name: string): Promise<{ first: number; total: number; names: string[] }> => {
      const path: WirePath = { rootId, path: name }
      const began = performance.now()
      const names: string[] = []
      let first = 0
      for (let page: number | null = 0; page !== null; ) {
        const listing = await workspace.listings.list(path, page)
        first ||= performance.now() - began
        names.push(...listing.names)
        page = listing.nextPage
      }
      return { first, total: performance.now() - began, names }
    }
    await list('small')
    const small = await list('small')
    const large = await list('large')
    console.log(
      `core, ${ENTRIES / 10} entries: first page ${small.first.toFixed(0)} ms, all ${small.total.toFixed(0)} ms`,
    )
    console.log(
      `core, ${ENTRIES} entries: first page ${large.first.toFixed(0)} ms, all ${large.total.toFixed(0)} ms (${(large.total / small.total).toFixed(1)} x for 10 x)`,
    )
    await burst(workspace.changed.on, list)
  } finally {
    await all.dispose()
  }
}

async function burst(
  on: (listener: () => void) => () => void,
  list: (name: string) => Promise<{ names: string[] }>,
): Promise<void> {
  mkdirSync(join(folder, 'burst'))
  let heardAt = 0
  const stop = on(() => {
    heardAt = performance.now()
  })
  await once(createMany(join(folder, 'burst'), BURST), 'exit')
  const last = performance.now()
  // Whoever lists after the last change that was told must see everything.
  for (let quiet = 0; quiet < 1500; quiet = performance.now() - Math.max(heardAt, last))
    await new Promise(done => setTimeout(done, 50))
  stop()
  const { names } = await list('burst')
  const same = names.length === readdirSync(join(folder, 'burst')).length
  const late = heardAt - last
  console.log(
    `burst of ${BURST}: last change told ${late.toFixed(0)} ms after the last file (bar ${BURST_BAR_MS}: ${met(late > 0 && late < BURST_BAR_MS && same)}), listed ${names.length}`,
  )
}

async function browser(): Promise<void> {
  if (!existsSync(join(out, 'main/belay.js'))) return console.log('window: not measured, there is no build')
  const env = { ...process.env, BELAY_HOME: join(home, 'web') }
  mkdirSync(join(folder, 'typed-beside'))
  await withBelayPage({ out, folder, env }, async (page, link) => {
    await page.goto(link)
    await page.getByRole('treeitem', { name: 'small' }).waitFor()
    // Twice: the first time the page still loads what it needs later.
    for (const name of ['small', 'small', 'large']) {
      const { open, frame, rows } = await openFolder(page, name)
      console.log(
        `window, ${name}: first rows ${open.toFixed(0)} ms (bar ${OPEN_BAR_MS}: ${met(open < OPEN_BAR_MS)}), longest frame ${frame.toFixed(0)} ms (bar ${FRAME_BAR_MS}: ${met(frame < FRAME_BAR_MS)}), rows in the page ${rows} (bar ${ROWS_BAR}: ${met(rows < ROWS_BAR)})`,
      )
    }
    await typeBeside(page)
  })
}

/** A burst in a folder that is open, while somebody types. */
async function typeBeside(page: Page): Promise<void> {
  await page.getByRole('treeitem', { name: 'typed-beside' }).click()
  await page.getByRole('textbox', { name: 'Message' }).or(page.locator('.chat-compose-box textarea')).first().focus()
  await watchKeys(page)
  const child = createMany(join(folder, 'typed-beside'), BURST)
  let over = false
  const ended = once(child, 'exit').then(() => {
    over = true
    return performance.now()
  })
  const echo: number[] = []
  while (!over) {
    await page.keyboard.press('KeyA')
    await page.waitForTimeout(60)
    echo.push(...(await takeSamples(page)))
  }
  const last = await ended
  // The row below knows how many it is among.
  await page.waitForFunction(
    many => [...document.querySelectorAll('[role="treeitem"][aria-level="3"]')].some(row => row.ariaSetSize === many),
    String(BURST),
    { polling: 20, timeout: 60_000 },
  )
  const late = performance.now() - last
  const p95 = percentile(echo, 0.95)
  console.log(
    `window, burst of ${BURST} in an open folder: all shown ${late.toFixed(0)} ms after the last (bar ${BURST_BAR_MS}: ${met(late < BURST_BAR_MS)}); key echo meanwhile p50/p95/p99 ${inMs(percentiles(echo))} ms over ${echo.length} keys (bar p95 ${ECHO_BAR_MS}: ${met(p95 < ECHO_BAR_MS)})`,
  )
}

function createMany(into: string, many: number): ChildProcess {
  const script = `const [f, n] = process.argv.slice(1); for (let i = 0; i < n; i++) require('node:fs').writeFileSync(f + '/n' + i, '')`
  return spawn(process.execPath, ['-e', script, into, String(many)], { stdio: 'inherit' })
}

/** In the page: from the click to the first row below, and the longest frame until two seconds after it. */
async function openFolder(page: Page, name: string): Promise<{ open: number; frame: number; rows: number }> {
  return page.evaluate(async wanted => {
    const rows = () => [...document.querySelectorAll<HTMLElement>('[role="treeitem"]')]
    const row = rows().find(each => each.textContent === wanted)
    if (!row) throw new Error(`no row ${wanted}`)
    const began = performance.now()
    row.click()
    let open = 0
    let frame = 0
    let last = began
    while (performance.now() - began < (open === 0 ? 20_000 : open + 2000)) {
      await new Promise(done => requestAnimationFrame(done))
      const now = performance.now()
      frame = Math.max(frame, now - last)
      last = now
      if (open === 0 && rows().some(each => each.textContent?.startsWith('file-') && each.ariaLevel === '3'))
        open = now - began
    }
    if (open === 0) open = Number.POSITIVE_INFINITY
    const shown = rows().length
    row.click()
    await new Promise(done => setTimeout(done, 200))
    return { open, frame, rows: shown }
  }, name)
}

try {
  await core()
  await browser()
} finally {
  rmSync(home, { recursive: true, force: true })
}
