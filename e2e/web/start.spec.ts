/** The start: `npm start` as a person types it; and the window takes keys before anything is fetched that it needs only later. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Place, repository } from '../fixtures/place.ts'
import { endProcess, processesOf } from '../fixtures/processes.ts'
import { WEB_ONLY } from '../forms/form.ts'
import { expect, test } from './belay.ts'
import { field, ready, treeItem } from './window.ts'

/** From another folder than the repository, in a group of its own: a terminal's Ctrl-C goes to all of it. */
function npmStart(place: Place, args: string[], env: Record<string, string>) {
  const child: ChildProcess = spawn('npm', ['--prefix', repository, 'start', '--', ...args], {
    cwd: place.root,
    env: { ...place.env, npm_config_update_notifier: 'false', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', text => {
      said += text
    })
  return { child, ended: once(child, 'close'), said: () => said }
}

test('npm start: a folder from where one stands, nothing built again; the desktop where its program is, else one line and the browser', {
  tag: WEB_ONLY,
}, async ({ place, page }) => {
  // As `npm test` leaves it: what is here was installed by what the lock file says, so that nothing is now.
  const lock = createHash('sha256').update(await readFile(join(repository, 'package-lock.json')))
  expect(await readFile(join(repository, 'node_modules/.belay-lock-hash'), 'utf8')).toBe(lock.digest('hex'))
  await place.trust(place.folder)
  const electron = join(place.root, 'electron')
  await mkdir(electron)
  const browser = npmStart(place, ['home/hono', '--no-open'], { ELECTRON_OVERRIDE_DIST_PATH: electron })
  try {
    await expect.poll(browser.said, { timeout: 60_000 }).toMatch(/http:\S+\s/)
    expect(browser.said().match(/The Electron binary is not here.*/g)).toHaveLength(1)
    expect(browser.said()).not.toMatch(/Installing|Building/)
    await page.goto(/http:\S+/.exec(browser.said())?.[0] ?? '')
    await ready(page)
    await expect(treeItem(page, 'dist')).toBeVisible()
    await page.close()
    process.kill(-(browser.child.pid as number), 'SIGINT')
    await browser.ended
    await expect.poll(() => processesOf(place.root), { timeout: 20_000 }).toEqual([])
  } finally {
    for (const { pid } of processesOf(place.root)) endProcess(pid)
  }

  await writeFile(join(electron, 'electron'), '#!/bin/sh\nprintf "[%s]" "$@"\n', { mode: 0o755 })
  const desktop = npmStart(place, ['home/hono'], { ELECTRON_OVERRIDE_DIST_PATH: electron })
  await desktop.ended
  expect(desktop.said()).toContain(`[${repository}/][${place.folder}]`)
  expect(desktop.said()).not.toMatch(/Electron binary|http:/)
})

test('until the composer takes keys the window fetches its own code only; a reload comes back to the folder', async ({
  belay,
}) => {
  const { page } = belay
  await page.addInitScript(() => {
    const fetched = () => performance.getEntriesByType('resource').map(each => each.name.replace(/.*\//, ''))
    const look = new MutationObserver(() => {
      if (!document.querySelector('[data-part="agent"] textarea')) return
      look.disconnect()
      Object.assign(window, { fetchedBefore: fetched() })
    })
    look.observe(document, { subtree: true, childList: true })
  })
  await page.reload()
  await expect(field(page)).toBeVisible()
  const before = await page.evaluate(() => (window as unknown as { fetchedBefore: string[] }).fetchedBefore)
  const scripts = before.filter(name => name.endsWith('.js')).map(name => name.replace(/-[\w-]{8}\.js$/, ''))
  expect(scripts.sort()).toEqual(['index', 'main'])
  // The rest comes by itself, so that the first file is shown at once.
  await ready(page)
  await expect
    .poll(() => page.evaluate(() => performance.getEntriesByType('resource').some(each => /monaco/.test(each.name))))
    .toBe(true)
  // A browser can install it as an app, with icons of its own.
  const pictures = await page.evaluate(async () => {
    const manifest = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')?.href ?? ''
    const { name, icons } = (await (await fetch(manifest)).json()) as {
      name: string
      icons: { src: string; sizes: string }[]
    }
    const sizes = icons.map(async ({ src, sizes }) => {
      const { width, height } = await createImageBitmap(await (await fetch(new URL(src, manifest))).blob())
      return `${width}x${height}` === sizes
    })
    return { name, right: await Promise.all(sizes) }
  })
  expect(pictures).toEqual({ name: 'Belay', right: [true, true, true, true] })
})
