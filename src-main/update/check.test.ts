/** Looking for a newer Belay on a real server: what is believed, and each way in which nothing is. */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkForUpdate } from './check.ts'
import { DAY_MS, FEED, type FeedServer, feedText, newKey, signFeed, startFeedServer } from './feed-server.case.ts'

let stateDir = ''
let server: FeedServer
const artifact = Buffer.from('new')
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'belay-check-'))
  server = await startFeedServer()
})
afterEach(async () => {
  await server.close()
  await rm(stateDir, { recursive: true, force: true })
})

const check = (more: Partial<Parameters<typeof checkForUpdate>[0]> = {}) =>
  checkForUpdate({ source: server.source, fetch, version: '1.2.3', stateDir, platform: 'linux', arch: 'x64', ...more })
const remembered = () => readdir(join(stateDir, 'desktop')).catch(() => [])

test('a signed feed is read; the running version is the newest; of the server only the feed is asked', async () => {
  server.publish({ version: '1.10.0', artifact, notes: 'Better <b>ropes</b>' })
  expect(await check()).toMatchObject({
    version: '1.10.0',
    releaseNotes: 'Better <b>ropes</b>',
    files: [{ url: 'Belay-1.10.0.AppImage', size: 3, sha512: createHash('sha512').update(artifact).digest('base64') }],
  })
  expect(await check({ version: '1.10.0' })).toBeNull()
  expect(new Set(server.asked)).toEqual(new Set([FEED, `${FEED}.sig`]))
  // A pre-release comes before its release.
  expect(await check({ version: '1.10.0-beta.2' })).toMatchObject({ version: '1.10.0' })
})

test('a changed feed, another key, another platform’s feed and no signature are not believed, and nothing is kept', async () => {
  server.publish({ version: '2.0.0', artifact })
  const good = String(server.files.get(FEED))
  const unsigned = () => expect(check()).rejects.toMatchObject({ failure: 'unsigned' })
  for (const changed of [good.replace('2.0.0', '2.0.1'), `${good} `, good.replace(/sha512: ./, 'sha512: B'), '']) {
    server.files.set(FEED, changed)
    await unsigned()
  }
  server.files.set(FEED, good)
  expect(await check()).not.toBeNull()
  await rm(join(stateDir, 'desktop'), { recursive: true })

  const other = { privateKey: newKey().privateKey, until: new Date(Date.now() + DAY_MS) }
  const forged = signFeed(FEED.slice(1), feedText({ version: '2.0.0', artifact }), other)
  server.files.set(FEED, forged.feed).set(`${FEED}.sig`, forged.signature)
  await unsigned()
  for (const signature of ['', 'AAAA', 'not base64 at all', Buffer.alloc(64).toString('base64')]) {
    server.files.set(`${FEED}.sig`, signature)
    await unsigned()
  }
  server.publish({ version: '2.0.0', artifact })
  for (const end of ['', '.sig']) server.files.set(`/latest-mac.yml${end}`, server.files.get(`${FEED}${end}`) ?? '')
  await expect(check({ platform: 'darwin' })).rejects.toMatchObject({ failure: 'unsigned' })
  await expect(check({ source: { ...server.source, publicKey: 'AAAA' } })).rejects.toMatchObject({
    failure: 'unsigned',
  })
  expect(await remembered()).toEqual([])
})

test('what is older than this Belay, or than one that was offered before, is refused, and so is what has run out', async () => {
  server.publish({ version: '1.2.2', artifact })
  await expect(check()).rejects.toMatchObject({ failure: 'older', detail: '1.2.2' })
  server.publish({ version: '3.0.0', artifact, releaseDate: '2026-06-01T00:00:00.000Z' })
  expect(await check()).toMatchObject({ version: '3.0.0' })
  server.publish({ version: '2.9.9', artifact })
  await expect(check()).rejects.toMatchObject({ failure: 'older' })
  server.publish({ version: '3.0.0', artifact, releaseDate: '2026-05-31T00:00:00.000Z' })
  await expect(check()).rejects.toMatchObject({ failure: 'older' })
  server.publish({ version: '3.0.0', artifact, releaseDate: '2026-06-01T00:00:00.000Z' })
  expect(await check()).toMatchObject({ version: '3.0.0' })
  server.publish({ version: '4.0.0', artifact, until: new Date(Date.now() - 1000) })
  await expect(check()).rejects.toMatchObject({ failure: 'expired' })
  expect(JSON.parse(await readFile(join(stateDir, 'desktop', 'update.json'), 'utf8')).version).toBe('3.0.0')
  // A broken memory costs its knowledge, not the updates.
  await writeFile(join(stateDir, 'desktop', 'update.json'), '{')
  server.publish({ version: '2.9.9', artifact })
  expect(await check()).toMatchObject({ version: '2.9.9' })
})

test('a well signed feed that is no feed is refused: places, sizes, versions, bombs', async () => {
  for (const release of [
    { version: '2.0.0', artifact, file: '../../etc/passwd' },
    { version: '2.0.0', artifact, file: 'https://elsewhere.example/x.AppImage' },
    { version: '2.0.0', artifact, file: '"a/b.AppImage"' },
    { version: '2.0.0', artifact, size: 2 ** 31 },
    { version: '2.0.0', artifact, size: 0 },
    { version: '2.0.0-beta', artifact },
    { version: '2.0.0', artifact, releaseDate: 'yesterday' },
    { version: '2.0.0', artifact, notes: 'x'.repeat(20_001) },
    { version: '2.0.0\nbomb: &a [1]\nmore: [*a, *a]', artifact },
  ]) {
    server.publish(release)
    await expect([release, await check().catch(fault => fault.failure)]).toEqual([release, 'malformed'])
  }
})

test('a server that is away, silent, broken, elsewhere or without end: each has its word, and nothing is kept', async () => {
  server.publish({ version: '2.0.0', artifact })
  const said = (answer: Parameters<typeof server.files.set>[1], timeoutMs = 5000) => {
    server.files.set(FEED, answer)
    return check({ timeoutMs }).then(
      () => null,
      ({ failure, detail }) => [failure, detail],
    )
  }
  expect(await said((_, response) => response.writeHead(500).end('oh'))).toEqual(['refused', '500'])
  expect(await said((_, response) => response.writeHead(404).end())).toEqual(['refused', '404'])
  const other = await startFeedServer()
  other.publish({ version: '2.0.0', artifact })
  for (const status of [301, 302, 307, 308]) {
    const location = new URL(FEED, other.source.url).href
    expect(await said((_, response) => response.writeHead(status, { location }).end())).toEqual(['redirected', null])
  }
  expect(other.asked).toEqual([])
  await other.close()
  expect(await said(() => {}, 200)).toEqual(['timeout', null])
  expect(await said((_, response) => void response.writeHead(200).write('version:'), 200)).toEqual(['timeout', null])
  let sent = 0
  const endless = await said((_, response) => {
    const more = () => {
      sent += 65_536
      if (!response.destroyed && sent < 2 ** 28) response.write(Buffer.alloc(65_536), more)
    }
    more()
  })
  expect(endless).toEqual(['tooLarge', FEED])
  expect(sent).toBeLessThan(2 ** 26)
  expect((await said(request => request.socket.destroy()))?.[0]).toBe('offline')
  await server.close()
  expect((await said(''))?.[0]).toBe('offline')
  expect(await remembered()).toEqual([])
})
