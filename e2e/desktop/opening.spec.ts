/** How things come into the desktop app, and how it speaks outside its windows: starts, links, files, drops, menus, what waits for a person. */
import { mkdir, mkdtemp, readlink, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { createPlace, writeSettings } from '../fixtures/place.ts'
import { childrenOf } from '../fixtures/processes.ts'
import { DOUBLE_ONLY } from '../forms/form.ts'
import {
  agent,
  allow,
  askCard,
  editor,
  ready,
  say,
  script,
  showsText,
  statusBar,
  tab,
  turnEnds,
} from '../web/window.ts'
import { startAgain } from './double/start-again.ts'
import { startApp as startOnDouble } from './double/start-app.ts'
import { type DesktopApp, type StartOptions, startApp } from './start-app.ts'

let root = ''
let home = ''
let [first, second, third] = ['', '', '']
let app: DesktopApp | null = null

test.beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'belay-opening-')))
  home = join(root, 'home')
  const make = async (name: string) => {
    const folder = join(root, `${name} 🪢`)
    await mkdir(join(folder, 'sub'), { recursive: true })
    await writeFile(join(folder, 'sub', `${name}.txt`), 'one\ntwo\nthree\nfour\n')
    return folder
  }
  ;[first, second, third] = [await make('first'), await make('second'), await make('third')]
})
test.afterEach(async () => {
  await app?.close()
  app = null
  await rm(root, { recursive: true, force: true, maxRetries: 5 })
})

async function start(folder: string | null, options: StartOptions = {}): Promise<DesktopApp> {
  app = await startApp(folder, { home, ...options })
  return app
}
const titles = async (desktop: DesktopApp) => (await desktop.windows()).map(({ title }) => title)
const inFront = async (desktop: DesktopApp) => (await desktop.windows()).find(({ focused }) => focused)?.title
const shows = (desktop: DesktopApp, folder: string) =>
  expect.poll(() => inFront(desktop), { timeout: 30_000 }).toContain(basename(folder))
/** The page of the window that shows the folder, as soon as one does. */
async function pageWith(desktop: DesktopApp, folder: string): Promise<Page> {
  const found = async () => (await desktop.windows()).find(({ title }) => title.includes(basename(folder)))?.id
  await expect.poll(found, { timeout: 30_000 }).toBeTruthy()
  return desktop.pageOf((await found()) ?? 0)
}
const at = (page: Page, line: number, column: number) =>
  expect(statusBar(page).getByText(`Ln ${line}, Col ${column}`, { exact: true })).toBeVisible({ timeout: 30_000 })
const file = (folder: string) => join(folder, 'sub', `${basename(folder).split(' ')[0]}.txt`)
const link = (path: string, more = '') => `belay://open?path=${encodeURIComponent(path)}${more}`

test('a second start opens what it was asked for in the first: each folder once, a file at its line, and says what is not there', {
  tag: DOUBLE_ONLY,
}, async () => {
  test.setTimeout(180_000)
  // While the first one is still starting.
  const starting = startOnDouble(first, { home })
  await expect
    .poll(() => readlink(join(home, 'state/desktop/SingletonLock')).catch(() => ''), { timeout: 30_000 })
    .not.toBe('')
  expect(await startAgain(home, [second])).toEqual({ code: 0, said: '' })
  const desktop = await starting
  app = desktop
  await shows(desktop, second)
  await expect.poll(() => titles(desktop)).toHaveLength(2)

  // A folder that is shown comes to the front; relative to where the second one stands.
  expect((await startAgain(home, [basename(first)], { cwd: root })).code).toBe(0)
  await shows(desktop, first)
  const page = await pageWith(desktop, first)
  expect((await startAgain(home, [`${file(first)}:3:2`])).code).toBe(0)
  await expect(tab(page, 'first.txt')).toBeVisible({ timeout: 30_000 })
  await at(page, 3, 2)
  await shows(desktop, first)

  // A file of a repository that no window shows, and another of one that does.
  await mkdir(join(third, '.git'))
  expect((await startAgain(home, [file(third), `${file(second)}:4`])).code).toBe(0)
  await expect.poll(() => titles(desktop), { timeout: 30_000 }).toHaveLength(3)
  await expect(tab(await pageWith(desktop, third), 'third.txt')).toBeVisible({ timeout: 30_000 })
  await at(await pageWith(desktop, second), 4, 1)

  // What is not there is said by both; the rest is opened.
  await desktop.answer('showMessageBox', { response: 0 })
  const missing = await startAgain(home, [join(root, 'gone'), first])
  expect(missing).toEqual({
    code: 1,
    said: expect.stringContaining(`There is no file or folder ${join(root, 'gone')}`),
  })
  await expect.poll(async () => (await desktop.seen()).dialogs.length).toBe(1)
  expect((await desktop.seen()).dialogs[0]?.options.detail).toContain(join(root, 'gone'))
  await shows(desktop, first)

  expect((await startAgain(home, ['-'])).code).toBe(0)
  expect(await titles(desktop)).toHaveLength(3)
  expect((await startAgain(home, ['--new-window'])).code).toBe(0)
  await expect.poll(() => titles(desktop)).toHaveLength(4)

  // Another person's profile is another app.
  const other = await startOnDouble(second, { home: join(root, 'other home') })
  await ready(other.page)
  expect(await titles(desktop)).toHaveLength(4)
  await other.close()

  // Too late for this one: it starts again.
  const gate = join(root, 'now')
  const late = startAgain(home, ['second 🪢'], { cwd: root, double: { waitsFor: gate } })
  for (const { pid } of childrenOf(home, 'sidecar')) process.kill(pid, 'SIGSTOP')
  process.kill(desktop.pid, 'SIGTERM')
  await expect.poll(async () => (await desktop.windows()).some(({ visible }) => visible)).toBe(false)
  await writeFile(gate, '')
  expect(await late).toEqual({ code: 0, said: '' })
  expect(await desktop.exited).toBe(143)
  expect(desktop.relaunched).toEqual([{ args: [expect.any(String), '--', second] }])
})

test('links and files show what they name: what was not opened before is asked about, what is no plain link is refused; a drop opens, and the menu bar knows it all', {
  tag: DOUBLE_ONLY,
}, async () => {
  test.setTimeout(180_000)
  const desktop = await start(first)
  await ready(desktop.page)
  const dialogs = async () => (await desktop.seen()).dialogs
  const dialog = async (count: number) => {
    await expect.poll(async () => (await dialogs()).length).toBe(count)
    return (await dialogs())[count - 1]?.options
  }
  await desktop.openUrl(link(file(first), '&line=2'))
  await at(desktop.page, 2, 1)

  // By Linux's and Windows' way; the way back has the focus.
  await mkdir(join(second, '.git'))
  await desktop.answer('showMessageBox', { response: 1 })
  expect((await startAgain(home, ['--', link(second)])).code).toBe(0)
  expect(await dialog(1)).toMatchObject({
    message: 'Open this folder?',
    detail: expect.stringContaining(second),
    defaultId: 1,
  })
  await desktop.answer('showMessageBox', { response: 0 })
  await desktop.openUrl(link(file(second), '&line=3&column=2'))
  expect((await dialog(2))?.detail).toContain(file(second))
  await at(await pageWith(desktop, second), 3, 2)
  expect(await titles(desktop)).toHaveLength(2)

  const hostile = {
    'belay://run?command=id': 'cannot do',
    [link(second, '&prompt=hello')]: 'does not take',
    'belay://open?path=/tmp/..%2fetc': 'full path',
    'belay://session?id=ses_nobody': 'not here',
    [link(join(root, 'gone'))]: 'no file or folder',
  }
  for (const [text, words] of Object.entries(hostile)) {
    const count = (await dialogs()).length + 1
    await desktop.answer('showMessageBox', { response: 0 })
    await desktop.openUrl(text)
    expect((await dialog(count))?.detail).toContain(words)
  }
  await writeSettings(home, { 'links.open': false })
  const before = (await dialogs()).length
  await desktop.answer('showMessageBox', { response: 0 })
  await desktop.openUrl(link(first))
  expect((await dialog(before + 1))?.detail).toContain('switched off')
  expect(await titles(desktop)).toHaveLength(2)

  // macOS hands files over; the desktop's own drag and drop comes to the page.
  const handed = join(first, 'sub', 'handed.txt')
  await writeFile(handed, 'over\n')
  await desktop.openFile(handed)
  await shows(desktop, first)
  await expect(tab(desktop.page, 'handed.txt')).toBeVisible()
  // What is dropped on something that gives way to the text at that moment goes with it.
  await showsText(desktop.page, 'over')
  const [window] = (await desktop.windows()).filter(({ title }) => title.includes(basename(first)))
  const drop = { x: 700, y: 300 }
  await desktop.dropFiles(window?.id ?? 0, [file(third)], drop)
  await expect(tab(desktop.page, /^third.txt/)).toBeVisible()
  await expect(editor(desktop.page)).toContainText('This file lies outside the opened folder')
  await showsText(desktop.page, 'three')
  await desktop.dropFiles(window?.id ?? 0, [third], drop)
  const question = desktop.page.getByRole('dialog', { name: 'Open this folder?' })
  await expect(question).toContainText(third)
  await question.getByRole('button', { name: 'Open in a new window' }).click()
  await ready(await pageWith(desktop, third))

  // The menu of the window in front.
  const folders = async () => (await desktop.menuItem('recent'))?.items ?? []
  await expect
    .poll(folders)
    .toEqual([
      ...[third, second, first].map(folder => `${basename(folder)} — ${folder}`),
      ...['separator', 'Clear the list of recent folders'],
    ])
  expect(await desktop.menuItem('app.keymap')).toMatchObject({ label: 'Keyboard shortcuts [Ctrl+K Ctrl+S]' })
  expect(await desktop.menuItem('agent.stop')).toMatchObject({ enabled: false })
  const side = async () => (await desktop.menuItem('app.toggleSide'))?.checked
  expect(await side()).toBe(true)
  await desktop.clickMenu('app.toggleSide')
  await expect.poll(side).toBe(false)
  await writeSettings(home, { 'appearance.language': 'zh-CN' })
  await expect.poll(async () => (await desktop.menu()).map(({ label }) => label)).toContain('文件')
  expect((await desktop.menu()).at(-1)?.items).toEqual([
    ...['app.palette', 'app.keymap', 'app.checkUpdates', 'separator', 'app.about'],
  ])
  // Main's own dialogs speak it too; a terminal is told in English.
  const asked = (await dialogs()).length
  await desktop.answer('showMessageBox', { response: 0 })
  const gone = join(root, 'gone')
  expect((await startAgain(home, [gone])).said).toContain(`There is no file or folder ${gone}.`)
  expect(await dialog(asked + 1)).toMatchObject({
    message: '有内容未能打开',
    detail: `没有文件或文件夹 ${gone}。什么也没有打开；请检查路径。`,
  })
  await desktop.clickMenu('app.clearRecent')
  await expect.poll(folders).toEqual([`${basename(third)} — ${third}`, 'separator', '清除最近的文件夹列表'])
})

test('as on macOS: a double-clicked file begins it, the dock has its menu, and the app outlives its last window and comes back', {
  tag: DOUBLE_ONLY,
}, async () => {
  await mkdir(join(first, '.git'))
  // It is handed over before the app is ready, and its window is the only one.
  const desktop = await start(null, { double: { platform: 'darwin', handedOver: [file(first)] } })
  await ready(desktop.page)
  await expect(tab(desktop.page, 'first.txt')).toBeVisible()
  expect(await titles(desktop)).toEqual([expect.stringContaining(basename(first))])
  await expect.poll(async () => (await desktop.seen()).dock.menu).toEqual(['New window'])
  await expect.poll(async () => (await desktop.seen()).recent).toEqual([first])

  const closeAll = async () => {
    for (const { id } of await desktop.windows()) await desktop.closeWindow(id)
    await expect.poll(() => titles(desktop)).toEqual([])
  }
  const only = async () => {
    await expect.poll(() => titles(desktop)).toHaveLength(1)
    const page = await desktop.pageOf((await desktop.windows())[0]?.id ?? 0)
    await expect(page.getByRole('button', { name: 'Open a folder' }).first()).toBeVisible()
    await expect(statusBar(page).getByText('connected', { exact: true })).toBeVisible()
    return page
  }
  await closeAll()
  await desktop.activate()
  await only()
  await closeAll()
  // The menu bar stays, and what is chosen in it has a window.
  await desktop.clickMenu('app.newWindow')
  await only()
  await closeAll()
  await desktop.clickMenu('app.palette')
  await expect((await only()).getByRole('dialog', { name: 'Files and commands' })).toBeVisible()
  expect(await titles(desktop)).toHaveLength(1)
  await desktop.quit()
  expect(await desktop.exited).toBe(0)
})

test('what waits for a person is said once while they are elsewhere, leads to it, and is over when it is answered; nothing keeps the machine from going down', async () => {
  test.setTimeout(180_000)
  const place = await createPlace()
  try {
    await place.writeSettings({ 'agent.model': 'scripted/default' })
    await place.trust(place.folder)
    const desktop = await start(place.folder, { home: place.belayHome, env: place.env })
    const { page } = desktop
    await ready(page)
    const badge = async () => (await desktop.seen()).badge
    const notes = () => desktop.notifications()
    const [own] = await desktop.windows()
    const ask = (command: string) =>
      say(page, script([{ delayMs: 1500 }, { call: 'bash', arguments: { command } }], [{ text: 'Over.' }]))
    await desktop.clickMenu('app.newWindow')
    await expect.poll(async () => (await desktop.windows()).length).toBe(2)
    const elsewhere = (await desktop.windows()).find(({ id }) => id !== own?.id)?.id ?? 0

    await ask('touch sk-0123456789abcdef; printf "a\\u202eb" > made.txt')
    await desktop.focusWindow(elsewhere)
    await expect
      .poll(notes, { timeout: 30_000 })
      .toEqual([expect.stringMatching(/^hono: “.*” asks: touch \[hidden\]; printf/)])
    expect(await badge()).toBe(1)
    await desktop.clickNotification('hono')
    await expect.poll(async () => (await desktop.windows()).find(({ focused }) => focused)?.id).toBe(own?.id)
    await expect(askCard(page)).toBeVisible()
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[data-ask]') !== null)).toBe(true)
    expect(await badge()).toBe(1)

    // Answered, and its end is news for who is elsewhere again.
    await desktop.focusWindow(elsewhere)
    await allow(page)
    await expect(turnEnds(page)).toHaveCount(1)
    await expect.poll(notes).toEqual([expect.stringMatching(/^hono: “.*” is done$/)])
    expect((await desktop.seen()).notes).toHaveLength(2)
    await desktop.focusWindow(own?.id ?? 0)
    await expect.poll(notes).toEqual([])
    await expect.poll(badge).toBe(0)

    // Nobody is told of what is before their eyes; it waits all the same.
    await ask('touch two')
    await expect(askCard(page)).toBeVisible({ timeout: 30_000 })
    await expect.poll(badge).toBe(1)
    expect((await desktop.seen()).notes).toHaveLength(2)

    // Quitting would ask: the agent waits. A machine that goes down asks nobody.
    await desktop.answer('showMessageBox', { response: 1 })
    await desktop.quit()
    await expect.poll(async () => (await desktop.seen()).dialogs.length, { timeout: 30_000 }).toBe(1)
    expect((await desktop.seen()).dialogs[0]?.options.detail).toMatch(/^Quitting ends what still runs:\n• script:/)
    await expect(agent(page)).toBeVisible()
    await desktop.power('shutdown')
    expect(await desktop.exited).toBe(0)
  } finally {
    await app?.close()
    app = null
    await place.dispose()
  }
})
