/** The browser form's door, with real HTTP, real WebSockets and real children's sockets. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import WebSocket from 'ws'
import { type Client, createClient } from '../contract/client.ts'
import type { Contract } from '../contract/define.ts'
import {
  closedFrame,
  createFrameLink,
  type FrameLink,
  isClosedFrame,
  openFrame,
  WireChannel,
} from '../contract/frame.ts'
import { type HostContract, hostContract } from '../contract/index.ts'
import { link as linkDomain, PROTOCOL_VERSION } from '../contract/protocol.ts'
import { noUpdates } from '../supervise/no-updates.ts'
import { connectOver } from '../transport/connection.ts'
import { type LocalListener, listenLocal, localSocketPath } from '../transport/local-socket.ts'
import { type ClientSink, type Service, serve } from './serve.ts'
import { createWebGateway, type WebGateway } from './web.ts'

const log = () => {}
const linkContract = { link: linkDomain } as const
let folder: string
let staticFolder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-web-'))
  staticFolder = join(folder, 'out', 'renderer')
  await mkdir(join(staticFolder, 'assets'), { recursive: true })
  await writeFile(join(folder, 'out', 'secret.txt'), 'secret')
  await writeFile(join(staticFolder, 'index.html'), '<!doctype html><title>Belay</title>')
  await writeFile(join(staticFolder, 'assets', 'index-Ab3dE6gH.js'), 'export {}')
  await writeFile(join(staticFolder, '.hidden'), 'secret')
  await symlink(join(folder, 'out', 'secret.txt'), join(staticFolder, 'link.txt'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Child {
  clients: ClientSink[]
  listener: LocalListener
  target: { path: string; token: string }
}
let counter = 0
async function startChild(epoch: string, path = localSocketPath(folder, `i${counter++}`, 'child')): Promise<Child> {
  const clients: ClientSink[] = []
  const service: Service<typeof linkContract> = {
    contract: linkContract,
    handlers: {},
    attach(client) {
      clients.push(client)
      return () => void clients.splice(clients.indexOf(client), 1)
    },
  }
  const listener = await listenLocal({
    path,
    token: 'child-token',
    log,
    onLink: link => serve(service, link, { epoch, version: '0', log }),
  })
  return { clients, listener, target: { path, token: 'child-token' } }
}

const hostServiceFor = (folder: () => string | null): Service<HostContract> => ({
  contract: hostContract,
  handlers: {
    host: new Proxy(
      { initialFolder: () => ({ folder: folder() }) },
      {},
    ) as unknown as Service<HostContract>['handlers']['host'],
    update: noUpdates,
  },
  attach: () => () => {},
})

let gateway: WebGateway
let targets: { sidecar: Child['target'] | null; pty: Child['target'] | null }
let changed: () => void
const children: Child[] = []
beforeEach(async () => {
  targets = { sidecar: null, pty: null }
  gateway = await createWebGateway({
    staticFolder,
    port: 0,
    hostService: ({ folder }) => hostServiceFor(folder),
    target: channel => targets[channel],
    onTargetChanged: listener => {
      changed = listener
      return () => {}
    },
    version: '0',
    epoch: 'host-epoch',
    log,
  })
})
afterEach(async () => {
  vi.useRealTimers()
  await gateway.close()
  for (const child of children.splice(0)) await child.listener.close()
})

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // The raw path: no client of ours may tidy it.
    const sent = request({ host: '127.0.0.1', port: gateway.port, path, method, headers }, response => {
      let body = ''
      response.on('data', chunk => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

async function cookie(folder: string | null = null): Promise<string> {
  const url = new URL(gateway.mintUrl(folder))
  const { headers } = await get(url.pathname + url.search)
  return String(headers['set-cookie']).split(';')[0] ?? ''
}

function openSocket(headers: Record<string, string>, path = '/wire'): Promise<WebSocket | number> {
  const socket = new WebSocket(`ws://127.0.0.1:${gateway.port}${path}`, { headers })
  return new Promise(resolve => {
    socket.on('open', () => resolve(socket))
    socket.on('unexpected-response', (_, response) => {
      resolve(response.statusCode ?? 0)
      socket.terminate()
    })
    socket.on('error', () => {})
  })
}
const origin = () => `http://127.0.0.1:${gateway.port}`

/** A window: what client/socket-wire.ts does, on Node's socket. */
async function openWindow(path?: string) {
  const socket = (await openSocket({ Cookie: await cookie(), Origin: origin() }, path)) as WebSocket
  const links = new Map<number, FrameLink>()
  const closings: number[] = []
  const send = (channel: number, frame: Uint8Array) => socket.send(Buffer.concat([Uint8Array.of(channel), frame]))
  socket.on('message', data => {
    const message = data as Buffer
    const channel = message[0] ?? -1
    if (isClosedFrame(message.subarray(1))) closings.push(channel)
    links.get(channel)?.receive(message.subarray(1))
  })
  const open = <C extends Contract>(name: keyof typeof WireChannel, contract: C): Client<C> & { flow: FrameLink } => {
    const channel = WireChannel[name]
    const flow = createFrameLink(frame => send(channel, frame))
    links.set(channel, flow)
    send(channel, openFrame())
    return Object.assign(createClient(contract, connectOver(flow)), { flow })
  }
  return { socket, open, send, closings }
}
const hello = { protocol: PROTOCOL_VERSION, name: 'window', clientId: 'w1' }

describe('access', () => {
  it('swaps a link for a cookie, once', async () => {
    const url = new URL(gateway.mintUrl(null))
    const first = await get(url.pathname + url.search)
    expect([first.status, first.headers.location]).toEqual([303, '/'])
    expect(String(first.headers['set-cookie'])).toMatch(
      new RegExp(`^belay_${gateway.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`),
    )
    const again = await get(url.pathname + url.search)
    expect([again.status, again.headers['set-cookie'], /npm start/.test(again.body)]).toEqual([401, undefined, true])
    const known = { Cookie: String(first.headers['set-cookie']).split(';')[0] ?? '' }
    expect((await get(url.pathname + url.search, known)).status).toBe(303)
    expect((await get('/', known)).body).toContain('<title>Belay</title>')
  })

  it('refuses wrong and expired links', async () => {
    for (const token of ['', 'x', 'A'.repeat(43)]) expect((await get(`/?t=${token}`)).status).toBe(401)
    const url = new URL(gateway.mintUrl(null))
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + 61_000)
    expect((await get(url.pathname + url.search)).status).toBe(401)
  })

  it('serves nothing without the cookie, with another one, under another name, or by another method', async () => {
    const good = await cookie()
    const none = await get('/')
    expect([none.status, /npm start/.test(none.body)]).toEqual([401, true])
    expect((await get('/assets/index-Ab3dE6gH.js')).status).toBe(401)
    expect((await get('/', { Cookie: good.replace(/.$/, good.endsWith('A') ? 'B' : 'A') })).status).toBe(401)
    expect((await get('/', { Cookie: good.replace(/^belay_\d+/, 'belay_1') })).status).toBe(401)
    expect((await get('/', { Cookie: `a=b; ${good}` })).status).toBe(200)
    for (const host of [
      'evil.example',
      `evil.example:${gateway.port}`,
      '127.0.0.1',
      `127.0.0.1:${gateway.port}.evil.example`,
    ])
      expect((await get('/', { Cookie: good, Host: host })).status).toBe(403)
    expect((await get('/', { Cookie: good, Host: `localhost:${gateway.port}` })).status).toBe(200)
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect((await get('/', { Cookie: good }, method)).status).toBe(405)
    expect((await get('/', { Cookie: good }, 'HEAD')).status).toBe(200)
  })

  it('upgrades only our own page: cookie, Origin, Host and path', async () => {
    const good = { Cookie: await cookie(), Origin: origin() }
    expect(await openSocket({ Origin: origin() })).toBe(401)
    expect(await openSocket({ Cookie: good.Cookie })).toBe(403)
    for (const foreign of [
      'http://evil.example',
      'null',
      `https://127.0.0.1:${gateway.port}`,
      `http://localhost:${gateway.port}`,
      'http://127.0.0.1:1',
    ])
      expect(await openSocket({ ...good, Origin: foreign })).toBe(403)
    expect(await openSocket({ ...good, Host: 'evil.example', Origin: 'http://evil.example' })).toBe(403)
    expect(await openSocket(good, '/other')).toBe(404)
    expect(gateway.windows()).toBe(0)
    const socket = await openSocket(good)
    expect([typeof socket, gateway.windows()]).toEqual(['object', 1])
  })

  it('says what to do when the port is taken', async () => {
    const other = createServer()
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const options = {
      staticFolder,
      hostService: () => hostServiceFor(() => null),
      target: () => null,
      onTargetChanged: () => () => {},
      version: '',
      epoch: '',
      log,
    }
    await expect(createWebGateway({ ...options, port })).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringContaining(`Port ${port} is taken`),
    })
    other.close()
  })
})

describe('pages', () => {
  it('never leaves the folder', async () => {
    const headers = { Cookie: await cookie() }
    const outside = [
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/assets/../../secret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/..%5csecret.txt',
      '/..%252fsecret.txt',
      '//secret.txt',
      '/%00',
      '/index.html%00.png',
      '/.hidden',
      '/link.txt',
      '/assets',
      '/assets/',
      '/%ff',
      '/C:/secret.txt',
      `/${folder}/out/secret.txt`,
      '/none.js',
    ]
    for (const path of outside) {
      const { status, body } = await get(path, headers)
      expect([path, status, body.includes('secret')]).toEqual([path, 404, false])
    }
  })

  it('come with their type, their age and strict headers, errors too', async () => {
    const headers = { Cookie: await cookie() }
    const script = await get('/assets/index-Ab3dE6gH.js?x=1', headers)
    expect([script.headers['content-type'], script.headers['cache-control'], script.body]).toEqual([
      'text/javascript; charset=utf-8',
      'private, max-age=31536000, immutable',
      'export {}',
    ])
    const page = await get('/', headers)
    expect(page.headers['cache-control']).toBe('no-store')
    for (const answer of [page, script, await get('/'), await get('/none', headers)]) {
      const policy = String(answer.headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'; script-src 'self'; ")
      expect(policy).toContain("require-trusted-types-for 'script'")
      expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|\*/)
      expect([
        answer.headers['x-content-type-options'],
        answer.headers['referrer-policy'],
        answer.headers['cross-origin-opener-policy'],
      ]).toEqual(['nosniff', 'no-referrer', 'same-origin'])
    }
    expect(String(page.headers['content-security-policy'])).toContain(
      `connect-src 'self' ws://127.0.0.1:${gateway.port};`,
    )
  })
})

describe('a window', () => {
  it('talks to the supervisor, and learns its folder, also when it was reloaded before it could keep it', async () => {
    const url = new URL(gateway.mintUrl('/some/folder'))
    const { headers } = await get(url.pathname + url.search)
    const path = `/wire${String(headers.location).slice(1)}`
    expect(path).toMatch(/^\/wire\?window=/)
    for (const _load of [1, 2]) {
      const { open } = await openWindow(path)
      const host = open('host', { ...linkContract, ...hostContract })
      expect((await host.link.hello(hello)).epoch).toBe('host-epoch')
      expect(await host.host.initialFolder({})).toEqual({ folder: '/some/folder' })
    }
  })

  it('is connected when the child is there, waits for one that is not, and hears of its end', async () => {
    const { open, closings } = await openWindow()
    const waiting = open('sidecar', linkContract)
    const welcome = waiting.link.hello(hello)
    const first = await startChild('one')
    targets.sidecar = first.target
    changed()
    expect((await welcome).epoch).toBe('one')
    const lost = new Promise<void>(resolve => {
      waiting.flow.onClose = () => resolve()
    })
    targets.sidecar = null
    await first.listener.close()
    changed()
    await lost
    const back = open('sidecar', linkContract)
    const again = back.link.hello(hello)
    const second = await startChild('two', first.target.path)
    children.push(second)
    targets.sidecar = second.target
    changed()
    expect([(await again).epoch, closings]).toEqual(['two', [WireChannel.sidecar]])
  })

  it('is told when the child refuses, and keeps its other channels', async () => {
    const { open, closings } = await openWindow()
    const child = await startChild('one')
    children.push(child)
    targets.sidecar = { ...child.target, token: 'an older one' }
    targets.pty = child.target
    const refused = open('sidecar', linkContract)
    await expect(refused.link.hello(hello)).rejects.toMatchObject({ code: 'disconnected' })
    const pty = open('pty', linkContract)
    expect([(await pty.link.hello(hello)).epoch, closings]).toEqual(['one', [WireChannel.sidecar]])
  })

  it('gets no frame of the conversation before', async () => {
    const child = await startChild('one')
    children.push(child)
    targets.sidecar = child.target
    const { open, send, closings } = await openWindow()
    const first = open('sidecar', linkContract)
    await first.link.hello(hello)
    first.flow.close('reload')
    await expect.poll(() => closings).toEqual([WireChannel.sidecar])
    await expect.poll(() => child.clients.length).toBe(0)
    // Late words of the old conversation, before the new one is opened: dropped.
    send(WireChannel.sidecar, Uint8Array.of(1, 123))
    send(WireChannel.sidecar, closedFrame())
    const second = open('sidecar', linkContract)
    expect((await second.link.hello(hello)).epoch).toBe('one')
    expect([closings.length, child.clients.length]).toEqual([1, 1])
  })

  it('lets go of the children when it closes, and is closed on what is no frame', async () => {
    const child = await startChild('one')
    children.push(child)
    targets.sidecar = child.target
    const { open, socket } = await openWindow()
    await open('sidecar', linkContract).link.hello(hello)
    expect(child.clients.length).toBe(1)
    socket.terminate()
    await expect.poll(() => [child.clients.length, gateway.windows()]).toEqual([0, 0])
    for (const bad of ['text', Uint8Array.of(), Uint8Array.of(1), Uint8Array.of(9, 1), Buffer.alloc(70_000, 1)]) {
      const window = await openWindow()
      window.socket.on('error', () => {})
      window.socket.send(bad)
      await new Promise(resolve => window.socket.on('close', resolve))
    }
  })

  it('answers pings of the sidecar while a terminal floods', async () => {
    const sidecar = await startChild('one')
    const pty = await startChild('two')
    children.push(sidecar, pty)
    Object.assign(targets, { sidecar: sidecar.target, pty: pty.target })
    const { open } = await openWindow()
    const calm = open('sidecar', linkContract)
    const flooded = open('pty', linkContract)
    await Promise.all([calm.link.hello(hello), flooded.link.hello(hello)])
    let flood = 0
    flooded.flow.onBytes = bytes => {
      flood += bytes.length
    }
    const ping = async () => {
      const from = performance.now()
      await calm.link.ping({})
      return performance.now() - from
    }
    const quiet = await median(ping)
    const chunk = new Uint8Array(60_000)
    const pour = setInterval(() => {
      while ((pty.clients[0]?.backlogBytes ?? 1e9) < 1_000_000) pty.clients[0]?.sendBytes(chunk)
    }, 1)
    await expect.poll(() => flood).toBeGreaterThan(1_000_000)
    const before = flood
    const busy = await median(ping)
    clearInterval(pour)
    expect(flood).toBeGreaterThan(before)
    // All of this shares one event loop here; in the product each end has its own.
    expect(busy).toBeLessThan(Math.max(50, quiet * 30))
  })
})

async function median(measure: () => Promise<number>): Promise<number> {
  const all: number[] = []
  for (let i = 0; i < 31; i++) all.push(await measure())
  return all.sort((a, b) => a - b)[15] ?? 0
}
