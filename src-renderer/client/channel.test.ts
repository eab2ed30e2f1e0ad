/** A channel over a process that comes and goes. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { event, request } from '#contract/define'
import { link } from '#contract/protocol'
import { type Channel, createChannel } from './channel.ts'
import { createFakeServer, type FakeServer } from './fake-server.case.ts'

const contract = {
  link,
  demo: {
    get: request(z.object({ n: z.number() }), z.object({ n: z.number() })),
    hang: request(z.object({}), z.object({})),
    told: event(z.object({ n: z.number() })),
  },
} as const

let server: FakeServer
let channel: Channel<typeof contract>
let story: string[]
beforeEach(() => {
  server = createFakeServer()
  server.handlers.set('demo/get', ({ n }: { n: number }) => ({ n: n + 1 }))
  server.handlers.set('demo/hang', () => new Promise(() => {}))
  channel = createChannel({
    contract,
    channel: 'sidecar',
    wire: server.wire,
    clientId: 'w',
    waitMs: 300,
    random: () => 0,
  })
  story = []
  channel.onStatus(({ state, epoch }) => story.push(`${state} ${epoch}`))
})
afterEach(() => channel.stop())

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    thrown => thrown.code,
  )
const until = (state: string) => expect.poll(() => channel.status.state, { interval: 5 }).toBe(state)

describe('a channel', () => {
  it('lets calls wait for the connection, in order, then hands them on', async () => {
    const calls = [1, 2, 3].map(n => channel.client.demo.get({ n }))
    channel.start()
    server.start()
    expect(await Promise.all(calls)).toEqual([{ n: 2 }, { n: 3 }, { n: 4 }])
    expect(story.at(-1)).toBe('ready e1')
  })

  it('prepares each new connection before anything else is asked on it, and goes on when that fails', async () => {
    const asked: number[] = []
    let broken = false
    server.handlers.set('demo/get', ({ n }: { n: number }) => {
      asked.push(n)
      if (broken) throw Object.assign(new Error('gone'), { code: 'not_found' })
      return { n }
    })
    channel = createChannel({
      contract,
      channel: 'sidecar',
      wire: server.wire,
      clientId: 'w',
      random: () => 0,
      prepare: client => client.demo.get({ n: 0 }),
    })
    channel.start()
    const first = channel.client.demo.get({ n: 1 })
    server.start()
    await first
    server.kill()
    broken = true
    server.start()
    await until('ready')
    await expect.poll(() => asked).toEqual([0, 1, 0])
    expect(channel.status.epoch).toBe('e2')
  })

  it('rejects what waited too long, or was cancelled meanwhile', async () => {
    channel.start()
    const abort = new AbortController()
    const cancelled = codeOf(channel.client.demo.get({ n: 1 }, { signal: abort.signal }))
    abort.abort()
    expect([await cancelled, await codeOf(channel.client.demo.get({ n: 1 }, { signal: abort.signal }))]).toEqual([
      'cancelled',
      'cancelled',
    ])
    expect(await codeOf(channel.client.demo.get({ n: 1 }))).toBe('disconnected')
  })

  it('rejects what was on its way when the process died, reconnects, and keeps its listeners', async () => {
    const heard: number[] = []
    const bytes: number[] = []
    channel.client.on('demo/told', ({ n }) => heard.push(n))
    channel.onBytes(got => bytes.push(...got))
    server.start()
    channel.start()
    await until('ready')
    server.emit('demo/told', { n: 1 })
    server.sendBytes(Uint8Array.of(7))
    await expect.poll(() => [heard, bytes]).toEqual([[1], [7]])
    const lost = codeOf(channel.client.demo.hang({}))
    await channel.client.demo.get({ n: 0 })
    server.kill()
    expect(await lost).toBe('disconnected')
    await until('lost')
    const waiting = channel.client.demo.get({ n: 5 })
    server.start()
    channel.retryNow()
    expect(await waiting).toEqual({ n: 6 })
    server.emit('demo/told', { n: 2 })
    server.sendBytes(Uint8Array.of(8))
    await expect
      .poll(() => [heard, bytes])
      .toEqual([
        [1, 2],
        [7, 8],
      ])
    expect(story.filter(each => each.startsWith('ready'))).toEqual(['ready e1', 'ready e2'])
  })

  it('gives up a connection that does not answer any more', async () => {
    channel = createChannel({ contract, channel: 'sidecar', wire: server.wire, clientId: 'w', heartbeatMs: 30 })
    server.start()
    channel.start()
    await until('ready')
    await channel.client.demo.get({ n: 0 })
    const mute = await server.wire.open('sidecar')
    expect(mute.backlogBytes).toBe(0)
    const silent = createChannel({
      contract,
      channel: 'sidecar',
      clientId: 'w2',
      heartbeatMs: 30,
      wire: {
        open: async () => {
          const near = await server.wire.open('sidecar')
          const send = near.sendJson
          // Everything but the hello is swallowed on the way.
          near.sendJson = message => {
            if ((message as { method?: string }).method === 'link/hello') send(message)
          }
          return near
        },
      },
    })
    const states: string[] = []
    silent.onStatus(({ state }) => states.push(state))
    silent.start()
    await expect.poll(() => states.slice(0, 2)).toEqual(['ready', 'lost'])
    silent.stop()
  })

  it('keeps the other listeners when one throws', async () => {
    const heard: number[] = []
    const faults: unknown[] = []
    const original = globalThis.queueMicrotask
    globalThis.queueMicrotask = work =>
      original(() => {
        try {
          work()
        } catch (fault) {
          faults.push(fault)
        }
      })
    channel.client.on('demo/told', () => {
      throw new Error('mine')
    })
    channel.client.on('demo/told', ({ n }) => heard.push(n))
    server.start()
    channel.start()
    await until('ready')
    server.emit('demo/told', { n: 1 })
    await expect.poll(() => heard).toEqual([1])
    globalThis.queueMicrotask = original
    expect(faults.map(String)).toEqual(['Error: mine'])
  })
})
