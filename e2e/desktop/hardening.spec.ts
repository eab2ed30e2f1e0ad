/** What a page of the built desktop app can reach, and what main gives to whoever asks: nothing that is not listed here. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { FEED, startFeedServer } from '../../src-main/update/feed-server.case.ts'
import { DOUBLE_ONLY } from '../forms/form.ts'
import { type DesktopApp, startApp } from './start-app.ts'

let folder = ''
let app: DesktopApp | null = null
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-hard-'))
  await writeFile(join(folder, 'secret.txt'), 'secret')
})
test.afterEach(async () => {
  await app?.close()
  app = null
  await rm(folder, { recursive: true, force: true })
})

const connected = (page: Page) => expect(page.getByText('connected', { exact: true })).toBeVisible({ timeout: 45_000 })
const start = async (...given: Parameters<typeof startApp>) => {
  app = await startApp(...given)
  await connected(app.page)
  return app
}

test('of Node and Electron the page has two frozen functions, whatever it breaks in itself; no frame within it has even that', async () => {
  const { page } = await start(folder)
  expect(await page.evaluate(bridgeSeen)).toEqual({
    keys: ['connect', 'pathOf'],
    frozen: [true, true],
    writable: false,
    configurable: false,
    replaced: false,
    answers: [],
  })
  expect(await page.evaluate(foreignThings)).toEqual([])
  expect(await page.evaluate(importsOf, ['electron', 'node:fs', 'fs', 'original-fs', '/etc/passwd'])).toEqual([])
  expect(await page.evaluate(whatIsThrown)).not.toMatch(/electron|preload|node_modules|\/out\/|internal/i)
  expect(await page.evaluate(bridgesOfFrames)).toEqual([false, false, false])

  // A file that the page itself made lies nowhere, and nothing else is a file.
  expect(await page.evaluate(pathsOfInventions)).toEqual(['', 'refused', 'refused', 'refused'])
  // What crosses is a copy: a page that has changed its own world has not changed what the preload calls.
  expect(await page.evaluate(portAfterPollution)).toEqual({ ports: 1, requestId: 'a-request-of-the-page' })
  await page.reload()
  await connected(page)
})

test('main gives no permission, device, file, window or port to whoever has no right to it, and makes every window alike', {
  tag: DOUBLE_ONLY,
}, async () => {
  const desktop = await start(folder)
  const { page } = desktop
  await expect.poll(async () => (await desktop.menu()).flatMap(({ items }) => items)).toContain('app.newWindow')
  await desktop.clickMenu('app.newWindow')
  await expect.poll(async () => (await desktop.windows()).length, { timeout: 30_000 }).toBe(2)
  const [first, ...others] = await desktop.preferences()
  expect(first).toMatchObject({ contextIsolation: true, sandbox: true, nodeIntegration: false, webviewTag: false })
  expect(others).toEqual([first])
  expect(await desktop.webRtcPolicies()).toEqual(['disable_non_proxied_udp', 'disable_non_proxied_udp'])
  expect(await desktop.spelling()).toBe(false)

  for (const [url, top, allowed] of [
    ['app://belay/', true, true],
    ['app://belay/', false, false],
    ['https://example.org/', true, false],
    ['app://belay.evil/', true, false],
  ] as const) {
    expect(await desktop.permission('clipboard-read', url, top)).toBe(allowed)
    expect(await desktop.permissionCheck('clipboard-read', url, top)).toBe(allowed)
    expect(await desktop.permission('media', url, top)).toBe(false)
    expect(await desktop.permissionCheck('media', url, top)).toBe(false)
  }
  expect(await desktop.askForEach()).toEqual({
    remembered: false,
    screen: null,
    pairing: false,
    bluetooth: null,
    serial: null,
    hid: null,
    usb: null,
    certificate: null,
    badCertificate: false,
    password: false,
    webview: false,
  })

  const speak = (forged: Parameters<DesktopApp['speakAs']>[1], ...args: unknown[]) =>
    desktop.speakAs('belay:connect', forged, args)
  expect(await speak({}, 'host', 'r-1')).toBe(1)
  for (const url of [
    'https://example.org/',
    'app://belay.evil/index.html',
    'app://belay/assets/x.svg',
    'about:blank',
    '',
  ])
    expect([url, await speak({ url }, 'host', 'r-1')]).toEqual([url, 0])
  expect(await speak({ child: true }, 'host', 'r-1')).toBe(0)
  expect(await speak({ gone: true }, 'host', 'r-1')).toBe(0)
  expect(await speak({ stranger: true }, 'host', 'r-1')).toBe(0)
  for (const args of [[], ['host'], ['nobody', 'r'], ['constructor', 'r'], ['host', 1], [['host'], 'r'], [{}, {}]])
    expect([args, await speak({}, ...args)]).toEqual([args, 0])
  expect(await speak({}, 'host', 'r'.repeat(65))).toBe(0)
  expect(await speak({}, 'host', '<img src=x>')).toBe(0)
  expect(await desktop.speakAs('belay:other', {}, ['host', 'r-1'])).toBe(0)

  const at = page.url()
  const refused = await page.evaluate(
    async ([paths, methods]) => {
      const told: string[] = []
      for (const path of paths ?? [])
        told.push(
          await fetch(path).then(
            answer => `${answer.status}`,
            () => 'failed',
          ),
        )
      for (const method of methods ?? [])
        told.push(await fetch('/index.html', { method }).then(({ status }) => `${status}`))
      return told
    },
    [
      ['/..%2f..%2fpackage.json', '/%2e%2e/x', '/nothing.js', 'file:///etc/passwd', 'https://example.org/'],
      ['POST', 'PUT'],
    ],
  )
  expect(refused).toEqual(['404', '404', '404', 'failed', 'failed', '405', '405'])
  // Also where the page's own policy would have failed.
  const stopped: string[] = []
  page.on('requestfailed', request => stopped.push(`${request.url()} ${request.failure()?.errorText}`))
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Page.setBypassCSP', { enabled: true })
  await page.reload()
  await connected(page)
  expect(await page.evaluate(() => fetch('https://example.org/x').then(() => 'answered', String))).toContain(
    'TypeError',
  )
  await page.evaluate(() => {
    const frame = document.body.appendChild(document.createElement('iframe'))
    frame.src = 'https://example.org/frame'
  })
  const https = () => stopped.filter(each => each.startsWith('https:'))
  await expect.poll(https).toEqual(['https://example.org/x net::ERR_BLOCKED_BY_CLIENT.Inspector'])
  // Chromium says so in the frame itself, and tells no test of its request.
  await expect.poll(() => page.frames().map(each => each.url())).toEqual([at, 'chrome-error://chromewebdata/'])
  await cdp.send('Page.setBypassCSP', { enabled: false })

  await page.evaluate(() => void window.open('https://example.org/link?a=1#b', '_blank', 'nodeIntegration=yes'))
  for (const link of [
    'file:///etc/passwd',
    'javascript:alert(1)',
    'app://belay/index.html',
    'http://example.org/',
    'smb://x/y',
  ])
    await page.evaluate(href => void window.open(href), link)
  for (const link of [
    'https://example.org/away',
    'file:///etc/passwd',
    '/assets/nothing.js',
    'data:text/html,x',
    'blob:app://belay/1',
  ])
    await page.evaluate(href => {
      window.location.href = href
    }, link)
  await page.evaluate(() => {
    const save = (href: string, download: string) =>
      Object.assign(document.createElement('a'), { href, download }).click()
    save('data:text/plain,stranger', 'stranger.txt')
    save(URL.createObjectURL(new Blob(['mine'])), 'mine.txt')
  })
  await expect.poll(async () => (await desktop.seen()).downloads, { timeout: 10_000 }).toEqual(['mine.txt'])
  await expect.poll(async () => (await desktop.seen()).opened).toEqual(['https://example.org/link?a=1#b'])
  expect(page.url()).toBe(at)
  await connected(page)

  expect(await speak({ times: 2000 }, 'host', 'r-1')).toBe(30)
  await connected(page)

  // The app as it is packaged starts with no switch that a stranger could have written.
  const home = await mkdtemp(join(tmpdir(), 'belay-switch-'))
  const started = startApp('--remote-debugging-port=0', { home, double: { packaged: true } })
  await expect(started).rejects.toThrow('the app ended')
  await rm(home, { recursive: true, force: true })
})

test('a newer Belay is looked for, fetched and installed, each at a person’s word; nothing that is not signed is believed', async () => {
  test.setTimeout(240_000)
  const feed = await startFeedServer()
  const own = await mkdtemp(join(tmpdir(), 'belay-appimage-'))
  const appImage = join(own, 'Belay.AppImage')
  await writeFile(appImage, 'the old one')
  try {
    const env = { BELAY_FEED_URL: feed.source.url, BELAY_FEED_KEY: feed.source.publicKey, APPIMAGE: appImage }
    const home = join(own, 'home')
    const allow = (when: string) =>
      writeFile(
        join(home, 'config', 'settings.json'),
        JSON.stringify({ 'update.check': when, 'appearance.theme': 'contrast' }),
      )
    await mkdir(join(home, 'config'), { recursive: true })
    await allow('off')
    const desktop = await start(folder, { env, home })
    const { page } = desktop
    await expect.poll(async () => (await desktop.menu()).flatMap(({ items }) => items)).toContain('app.checkUpdates')
    const started = join(own, 'started')
    const artifact = Buffer.from(`#!/bin/sh\necho new > '${started}'\n#${'x'.repeat(50_000)}\n`)
    const notes = 'Ropes hold <img src=x onerror="document.title=1">\n<script>1</script> \u202Egnp.exe'
    feed.publish({ version: '99.1.0', artifact, notes })
    // The settings have arrived.
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'contrast')
    await desktop.clickMenu('app.checkUpdates')
    await expect(page.getByText('Looking for newer versions is turned off in the settings.')).toBeVisible()
    expect(feed.asked).toEqual([])
    const notice = page.getByRole('region', { name: 'Belay 99.1.0 is there.' })
    await allow('onStart')
    await expect(notice).toBeVisible()

    const good = String(feed.files.get(FEED))
    feed.files.set(FEED, good.replace('99.1.0', '99.2.0'))
    await desktop.clickMenu('app.checkUpdates')
    await expect(page.getByText('No update. What is installed was left as it is.')).toBeVisible()
    await expect(page.getByText('is not signed by those who built this Belay')).toBeVisible()

    feed.files.set(FEED, good)
    await desktop.clickMenu('app.checkUpdates')
    await expect(notice).toBeVisible()
    await expect(page.getByText('No update. What is')).toBeHidden()
    expect(feed.asked.filter(path => !path.startsWith(FEED))).toEqual([])
    await notice.getByRole('button', { name: 'What is new' }).click()
    const said = page.getByRole('dialog', { name: 'What is new in Belay 99.1.0' })
    await expect(said).toContainText('<img src=x onerror="document.title=1">')
    await expect(said).toContainText('⟦U+202E⟧')
    expect(await said.locator('img, script').count()).toBe(0)
    await said.getByRole('button', { name: 'Close' }).click()
    await notice.getByRole('button', { name: 'Download' }).click()
    const ready = page.getByRole('region', { name: 'Belay 99.1.0 has been downloaded and checked.' })
    await expect(ready).toBeVisible()
    expect(await readFile(appImage, 'utf8')).toBe('the old one')

    // What runs is asked about first, and a no changes nothing.
    await page.getByRole('button', { name: 'Trust this folder' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Trust this folder' }).click()
    await expect(page.getByText('not trusted yet')).toBeHidden()
    await desktop.clickMenu('terminal.new')
    const terminal = page.locator('.xterm-helper-textarea')
    await expect(terminal).toBeAttached({ timeout: 30_000 })
    await terminal.focus()
    await page.keyboard.type('sh -c "echo run\'\'ning; sleep 322"\n')
    await expect(page.locator('.xterm-rows')).toContainText('running')
    await desktop.answer('showMessageBox', { response: 1 })
    await ready.getByRole('button', { name: 'Restart to update' }).click()
    await expect.poll(async () => (await desktop.seen()).dialogs.length, { timeout: 30_000 }).toBe(1)
    await connected(page)
    expect(await readFile(appImage, 'utf8')).toBe('the old one')

    await desktop.answer('showMessageBox', { response: 0 })
    await ready.getByRole('button', { name: 'Restart to update' }).click()
    expect(await desktop.exited).toBe(0)
    expect(await readFile(appImage)).toEqual(artifact)
    await expect.poll(() => readFile(started, 'utf8').catch(() => '')).toBe('new\n')
  } finally {
    await feed.close()
    await rm(own, { recursive: true, force: true })
  }
})

async function bridgeSeen() {
  const { belay } = window as unknown as { belay: Record<string, unknown> & { connect(...args: unknown[]): unknown } }
  const described = Object.getOwnPropertyDescriptor(window, 'belay')
  const before = belay.connect
  for (const change of [
    () => {
      belay.connect = () => {}
    },
    () => {
      belay.more = 1
    },
    () => {
      Object.assign(window, { belay: {} })
    },
    () => {
      Object.setPrototypeOf(belay, { more: 1 })
    },
    () => Reflect.deleteProperty(window, 'belay'),
  ]) {
    try {
      change()
    } catch {
      // Refused aloud: as well.
    }
  }
  const now = (window as unknown as { belay: typeof belay }).belay
  return {
    keys: Object.keys(now),
    frozen: [Object.isFrozen(now), Object.isFrozen(now.connect)],
    writable: described?.writable,
    configurable: described?.configurable,
    replaced: now !== belay || now.connect !== before || 'more' in now,
    answers: [now.connect('nobody', 'x')].filter(each => each !== undefined),
  }
}

/** Walks everything that can be reached from the page's globals by name. */
function foreignThings(): string[] {
  const found: string[] = []
  const seen = new Set<unknown>([null, undefined])
  const waiting: [string, object, number][] = [['window', window, 0]]
  const foreign =
    /^(require|module|exports|process|Buffer|global|setImmediate|clearImmediate|__dirname|__filename|electron\w*|ipcRenderer|contextBridge|webFrame|webUtils|nativeImage|crashReporter|remote)$/
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [path, value, depth] = next
    if (seen.has(value)) continue
    seen.add(value)
    const isPage = value instanceof Node || value instanceof CSSRule || value instanceof StyleSheet
    for (const name of isPage ? [] : Reflect.ownKeys(value)) {
      const at = `${path}.${String(name)}`
      if (typeof name === 'string' && foreign.test(name) && depth === 0) found.push(at)
      let inner: unknown
      try {
        inner = Reflect.get(value, name)
      } catch {
        continue
      }
      if (typeof inner === 'string' && /electron\/js2c|asar|node:internal|preload\/index/.test(inner)) found.push(at)
      if ((typeof inner === 'object' || typeof inner === 'function') && inner !== null && depth < 6)
        waiting.push([at, inner, depth + 1])
    }
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype && depth < 6) waiting.push([`${path}.__proto__`, prototype as object, depth + 1])
  }
  if (window.opener !== null) found.push('window.opener')
  if (window.parent !== window) found.push('window.parent')
  if (/electron/i.test(navigator.userAgent)) found.push('navigator.userAgent')
  return found
}

const importsOf = (names: string[]) =>
  Promise.all(
    names.map(name =>
      import(/* @vite-ignore */ name).then(
        () => name,
        () => null,
      ),
    ),
  ).then(all => all.filter(each => each !== null))

/** Whatever the bridge throws, and whatever hangs on it. */
function whatIsThrown(): string {
  const { belay } = window as unknown as { belay: { connect(...args: unknown[]): unknown } }
  const told: string[] = []
  for (const args of [
    [Symbol('x')],
    [() => {}],
    [window],
    [
      {
        get a() {
          throw new Error('mine')
        },
      },
    ],
    [1n, new WeakMap()],
  ]) {
    try {
      belay.connect(...args)
    } catch (thrown) {
      const fault = thrown as Error
      told.push(`${fault.stack}`.replaceAll(window.location.origin, ''), String(fault.constructor?.constructor))
    }
  }
  told.push(Function.prototype.toString.call(belay.connect))
  return told.join('\n')
}

function pathsOfInventions(): string[] {
  const { belay } = window as unknown as { belay: { pathOf(file: unknown): string } }
  return [new File(['x'], '/etc/passwd'), { path: '/etc/passwd' }, '/etc/passwd', null].map(each => {
    try {
      return belay.pathOf(each)
    } catch {
      return 'refused'
    }
  })
}

async function bridgesOfFrames(): Promise<boolean[]> {
  const made = ['about:blank', 'blob', 'self'].map(async kind => {
    const frame = document.createElement('iframe')
    if (kind === 'blob') frame.src = URL.createObjectURL(new Blob(['<p>x'], { type: 'text/html' }))
    if (kind === 'self') frame.src = '/index.html'
    const loaded = new Promise(resolve => frame.addEventListener('load', resolve))
    document.body.append(frame)
    await loaded
    let has = false
    try {
      has = frame.contentWindow !== null && 'belay' in frame.contentWindow
    } catch {
      // Another origin: nobody looks in, and nobody looks out.
    }
    frame.remove()
    return has
  })
  return Promise.all(made)
}

function portAfterPollution(): Promise<{ ports: number; requestId: string }> {
  const { belay } = window as unknown as { belay: { connect(channel: string, requestId: string): void } }
  return new Promise((resolve, reject) => {
    window.addEventListener('message', event => {
      const { belayPort } = event.data as { belayPort: string }
      if (belayPort === 'a-request-of-the-page') resolve({ ports: event.ports.length, requestId: belayPort })
    })
    const hostile = () => reject(new Error('the preload used what the page put there'))
    for (const name of ['channel', 'requestId', 'belayPort'])
      Object.defineProperty(Object.prototype, name, { get: hostile, set: hostile, configurable: true })
    window.postMessage = () => {}
    MessagePort.prototype.postMessage = () => {}
    belay.connect('host', 'a-request-of-the-page')
  })
}
