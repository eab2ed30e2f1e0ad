/** The built desktop app on the double of electron: what the shell itself promises. The journeys themselves are in e2e/web. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { type DesktopApp, startApp } from './start-app.ts'

const SECRET = 'sk-test-5ecret-0f-the-desk'
let folder = ''
let app: DesktopApp | null = null
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-folder-'))
  await mkdir(join(folder, 'notes'))
  await writeFile(join(folder, 'notes', 'hello.txt'), 'hello')
})
test.afterEach(async () => {
  await app?.close()
  app = null
  await rm(folder, { recursive: true, force: true })
})

const start = async (env: Record<string, string> = {}) => {
  app = await startApp(folder, { env })
  await expect(app.page.locator('html')).toBeVisible()
  return app
}
const connected = ({ page }: DesktopApp) =>
  expect(page.getByText('connected', { exact: true })).toBeVisible({ timeout: 45_000 })
const folderName = () => folder.split('/').at(-1) ?? ''

test('the window speaks with the core over its port, its menu bar runs commands, a reload keeps the folder', async () => {
  const desktop = await start()
  const { page } = desktop
  await connected(desktop)
  await expect(page.getByText(folderName()).first()).toBeVisible()
  await expect.poll(async () => (await desktop.windows())[0]?.title).toContain(folderName())
  expect((await desktop.windows())[0]?.url).toMatch(/^app:\/\/belay\//)
  const foreign = () => Object.keys(window).filter(key => /electron|require|process|module/i.test(key))
  expect(await page.evaluate(foreign)).toEqual([])

  await expect.poll(async () => (await desktop.menu()).map(each => each.label)).toContain('View')
  const file = (await desktop.menu()).find(each => each.label === 'File')
  expect(file?.items).toEqual(expect.arrayContaining(['app.openFolder', 'quit']))
  await desktop.clickMenu('app.palette')
  await expect(page.getByRole('dialog')).toBeVisible()

  await page.reload()
  await connected(desktop)
  await expect(page.getByText(folderName()).first()).toBeVisible()
})

test('no page leaves: navigation, windows and permissions are denied, links go to the system, checked', async () => {
  const desktop = await start()
  await connected(desktop)
  const at = desktop.page.url()
  await desktop.page.evaluate(() => {
    window.location.href = 'https://example.org/away'
  })
  await desktop.page.evaluate(() => void window.open('https://example.org/link'))
  await desktop.page.evaluate(() => void window.open('file:///etc/passwd'))
  await expect.poll(async () => (await desktop.seen()).opened).toEqual(['https://example.org/link'])
  expect(desktop.page.url()).toBe(at)
  expect(
    await Promise.all(
      (['media', 'geolocation', 'openExternal'] as const).map(each => desktop.permission(each, 'app://belay/')),
    ),
  ).toEqual([false, false, false])
  expect(await desktop.permission('clipboard-read', 'app://belay/')).toBe(true)
  expect(await desktop.permission('clipboard-read', 'https://example.org/')).toBe(false)
  await connected(desktop)
})

test('a killed core comes back and the window goes on; quitting asks while something runs, then ends all of it', async () => {
  test.setTimeout(180_000)
  const desktop = await start()
  await connected(desktop)
  const core = await childOf(desktop.pid, 'sidecar.js')
  process.kill(core, 'SIGKILL')
  await expect.poll(() => childOf(desktop.pid, 'sidecar.js').catch(() => core), { timeout: 30_000 }).not.toBe(core)
  await connected(desktop)
  const children = await Promise.all(['sidecar.js', 'pty-host.js'].map(name => childOf(desktop.pid, name)))

  await desktop.page.getByRole('button', { name: 'Trust this folder' }).first().click()
  await desktop.page.getByRole('dialog').getByRole('button', { name: 'Trust this folder' }).click()
  await expect(desktop.page.getByText('not trusted yet')).toBeHidden()
  await desktop.clickMenu('terminal.new')
  const terminal = desktop.page.locator('.xterm-helper-textarea')
  await expect(terminal).toBeAttached({ timeout: 30_000 })
  await terminal.focus()
  await desktop.page.keyboard.type('sleep 321\n')
  await expect.poll(() => sleeping(), { timeout: 30_000 }).toBe(true)
  await desktop.answer('showMessageBox', { response: 1 })
  await desktop.quit()
  await expect.poll(async () => (await desktop.seen()).dialogs.length, { timeout: 30_000 }).toBe(1)
  expect((await desktop.seen()).dialogs[0]?.options.detail).toContain('sleep')
  await connected(desktop)

  await desktop.answer('showMessageBox', { response: 0 })
  await desktop.quit()
  expect(await desktop.exited).toBe(0)
  for (const pid of children) expect(() => process.kill(pid, 0)).toThrow()
  expect(await sleeping()).toBe(false)
  expect(await readdir(join(desktop.home, 'state', 'instances'))).toEqual([])
})

test('a key is sealed on disk and never reaches the page', async () => {
  const desktop = await start({ OPENAI_API_KEY: SECRET })
  await connected(desktop)
  const cdp = await desktop.page.context().newCDPSession(desktop.page)
  await cdp.send('HeapProfiler.enable')
  let heap = ''
  cdp.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
    heap += chunk
  })
  await desktop.page.reload()
  await connected(desktop)
  await cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  expect(heap.length).toBeGreaterThan(100_000)
  expect(heap).not.toContain(SECRET.slice(3))
  for (const file of await allFiles(desktop.home)) {
    expect((await readFile(file)).includes(SECRET), file).toBe(false)
  }
})

async function childOf(pid: number, name: string): Promise<number> {
  for (const entry of await readdir('/proc')) {
    const status = await readFile(`/proc/${entry}/stat`, 'latin1').catch(() => '')
    const parent = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])
    if (parent !== pid) continue
    if ((await readFile(`/proc/${entry}/cmdline`, 'latin1').catch(() => '')).includes(name)) return Number(entry)
  }
  throw new Error(`no child ${name}`)
}

async function sleeping(): Promise<boolean> {
  const lines = (await readdir('/proc')).map(entry => readFile(`/proc/${entry}/cmdline`, 'latin1').catch(() => ''))
  return (await Promise.all(lines)).some(line => line.split(String.fromCharCode(0)).join(' ').trim() === 'sleep 321')
}

async function allFiles(at: string): Promise<string[]> {
  const entries = await readdir(at, { withFileTypes: true, recursive: true })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath ?? entry.path, entry.name))
}
