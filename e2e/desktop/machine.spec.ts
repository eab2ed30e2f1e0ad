/** What the machine around the desktop app gives it, and what a person is told where it gives less: shell, keys, proxies, sleep, dialogs. */
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { request as ask, createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { startPlayedServer } from '../fixtures/model-server/index.ts'
import { writeSettings } from '../fixtures/place.ts'
import { DOUBLE_ONLY } from '../forms/form.ts'
import { agent, ready, runCommand, say, script, tab, transcript, treeItem, trust, turn } from '../web/window.ts'
import type { DoubleOptions } from './double/options.ts'
import { type DesktopApp, quit, startApp } from './start-app.ts'

const KEY = 'sk-of-a-person-0123456789'
let base = ''
let home = ''
let folder = ''
let app: DesktopApp | null = null

test.beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'belay-around-')))
  home = join(base, 'home')
  folder = join(base, 'project')
  await mkdir(folder)
})
test.afterEach(async () => {
  await app?.close()
  app = null
  await rm(base, { recursive: true, force: true, maxRetries: 5 })
})

/** As a desktop starts it: not from a terminal, with a poor environment. */
async function start(double: DoubleOptions = {}, env: Record<string, string> = {}): Promise<DesktopApp> {
  app = await startApp(folder, { home, double, env: { TERM: '', PATH: '/usr/bin:/bin', ...env } })
  await ready(app.page)
  return app
}
const settings = (values: Record<string, unknown>) => writeSettings(home, values)
async function shell(body: string): Promise<string> {
  const file = join(base, 'login-shell')
  await writeFile(file, `#!/bin/sh\n${body}\n`)
  await chmod(file, 0o755)
  return file
}
async function listening(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
async function deadPort(): Promise<number> {
  const server = createServer()
  const port = await listening(server)
  await new Promise(resolve => server.close(resolve))
  return port
}
const providerRow = (page: Page) => page.locator('.settings-provider').filter({ hasText: 'OpenAI' }).first()
async function models(page: Page) {
  await runCommand(page, 'Settings')
  await page.getByRole('button', { name: 'Models and accounts' }).click()
  return providerRow(page)
}

test('a broken login shell and no keychain are told with what to do; once mended both serve, and what is sealed stays', {
  tag: DOUBLE_ONLY,
}, async () => {
  test.setTimeout(240_000)
  await settings({ 'agent.model': 'scripted/default', 'agent.mode': 'auto' })
  const SHELL = await shell('echo "no license for this shell" >&2; exit 3')
  const plain = await start({ keychain: 'basic_text' }, { SHELL })
  const { page } = plain
  await trust(page)
  const banner = page.getByRole('region', { name: `Your login shell ${SHELL} ended without an answer.` })
  await expect(banner).toContainText('no license for this shell')
  await expect(banner).toContainText('Belay uses the environment that it was started with')
  const pathSeen = async (name: string) => {
    await turn(page, script([{ call: 'bash', arguments: { command: `echo "$PATH" > ${name}` } }], [{ text: 'Over.' }]))
    return (await readFile(join(folder, name), 'utf8')).trim()
  }
  expect(await pathSeen('before.txt')).toBe('/usr/bin:/bin')
  await shell('PATH="/login/bin:$PATH" exec /bin/sh -c "$4"')
  await banner.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Your login shell answered.')).toBeVisible()
  await expect(banner).toBeHidden()
  expect(await pathSeen('after.txt')).toBe('/login/bin:/usr/bin:/bin')

  const file = join(home, 'data', 'secrets.json')
  const row = await models(page)
  const notice = page.getByRole('region', { name: 'Keys are not sealed here.' })
  await expect(notice).toContainText(file)
  await expect(notice).toContainText('Install one (GNOME Keyring')
  await row.getByRole('button', { name: 'Set key…' }).click()
  await expect(row).toContainText(`kept as it is in ${file}, which your account alone may read`)
  await row.getByLabel('Key for OpenAI').fill(KEY)
  await row.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('key …6789')
  expect(await readFile(file, 'utf8')).toContain(KEY)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await quit(plain)

  const keyring = await start({ keychain: 'gnome_libsecret' }, { SHELL })
  await models(keyring.page)
  await expect(keyring.page.getByText('Keys that you enter are sealed by Secret Service')).toBeVisible()
  await expect.poll(() => readFile(file, 'utf8')).not.toContain(KEY)
  await expect(providerRow(keyring.page)).toContainText('key …6789')
  const sealed = await readFile(file, 'utf8')
  await quit(keyring)

  const without = await start({ keychain: 'basic_text' }, { SHELL })
  const closed = await models(without.page)
  await expect(closed).toContainText('key sealed')
  await expect(closed).toContainText('It stays as it is. Unlock the keychain and look again, or enter the key again.')
  expect(await readFile(file, 'utf8')).toBe(sealed)
  await closed.getByRole('button', { name: 'Replace key…' }).click()
  await closed.getByLabel('Key for OpenAI').fill(`${KEY}-again`)
  await closed.getByRole('button', { name: 'Save' }).click()
  await expect(closed).toContainText('key …gain')
})

test('requests go by the system’s proxy, a dead one is told by its name, a sleep is got over, and the system’s dialogs serve', {
  tag: DOUBLE_ONLY,
}, async () => {
  test.setTimeout(240_000)
  const server = await startPlayedServer()
  const proxied: string[] = []
  const proxy = createServer((request: IncomingMessage, response) => {
    proxied.push(`${request.method} ${request.url}`)
    const { pathname } = new URL(request.url ?? '')
    const onward = ask(`${server.url}${pathname}`, { method: request.method, headers: request.headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  const port = await listening(proxy)
  try {
    await settings({ 'agent.model': 'openai/far', 'agent.mode': 'auto' })
    await writeFile(join(home, 'config', 'consents.json'), '["openai"]')
    await writeFile(join(folder, 'note.txt'), 'a note\n')
    const SHELL = await shell('exec /bin/sh -c "$4"')
    const env = { SHELL, OPENAI_API_KEY: KEY, OPENAI_BASE_URL: 'http://models.lan/v1', HTTP_PROXY: '', http_proxy: '' }
    const desktop = await start({ proxy: `PROXY 127.0.0.1:${port}; DIRECT` }, env)
    const { page } = desktop
    await trust(page)

    // What was under way when the machine fell asleep is asked again.
    const awake = async () => (await desktop.seen()).awake
    server.play({ said: [{ text: 'Never.' }], sending: { hang: 'headers' } })
    await say(page, 'Are you there?')
    await server.untilAsked(1)
    await expect.poll(awake).toEqual(['prevent-app-suspension'])
    server.play({ said: [{ text: 'I was never gone.' }] })
    await desktop.power('suspend')
    await desktop.power('resume')
    await expect(transcript(page)).toContainText('I was never gone.', { timeout: 60_000 })
    await expect.poll(awake).toEqual([])
    expect(new Set(proxied)).toEqual(new Set(['POST http://models.lan/v1/chat/completions']))

    const gone = await deadPort()
    const dead = `http://127.0.0.1:${gone}`
    await settings({ 'agent.model': 'openai/far', 'http.proxy': dead, 'appearance.theme': 'light' })
    // The core has read it once the window looks as it says.
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
    const before = proxied.length
    await say(page, 'And now?')
    const told = agent(page).getByText(new RegExp(`The proxy ${dead} .named in the setting http.proxy`))
    await expect(told.first()).toBeVisible({ timeout: 60_000 })
    await agent(page).getByRole('button', { name: 'Stop' }).click()
    expect(proxied.length).toBe(before)

    const saved = join(base, 'a talk.md')
    await desktop.answer('showSaveDialog', { canceled: false, filePath: saved })
    await runCommand(page, 'Export the session as Markdown')
    await expect(page.getByText(`Saved: ${saved}`)).toBeVisible()
    expect(await readFile(saved, 'utf8')).toContain('I was never gone.')
    await desktop.answer('showOpenDialog', { canceled: false, filePaths: [join(folder, 'note.txt')] })
    await desktop.clickMenu('app.openFile')
    await expect(tab(page, 'note.txt')).toBeVisible()
    await runCommand(page, 'Save as…')
    const asking = page.getByRole('dialog', { name: 'Save note.txt as' })
    const saveAt = async (filePath: string) => {
      await desktop.answer('showSaveDialog', { canceled: false, filePath })
      await asking.getByRole('button', { name: 'Browse…' }).click()
    }
    await saveAt(join(base, 'elsewhere.txt'))
    await expect(asking).toContainText(`${join(base, 'elsewhere.txt')} lies outside the opened folders`)
    await saveAt(join(folder, 'a copy.txt'))
    await expect(tab(page, 'a copy.txt')).toBeVisible()
    await expect(asking).toBeHidden()
    expect(await readFile(join(folder, 'a copy.txt'), 'utf8')).toBe('a note\n')
    const more = ['one more', 'and another'].map(name => join(base, name))
    for (const each of more) await mkdir(each)
    await desktop.answer('showOpenDialog', { canceled: false, filePaths: more })
    await desktop.clickMenu('app.addFolder')
    await page.getByRole('dialog').getByRole('button', { name: 'Browse…' }).click()
    for (const name of ['one more', 'and another']) {
      await page.getByRole('button', { name: 'Trust and add' }).click()
      await expect(page.getByText(`Added ${name}`)).toBeVisible()
    }
    await expect(treeItem(page, 'and another')).toBeVisible()
    await treeItem(page, 'note.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Show in the system’s file manager' }).click()
    await expect.poll(async () => (await desktop.seen()).shown).toEqual([join(folder, 'note.txt')])
    expect((await desktop.seen()).dialogs.map(({ kind, options }) => [kind, options.title])).toEqual([
      ['showSaveDialog', 'Save the conversation as'],
      ['showOpenDialog', 'Open file…'],
      ['showSaveDialog', 'Save note.txt as'],
      ['showSaveDialog', 'Save note.txt as'],
      ['showOpenDialog', expect.stringContaining('Add a folder')],
    ])
    await quit(desktop)
  } finally {
    await server.close()
    proxy.closeAllConnections()
    proxy.close()
  }
})
