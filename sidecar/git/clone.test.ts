/** Cloning for real: from a bare repository on this disk, from a server that never answers, and what is refused before git runs. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CloneRequest, checkAddress, clone, nameOf } from './clone.ts'

let base = ''
let bare = ''
const who = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' }
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', args, { cwd, env: { ...process.env, ...who }, stdio: 'pipe', timeout: 10_000 })

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'belay-clone-')))
  const source = join(base, 'source')
  await mkdir(source)
  await writeFile(join(source, 'hello.txt'), 'hello')
  git(source, 'init', '--quiet')
  git(source, 'add', '--all')
  git(source, 'commit', '--quiet', '--message=one')
  bare = join(base, 'bare.git')
  git(base, 'clone', '--quiet', '--bare', source, bare)
})
afterAll(() => rm(base, { recursive: true, force: true }))

const run = (request: Partial<CloneRequest>, signal = new AbortController().signal) => {
  const phases: string[] = []
  const onProgress = ({ phase }: { phase: string }) => void phases.push(phase)
  const done = clone(
    { address: bare, into: base, name: null, ...request },
    { env: process.env, signal, onProgress, readOnlyRoot: () => null },
  )
  return done.then(({ folder }) => ({ folder, phases }))
}
const names = async () => (await readdir(base)).sort()

describe('a clone', () => {
  it('makes the folder by its name, and says how far it is', async () => {
    const { folder, phases } = await run({ address: pathToFileURL(bare).href, into: join(base, 'code') })
    expect(folder).toBe(join(base, 'code/bare'))
    expect(await readFile(join(folder, 'hello.txt'), 'utf8')).toBe('hello')
    expect(phases).toContain('receiving')
  })

  it('into an empty folder that is there; never where something is', async () => {
    await mkdir(join(base, 'empty'))
    expect((await run({ name: 'empty' })).folder).toBe(join(base, 'empty'))
    await expect(run({ name: 'empty' })).rejects.toMatchObject({ code: 'already_exists' })
    expect(await readFile(join(base, 'empty/hello.txt'), 'utf8')).toBe('hello')
  })

  it('that fails says why and leaves nothing, also of the folders on the way', async () => {
    const before = await names()
    await expect(run({ address: join(base, 'nowhere.git'), into: join(base, 'a/b') })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('nothing is left of it'),
    })
    expect(await names()).toEqual(before)
  })

  it('of a server that asks who one is asks nobody, and no password is said aloud', async () => {
    const server = createServer((_, response) => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = `http://me:hunter2@127.0.0.1:${(server.address() as AddressInfo).port}/x.git`
    const fault = await run({ address, name: 'private' }).catch(thrown => thrown)
    server.close()
    expect(fault).toMatchObject({ code: 'auth' })
    expect(fault.message).not.toContain('hunter2')
    expect(await names()).not.toContain('private')
  })

  it('is cancelled at once, whole, and takes its half away', async () => {
    let heard = () => {}
    const asked = new Promise<void>(resolve => {
      heard = resolve
    })
    const server = createServer(() => heard())
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const cancel = new AbortController()
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/slow.git`
    const running = run({ address }, cancel.signal).catch(thrown => thrown)
    await asked
    const gone = new Promise<void>(resolve => server.close(() => resolve()))
    cancel.abort()
    expect(await running).toMatchObject({ code: 'cancelled' })
    expect(await names()).not.toContain('slow')
    await gone
  })
})

describe('an address', () => {
  it.each([
    '',
    '-u./payload',
    '--upload-pack=touch /tmp/x',
    'ext::sh -c touch% /tmp/x',
    'fd::17',
    'https::https://x',
    'ftp://x/y',
    'EXT::x',
    'ssh://-oProxyCommand=x/y',
    'ssh://me@-oProxyCommand=x/y',
    '-oProxyCommand=x:y',
    './relative',
    'relative',
    'https://x/y\nz',
  ])('%j is refused', address => {
    expect(() => checkAddress(address)).toThrow(/Nothing was cloned/)
  })

  it.each([
    ['https://github.com/a/b.git', 'b'],
    ['git@github.com:a/b.git', 'b'],
    ['ssh://git@host:22/a/b/', 'b'],
    ['host:repo', 'repo'],
    ['/srv/git/x.git', 'x'],
    ['file:///srv/x/.git', 'x'],
    ['https://[::1]/y', 'y'],
  ])('%s is taken, and makes the folder %s', (address, name) => {
    expect(nameOf(checkAddress(address))).toBe(name)
  })
})
