/** The suite of every carrier over local sockets, and who is let in by them. */
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MessageLink } from '../contract/frame.ts'
import { connectLocal, connectLocalRaw, listenLocal, localSocketPath } from './local-socket.ts'
import { describeTransport } from './transport.case.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-socket-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let counter = 0
const freshPath = () => localSocketPath(folder, `ins_${++counter}`, 'sidecar')
const log = () => {}

/** A listener whose next link can be awaited. */
async function listening(path = freshPath(), token = 'right') {
  const links: MessageLink[] = []
  const waiting: ((link: MessageLink) => void)[] = []
  const listener = await listenLocal({
    path,
    token,
    log,
    onLink: link => {
      const next = waiting.shift()
      if (next) next(link)
      else links.push(link)
    },
  })
  const nextLink = () =>
    new Promise<MessageLink>(resolve => {
      const link = links.shift()
      if (link) resolve(link)
      else waiting.push(resolve)
    })
  return { path, listener, links, nextLink }
}

describeTransport({
  name: 'a local socket',
  open: async () => {
    const { path, listener, nextLink } = await listening()
    const served = nextLink()
    const calling = await connectLocal({ path, token: 'right', timeoutMs: 2000 })
    return { served: await served, calling, end: () => listener.close() }
  },
})

describe('a local socket', () => {
  it('refuses a wrong, an empty, a missing and an endless token', async () => {
    const { path, listener, links } = await listening()
    for (const token of ['wrong', '', 'rightt', 'righ'])
      await expect(connectLocal({ path, token, timeoutMs: 2000 })).rejects.toMatchObject({ code: 'auth' })
    const endless = connect(path)
    const closed = new Promise(resolve => endless.on('close', resolve))
    endless.on('error', () => {})
    endless.write('x'.repeat(100_000))
    await closed
    expect(links).toEqual([])
    await listener.close()
  })

  it('stands in a folder of mode 0700', async () => {
    const { path, listener } = await listening()
    const mode = (await stat(dirname(path))).mode & 0o777
    await listener.close()
    expect([mode, await stat(path).catch(fault => fault.code)]).toEqual([0o700, 'ENOENT'])
  })

  it('replaces a socket that nobody answers, never one that somebody does, and never a file', async () => {
    const { path, listener } = await listening()
    await expect(listening(path)).rejects.toMatchObject({ code: 'busy' })
    await listener.close()
    const { spawnSync } = await import('node:child_process')
    // A process that dies without closing leaves its socket file behind.
    const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', script], { timeout: 5000 })
    expect((await stat(path)).isSocket()).toBe(true)
    const second = await listening(path)
    await second.listener.close()
    await writeFile(path, 'mine')
    await expect(listening(path)).rejects.toMatchObject({ code: 'busy' })
  })

  it('says when nobody is there, and when somebody does not answer', async () => {
    await expect(connectLocal({ path: freshPath(), token: 'x', timeoutMs: 500 })).rejects.toMatchObject({
      code: 'disconnected',
    })
    const { createServer } = await import('node:net')
    const path = join(folder, 'mute.sock')
    const mute = createServer(() => {})
    await new Promise<void>(resolve => mute.listen(path, resolve))
    await expect(connectLocal({ path, token: 'x', timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' })
    mute.close()
  })

  it('ends the connection on a length out of bounds', async () => {
    const { path, listener, nextLink } = await listening()
    const served = nextLink()
    const socket = connect(path)
    socket.on('error', () => {})
    socket.write('right\n')
    const link = await served
    const closed = new Promise(resolve => {
      link.onClose = resolve
    })
    socket.write(Buffer.from([255, 255, 255, 255, 1]))
    expect(await closed).toBe('malformed frame length')
    await listener.close()
  })

  it('relays raw frames and stops reading while paused', async () => {
    const { path, listener, nextLink } = await listening()
    const served = nextLink()
    const raw = await connectLocalRaw({ path, token: 'right', timeoutMs: 2000 })
    const frames: Uint8Array[] = []
    raw.onFrame = frame => frames.push(frame)
    const link = await served
    raw.pause()
    link.sendJson('one')
    link.sendJson('two')
    await new Promise(resolve => setImmediate(resolve))
    expect(frames.length).toBe(0)
    raw.resume()
    await expect.poll(() => frames.map(frame => Buffer.from(frame).toString())).toEqual(['\u0001"one"', '\u0001"two"'])
    await listener.close()
  })

  it('has a path on every platform, short where the folder is long', async () => {
    const long = join(folder, 'x'.repeat(120))
    await mkdir(long, { recursive: true })
    const path = localSocketPath(long, 'ins_1', 'pty-host', 'linux')
    expect([Buffer.byteLength(path) <= 100, path === localSocketPath(long, 'ins_1', 'pty-host', 'linux')]).toEqual([
      true,
      true,
    ])
    expect(path).not.toBe(localSocketPath(long, 'ins_2', 'pty-host', 'linux'))
    expect(localSocketPath('C:\\x', 'ins_1', 'sidecar', 'win32')).toMatch(/^\\\\\.\\pipe\\belay-[0-9a-f]{24}$/)
  })
})
