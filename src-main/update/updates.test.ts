/** The whole way to a newer Belay, with electron-updater itself: an AppImage that is replaced, and each way in which it is not. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { UpdateFailure, UpdateState } from '#contract/update'
import type { UpdateCheck } from '#contract/window-settings'
import { type FeedServer, startFeedServer } from './feed-server.case.ts'
import { installedAs } from './installed-as.ts'
import { createInstaller } from './installer.ts'
import { feedSource } from './source.ts'
import { createUpdates } from './updates.ts'

const context = { clientId: 'w', signal: new AbortController().signal }
let base = ''
let server: FeedServer
let appImage = ''
const before = process.env.APPIMAGE
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'belay-update-'))
  server = await startFeedServer()
  await mkdir(join(base, 'apps'))
  appImage = join(base, 'apps', 'Belay.AppImage')
  await writeFile(appImage, 'the old one')
  process.env.APPIMAGE = appImage
})
afterEach(async () => {
  process.env.APPIMAGE = before
  if (before === undefined) delete process.env.APPIMAGE
  await server.close()
  await rm(base, { recursive: true, force: true })
})

/** The new Belay says that it was started, and how. */
const program = (padding = '') =>
  Buffer.from(
    `#!/bin/sh\nprintf '%s' "new $APPIMAGE_SILENT_INSTALL" > '${join(base, 'started')}.tmp'\nmv '${join(base, 'started')}.tmp' '${join(base, 'started')}'\n#${padding}`,
  )

function open(more: Partial<Parameters<typeof createUpdates>[0]> = {}) {
  const states: UpdateState[] = []
  const notInstalled: UpdateFailure[] = []
  const ends: string[] = []
  let last: Promise<void> | null = null
  const options = { source: server.source, fetch, version: '1.0.0', log: () => {}, idleMs: 300, quit: () => {} }
  const updates = createUpdates({
    ...options,
    stateDir: join(base, 'state'),
    platform: 'linux',
    arch: 'x64',
    timeoutMs: 2000,
    allowed: () => 'onStart',
    installer: async () => createInstaller('appimage', { ...options, cacheDir: join(base, 'cache') }),
    quitAnd: act => {
      ends.push('asked')
      last = act()
    },
    tellNotInstalled: failure => notInstalled.push(failure),
    ...more,
  })
  updates.changed.on(state => states.push(state))
  const { handlers } = updates
  return {
    states,
    kinds: () => states.map(({ kind }) => kind).filter((kind, index, all) => kind !== all[index - 1]),
    notInstalled,
    ends,
    check: (unasked = false) => handlers.check({ unasked }, context),
    fetch: () => handlers.fetch({}, context),
    cancel: () => handlers.cancel({}, context),
    state: () => handlers.state({}, context),
    async install() {
      await handlers.install({}, context)
      await last
    },
  }
}

const untouched = async () => {
  expect(await readFile(appImage, 'utf8')).toBe('the old one')
  expect(await readdir(join(base, 'apps'))).toEqual(['Belay.AppImage'])
}
const waiting = () => readdir(join(base, 'cache', 'update', 'pending')).catch(() => [])

test('looked for, found, fetched, put in place and started, each at its own word', async () => {
  server.publish({ version: '1.1.0', artifact: program('x'.repeat(300_000)), notes: 'Better ropes' })
  const belay = open()
  expect(belay.state()).toEqual({ kind: 'idle' })
  expect(server.asked).toEqual([])
  expect(await belay.check()).toMatchObject({ kind: 'found', version: '1.1.0', notes: 'Better ropes' })
  expect(server.asked.some(path => path.endsWith('.AppImage'))).toBe(false)
  expect(await belay.fetch()).toEqual({ kind: 'ready', version: '1.1.0', notes: 'Better ropes' })
  expect(belay.states).toContainEqual(
    expect.objectContaining({ kind: 'fetching', doneBytes: 300_000 + program().length }),
  )
  await untouched()
  expect(belay.ends).toEqual([])

  await belay.install()
  expect(belay.ends).toEqual(['asked'])
  expect(belay.notInstalled).toEqual([])
  expect(await readFile(appImage, 'utf8')).toContain('#!/bin/sh')
  expect((await stat(appImage)).mode & 0o777).toBe(0o755)
  await expect.poll(() => readFile(join(base, 'started'), 'utf8').catch(() => '')).toBe('new true')
  expect(belay.kinds()).toEqual(['checking', 'found', 'fetching', 'ready'])
})

test('nothing is asked of the network but at a word, and unasked only once', async () => {
  server.publish({ version: '1.0.0', artifact: program() })
  const belay = open()
  for (const act of [belay.fetch, belay.cancel, belay.install]) await act()
  expect([server.asked, belay.states]).toEqual([[], []])
  expect(await belay.check(true)).toEqual({ kind: 'newest', version: '1.0.0' })
  const { length } = server.asked
  await belay.check(true)
  expect(server.asked).toHaveLength(length)
  await Promise.all([belay.check(), belay.check(), belay.check()])
  expect(server.asked).toHaveLength(length + 2)
})

test('the setting counts at every question: unasked only where it says so, nothing at all where it is off', async () => {
  server.publish({ version: '1.1.0', artifact: program() })
  let allowed: UpdateCheck = 'off'
  const belay = open({ allowed: () => allowed })
  const off = { kind: 'unavailable', why: 'off' }
  for (const act of [belay.check, () => belay.check(true), belay.fetch]) expect(await act()).toEqual(off)
  allowed = 'manual'
  expect(await belay.check(true)).toEqual({ kind: 'idle' })
  expect([server.asked, belay.states]).toEqual([[], []])
  expect(await belay.check()).toMatchObject({ kind: 'found' })
  const { length } = server.asked
  allowed = 'off'
  expect([await belay.fetch(), await belay.check()]).toEqual([off, off])
  expect(server.asked).toHaveLength(length)
  allowed = 'manual'
  expect(await belay.fetch()).toMatchObject({ kind: 'ready' })
})

test('another file than the signed feed names is thrown away: changed, cut, longer, gone, elsewhere, silent', async () => {
  const artifact = program('y'.repeat(200_000))
  const changed = Buffer.from(artifact)
  changed[artifact.length - 1] = 0
  const elsewhere = await startFeedServer()
  const path = '/Belay-1.1.0.AppImage'
  const cases: [answer: Parameters<typeof server.files.set>[1], failure: UpdateFailure, detail: string | null][] = [
    [changed, 'damaged', null],
    [artifact.subarray(0, 1000), 'damaged', null],
    [Buffer.concat([artifact, Buffer.alloc(2 ** 20)]), 'tooLarge', `${artifact.length}`],
    [(_, response) => response.writeHead(503).end(), 'refused', '503'],
    [(_, response) => response.writeHead(302, { location: `${elsewhere.source.url}x` }).end(), 'redirected', null],
    [(_, response) => void response.writeHead(200).write(artifact.subarray(0, 5000)), 'timeout', null],
  ]
  for (const [answer, failure, detail] of cases) {
    server.publish({ version: '1.1.0', artifact })
    server.files.set(path, answer)
    const belay = open()
    await belay.check()
    expect(await belay.fetch()).toEqual({ kind: 'failed', failure, detail })
    await belay.install()
    expect(belay.ends).toEqual([])
    expect(await waiting()).toEqual([])
    await untouched()
  }
  expect(elsewhere.asked).toEqual([])
  await elsewhere.close()
})

test('a fetch that is cancelled leaves the offer, and nothing on disk', async () => {
  const artifact = program('z'.repeat(100_000))
  server.publish({ version: '1.1.0', artifact })
  server.files.set(
    '/Belay-1.1.0.AppImage',
    (_, response) => void response.writeHead(200).write(artifact.subarray(0, 9)),
  )
  const belay = open()
  await belay.check()
  const done = belay.fetch()
  await expect.poll(() => server.asked.at(-1)).toBe('/Belay-1.1.0.AppImage')
  await belay.cancel()
  expect(await done).toMatchObject({ kind: 'found', version: '1.1.0' })
  expect(await waiting()).toEqual([])
  server.publish({ version: '1.1.0', artifact })
  expect(await belay.fetch()).toMatchObject({ kind: 'ready' })
})

test('what was changed while it waited is not installed; an old file that cannot be replaced stays, and a person is told', async () => {
  server.publish({ version: '1.1.0', artifact: program() })
  const belay = open()
  await belay.check()
  await belay.fetch()
  const [name] = (await waiting()).filter(each => each.endsWith('.AppImage'))
  await writeFile(join(base, 'cache', 'update', 'pending', `${name}`), '#!/bin/sh\necho hostile')
  await belay.install()
  expect(belay.notInstalled).toEqual(['damaged'])
  await untouched()

  const second = open()
  await second.check()
  await second.fetch()
  process.env.APPIMAGE = join(base, 'apps', 'no', 'such.AppImage')
  await second.install()
  expect(second.notInstalled).toEqual(['notInstalled'])
  await untouched()
})

test('a folder that cannot be written: said, and nothing is half there', async () => {
  server.publish({ version: '1.1.0', artifact: program() })
  await writeFile(join(base, 'cache'), 'a file where a folder should be')
  const belay = open()
  await belay.check()
  expect(await belay.fetch()).toMatchObject({ kind: 'failed', failure: 'disk' })
  await untouched()
})

test('without a feed, or not installed as a package: said at once, and nothing is ever asked', async () => {
  expect(open({ source: null }).state()).toEqual({ kind: 'unavailable', why: 'noFeed' })
  const loose = open({ installer: null })
  expect(await loose.check()).toEqual({ kind: 'unavailable', why: 'unpackaged' })
  expect(server.asked).toEqual([])
  const resources = join(base, 'resources')
  await mkdir(resources)
  expect(installedAs('linux', {}, resources)).toBeNull()
  expect(installedAs('linux', { APPIMAGE: '/x' }, resources)).toBe('appimage')
  await writeFile(join(resources, 'package-type'), 'deb\n')
  expect(installedAs('linux', {}, resources)).toBe('deb')
  expect([installedAs('darwin', {}, resources), installedAs('win32', {}, resources)]).toEqual(['mac', 'nsis'])
})

test('a packaged Belay takes its feed from the build alone, and only one that nobody can change on its way', () => {
  const env = (url: string) => ({ BELAY_FEED_URL: url, BELAY_FEED_KEY: 'AAAA' })
  expect(feedSource(true, env('https://example.org/feed'))).toBeNull()
  expect(feedSource(false, env('https://example.org/feed'))?.url).toBe('https://example.org/feed/')
  expect(feedSource(false, env('http://127.0.0.1:1/'))?.url).toBe('http://127.0.0.1:1/')
  for (const url of ['http://example.org/', 'file:///tmp/', 'ftp://example.org/', 'nowhere']) {
    expect([url, feedSource(false, env(url))]).toEqual([url, null])
  }
})

test('the signing script, as a person runs it', async () => {
  const script = join(import.meta.dirname, '../../scripts/sign-feed.mjs')
  const node = (args: string[], env = {}) =>
    promisify(execFile)(process.execPath, [script, ...args], { env: { ...process.env, ...env } })
  const keys = Object.fromEntries(
    (await node(['new-key'])).stdout
      .trim()
      .split('\n')
      .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const folder = join(base, 'dist')
  await mkdir(folder)
  const { feedText } = await import('./feed-server.case.ts')
  await writeFile(join(folder, 'latest-linux.yml'), feedText({ version: '1.1.0', artifact: program() }))
  await chmod(folder, 0o755)
  const refused = await node([folder]).catch(fault => fault.stderr)
  expect(refused).toContain('BELAY_FEED_PRIVATE_KEY')
  const wrong = [['--days=ninety'], ['--days', '0'], ['--day', '3'], ['3']]
  const answers = wrong.map(days => node([folder, ...days], keys).catch(() => 'refused'))
  expect(await Promise.all(answers)).toEqual(wrong.map(() => 'refused'))
  expect(await readdir(folder)).toEqual(['latest-linux.yml'])
  await node([folder, '--days=3'], keys)
  await node([folder, '--days', '30'], keys)
  const { isSigned } = await import('./signature.ts')
  const feed = await readFile(join(folder, 'latest-linux.yml'))
  const signature = await readFile(join(folder, 'latest-linux.yml.sig'), 'latin1')
  expect(isSigned('latest-linux.yml', feed, { signature, publicKey: keys.BELAY_FEED_KEY ?? '' })).toBe(true)
  const terms = [...feed.toString().matchAll(/^validUntil: '(.+)'$/gm)]
  expect(terms).toHaveLength(1)
  expect(Date.parse(terms[0]?.[1] ?? '') - Date.now()).toBeGreaterThan(29 * 86_400_000)
})
