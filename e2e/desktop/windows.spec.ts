/** The desktop's windows on the double: several of them and their return, pages that crash or hang, colours and title bar. */
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { writeSettings } from '../fixtures/place.ts'
import { DOUBLE_ONLY } from '../forms/form.ts'
import { editor, field, openFile, openPalette, ready, tab } from '../web/window.ts'
import type { DoubleOptions } from './double/options.ts'
import { type DesktopApp, quit, startApp } from './start-app.ts'

let home = ''
let folders: [string, string] = ['', '']
let app: DesktopApp | null = null

test.beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'belay-home-')))
  const make = async (name: string) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), `belay ${name} 🪢 `)))
    await writeFile(join(folder, `${name}.txt`), `of ${name}\n`)
    return folder
  }
  folders = [await make('first'), await make('second')]
})
test.afterEach(async () => {
  await app?.close()
  app = null
  for (const each of [home, ...folders]) await rm(each, { recursive: true, force: true, maxRetries: 5 })
})

async function start(folder: string | null, double: DoubleOptions = {}): Promise<DesktopApp> {
  app = await startApp(folder, { home, double })
  return app
}
const settings = (values: Record<string, unknown>) => writeSettings(home, values)
const inFront = async (desktop: DesktopApp) => (await desktop.windows()).find(({ focused }) => focused)?.title
const placeOf = async (desktop: DesktopApp, folder: string) => {
  const window = (await desktop.windows()).find(({ title }) => title.includes(basename(folder)))
  return window && { id: window.id, bounds: window.bounds, state: window.state }
}
const scale = (page: Page) => page.evaluate(() => document.documentElement.style.zoom)

test('a folder has one window; all windows come back with folder, place, mode, zoom and tabs, in reach of the displays there are', {
  tag: DOUBLE_ONLY,
}, async () => {
  const [first, second] = folders
  const wide = { x: 1920, y: 0, width: 2560, height: 1440 }
  const laptop = { x: 0, y: 0, width: 1920, height: 1080 }
  const displays = [laptop, wide]
  let desktop = await start(first, { displays })
  await ready(desktop.page)
  await openFile(desktop.page, 'first.txt')

  // A new window stands beside the first; there the other folder is opened.
  await desktop.page.keyboard.press('Control+Shift+n')
  await expect.poll(async () => (await desktop.windows()).length).toBe(2)
  const [one, two] = await desktop.windows()
  if (!one || !two) throw new Error('two windows')
  expect(two.bounds).toEqual({ ...one.bounds, x: one.bounds.x + 30, y: one.bounds.y + 30 })
  await expect.poll(async () => (await desktop.windows())[1]?.focused).toBe(true)
  const page = await desktop.pageOf(two.id)
  // A key that comes before the page is there reaches nobody.
  await expect(page.getByRole('button', { name: 'Open a folder' }).first()).toBeVisible()
  await desktop.answer('showOpenDialog', { canceled: false, filePaths: [second] })
  await page.keyboard.press('Control+o')
  await ready(page)
  await openFile(page, 'second.txt')
  await expect.poll(() => placeOf(desktop, second)).toBeTruthy()

  // What another window shows is not opened twice.
  await desktop.answer('showOpenDialog', { canceled: false, filePaths: [first] })
  await page.keyboard.press('Control+o')
  await expect.poll(() => inFront(desktop)).toContain(basename(first))
  await desktop.answer('showOpenDialog', { canceled: false, filePaths: [second] })
  await desktop.page.keyboard.press('Control+Alt+Shift+O')
  await expect.poll(() => inFront(desktop)).toContain(basename(second))
  expect(await desktop.windows()).toHaveLength(2)

  // Each has its own place, mode and zoom.
  const place = { x: 2400, y: 200, width: 1300, height: 900 }
  await desktop.moveWindow(two.id, place)
  await page.keyboard.press('Control+=')
  await page.keyboard.press('Control+=')
  await expect.poll(() => scale(page)).toBe('1.2')
  expect(await scale(desktop.page)).toBe('')
  await desktop.maximizeWindow(one.id)
  await desktop.focusWindow(two.id)
  await quit(desktop)

  desktop = await start(null, { displays })
  await expect.poll(async () => (await desktop.windows()).filter(({ visible }) => visible).length).toBe(2)
  await expect.poll(() => placeOf(desktop, second)).toMatchObject({ bounds: place, state: 'normal' })
  await expect.poll(() => placeOf(desktop, first)).toMatchObject({ state: 'maximized' })
  await expect.poll(() => inFront(desktop)).toContain(basename(second))
  const [again, other] = [(await placeOf(desktop, second))?.id ?? 0, (await placeOf(desktop, first))?.id ?? 0]
  const secondPage = await desktop.pageOf(again)
  await ready(secondPage)
  await expect(tab(secondPage, /^second\.txt/)).toBeVisible()
  expect(await scale(secondPage)).toBe('1.2')
  const firstPage = await desktop.pageOf(other)
  await ready(firstPage)
  await expect(tab(firstPage, /^first\.txt/)).toBeVisible()
  expect(await scale(firstPage)).toBe('')

  // Its display is pulled out: it comes to the one that is left.
  await desktop.displays([laptop])
  await expect.poll(async () => (await placeOf(desktop, second))?.bounds).toEqual({ ...place, x: 620, y: 180 })

  // The last window's end is the app's.
  await secondPage.keyboard.press('Control+Shift+w').catch(() => {})
  await expect.poll(async () => (await desktop.windows()).length).toBe(1)
  await desktop.closeWindow(other)
  expect(await desktop.exited).toBe(0)
  await desktop.close()

  // One that was closed is known by its folder, and a window that lies where no display is any more is brought back.
  const file = join(home, 'state', 'desktop', 'windows.json')
  const kept = JSON.parse(await readFile(file, 'utf8'))
  expect(kept.open).toHaveLength(1)
  expect(kept.closed).toMatchObject([{ folder: second, bounds: { x: 620 }, zoom: 120 }])
  kept.closed[0].bounds = { x: -9000, y: 4000, width: 1300, height: 9000 }
  await writeFile(file, JSON.stringify(kept))
  desktop = await start(second, { displays: [laptop] })
  await expect
    .poll(() => placeOf(desktop, second))
    .toMatchObject({ bounds: { x: 0, y: 32, width: 1300, height: 1048 } })
  expect(await desktop.windows()).toHaveLength(1)
  // Ctrl+C in the terminal that started it ends it too, and nobody is asked.
  process.kill(desktop.pid, 'SIGINT')
  expect(await desktop.exited).toBe(130)
  await desktop.close()

  // A broken file costs the places; a setting keeps the windows of before away.
  await writeFile(file, '{"open":[{')
  await settings({ 'window.restoreWindows': 'none' })
  desktop = await start(null, { displays: [laptop] })
  await expect.poll(async () => (await desktop.windows())[0]?.visible).toBe(true)
  expect((await desktop.windows()).map(({ bounds }) => bounds)).toEqual([{ x: 240, y: 106, width: 1440, height: 900 }])
  expect((await readdir(join(home, 'state', 'desktop'))).join(' ')).toMatch(/windows\.json\.unreadable-/)
})

test('a page that crashes or hangs comes back with unsaved text, draft and tabs, says why, and is not made anew for ever', {
  tag: DOUBLE_ONLY,
}, async () => {
  const [first] = folders
  const desktop = await start(first, { hangMs: 5000 })
  const id = (await desktop.windows())[0]?.id ?? 0
  await ready(desktop.page)
  await openFile(desktop.page, 'first.txt')
  await editor(desktop.page).locator('.monaco-editor textarea, .native-edit-context').first().focus()
  await desktop.page.keyboard.type('not saved ')
  await expect(tab(desktop.page, 'first.txt, unsaved')).toBeVisible()
  await field(desktop.page).fill('half a thought')
  await expect.poll(async () => (await desktop.windows())[0]?.title).toContain('●')

  const back = async (words: string) => {
    await expect.poll(async () => (await desktop.windows())[0]?.url).toMatch(/^app:/)
    const page = await desktop.pageOf(id)
    await ready(page)
    await expect(page.getByText(words)).toBeVisible()
    await expect(page.getByText('What you typed is kept').first()).toBeVisible()
    await expect(editor(page).getByText('not saved of first')).toBeVisible()
    await expect(field(page)).toHaveValue('half a thought')
    return page
  }
  const kept = async () => {
    const views = join(home, 'data', 'views')
    const texts = (await readdir(views).catch(() => [])).map(name => readFile(join(views, name), 'utf8'))
    return (await Promise.all(texts)).join()
  }
  await expect.poll(kept).toContain('half a thought')
  await desktop.crashWindow(id, 'oom')
  await back('The page ran out of memory.')
  await desktop.crashWindow(id, 'killed')
  await back('The page was ended from outside.')

  // Three times within a minute: the person decides.
  await desktop.answer('showMessageBox', { response: 0 })
  await desktop.crashWindow(id)
  await expect.poll(async () => (await desktop.seen()).dialogs.length).toBe(1)
  expect((await desktop.seen()).dialogs[0]?.options).toMatchObject({
    message: 'This window’s page has ended 3 times within a minute',
    detail: expect.stringMatching(/^The page crashed\.\n\nWhat you typed is kept/),
    buttons: ['Reload', 'Close the window'],
  })
  const page = await back('The page crashed.')

  // Busy for a while: the question goes away by itself. For good: it is begun anew.
  await desktop.answer('showMessageBox', 'stays')
  await page.evaluate(() => {
    const until = Date.now() + 8000
    while (Date.now() < until);
  })
  await expect.poll(async () => (await desktop.seen()).dialogs.length).toBe(2)
  await ready(page)
  await desktop.answer('showMessageBox', { response: 1 })
  void page
    .evaluate(() => {
      for (;;);
    })
    .catch(() => {})
  await expect.poll(async () => (await desktop.seen()).dialogs.length).toBe(3)
  expect((await desktop.seen()).dialogs[2]?.options).toMatchObject({ message: 'This window does not answer' })
  await back('The page did not answer and was started anew.')

  // Closing it is an answer too, and the last window's end is the app's.
  for (const reason of ['crashed', 'crashed'] as const) {
    await desktop.crashWindow(id, reason)
    await back('The page crashed.')
  }
  await desktop.answer('showMessageBox', { response: 1 })
  await desktop.crashWindow(id)
  expect(await desktop.exited).toBe(0)
})

test('a window has its colours before its page, the top line is its title bar at any size and zoom, and both follow system and settings', {
  tag: DOUBLE_ONLY,
}, async () => {
  await settings({ 'appearance.theme': 'light' })
  const desktop = await start(folders[0], { dark: true })
  const { page } = desktop
  const frame = async () => {
    const [window] = await desktop.windows()
    return { background: window?.background, ...window?.overlay }
  }
  const shown = () =>
    page.evaluate(() => {
      const hex = (colour: string) => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
        if (!canvas) return ''
        canvas.fillStyle = colour
        canvas.fillRect(0, 0, 1, 1)
        const bytes = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
        return `#${bytes.map(byte => byte.toString(16).padStart(2, '0')).join('')}`
      }
      const title = document.querySelector('.app-title')
      return {
        background: hex(getComputedStyle(document.body).backgroundColor),
        ...(title
          ? { color: hex(getComputedStyle(title).backgroundColor), symbolColor: hex(getComputedStyle(title).color) }
          : {}),
      }
    })
  // A person with the light theme on a dark system sees nothing dark, not even for a moment.
  expect(await frame()).toEqual({ background: '#fcfeff', color: '#f5f7f8', symbolColor: '#394146', height: 37 })
  await ready(page)
  expect(await shown()).toEqual({ background: '#fcfeff', color: '#f5f7f8', symbolColor: '#394146' })
  expect(await page.evaluate(() => matchMedia('(prefers-color-scheme: light)').matches)).toBe(true)

  // No button of ours lies under the system's controls; all else of the line moves the window.
  const clear = async () => {
    const found = await page.evaluate(() => {
      const overlay = navigator as unknown as { windowControlsOverlay: { getTitlebarAreaRect(): DOMRect } }
      const free = overlay.windowControlsOverlay.getTitlebarAreaRect()
      const line = document.querySelector('.app-title')
      const buttons = [...(line?.querySelectorAll('button') ?? [])].filter(each => each.checkVisibility())
      const region = (each: Element | null) => each && getComputedStyle(each).getPropertyValue('app-region')
      const boxes = buttons.map(each => each.getBoundingClientRect())
      return {
        buttons: buttons.length,
        covered: boxes.filter(({ right, left }) => right > free.right || left < free.left).length,
        overlapping: boxes.filter((one, at) => boxes.slice(at + 1).some(other => other.left < one.right - 1)).length,
        drags: region(line),
        held: buttons.filter(each => region(each) !== 'no-drag').length,
      }
    })
    expect(found).toMatchObject({ covered: 0, overlapping: 0, drags: 'drag', held: 0 })
    return found.buttons
  }
  const sizes = [1440, 1000, 700, 400]
  for (const width of sizes) {
    await page.setViewportSize({ width, height: 700 })
    await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(width)
    expect(await clear()).toBeGreaterThanOrEqual(3)
  }
  for (let presses = 0; presses < 5; presses++) await page.keyboard.press('Control+=')
  await expect.poll(frame).toMatchObject({ height: 56 })
  for (const width of sizes.toReversed()) {
    await page.setViewportSize({ width, height: 700 })
    await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(width)
    expect(await clear()).toBeGreaterThanOrEqual(3)
  }

  // The menu bar has become a menu, which opens under its button.
  await page.getByRole('button', { name: 'Show the menu' }).click()
  await expect.poll(async () => (await desktop.menu()).map(({ label }) => label)).toContain('File')
  await desktop.clickMenu('app.zoomReset')
  await expect.poll(frame).toMatchObject({ height: 37 })

  // Full screen has no controls, so nothing keeps room for them.
  const room = () => page.evaluate(() => document.documentElement.style.getPropertyValue('--controls-right'))
  expect(await room()).toBe('138px')
  await page.keyboard.press('F11')
  await expect.poll(async () => (await desktop.windows())[0]?.state).toBe('fullscreen')
  await expect.poll(room).toBe('0px')
  await page.keyboard.press('F11')
  await expect.poll(room).toBe('138px')

  // The person's choice changes frame and page at once, and following the system means as it changes.
  const palette = await openPalette(page, 'F1')
  await palette.fill('>next theme')
  await page.getByRole('option', { name: 'Next theme' }).click()
  await expect.poll(frame).toMatchObject({ background: '#000000', color: '#000000' })
  await settings({ 'appearance.theme': 'system' })
  await expect.poll(frame).toMatchObject({ background: '#0f1316', color: '#161a1d', symbolColor: '#bfc5c9' })
  await expect.poll(shown).toMatchObject({ background: '#0f1316', color: '#161a1d' })
  await page.keyboard.press('Control+=')
  await expect.poll(() => scale(page)).toBe('1.1')
  await settings({ 'appearance.theme': 'system', 'appearance.zoom': 150 })
  await expect.poll(() => scale(page)).toBe('1.5')
  await expect.poll(frame).toMatchObject({ height: 56 })
  await desktop.look({ dark: false })
  await expect.poll(frame).toMatchObject({ background: '#fcfeff' })
  await expect.poll(shown).toMatchObject({ background: '#fcfeff' })

  // A terminal that is closed takes with it what it started.
  process.kill(desktop.pid, 'SIGHUP')
  expect(await desktop.exited).toBe(129)
})
