/** The browser's wire against the gateway's own relay, over a WebSocket that the test holds in its hand. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFrameLink, WireChannel } from '#contract/frame'
import { ptyContract } from '#contract/index'
import { createRelay, type FarEnd, type Relay } from '../../sidecar/server/relay.ts'
import { type Channel, createChannel } from './channel.ts'
import { createFakeServer, type FakeServer } from './fake-server.case.ts'
import { createSocketWire } from './socket-wire.ts'

/** The far side of every fake socket: one relay per channel, all of them to one served process. */
let server: FakeServer
let sockets: FakeSocket[]
let refuse: boolean

function farEnd(): Promise<FarEnd> | null {
  if (!server.alive) return null
  const link = createFrameLink(
    frame => end.onFrame(frame),
    reason => end.onClose(reason),
  )
  const end: FarEnd = {
    sendFrame: link.receive,
    onFrame: () => {},
    onClose: () => {},
    close: () => link.close('closed'),
    pause: () => {},
    resume: () => {},
    bufferedBytes: 0,
  }
  server.accept(link)
  return Promise.resolve(end)
}

class FakeSocket extends EventTarget {
  static readonly OPEN = 1
  readyState = 0
  binaryType = ''
  readonly relays = new Map<number, Relay>()
  constructor(readonly url: string) {
    super()
    sockets.push(this)
    for (const channel of Object.values(WireChannel)) {
      const toWindow = (frame: Uint8Array) => {
        const data = Uint8Array.of(channel, ...frame).buffer
        setTimeout(() => this.readyState === 1 && this.dispatchEvent(new MessageEvent('message', { data })), 0)
      }
      this.relays.set(channel, createRelay({ toWindow, connect: farEnd }))
    }
    setTimeout(() => {
      this.readyState = refuse ? 3 : 1
      this.dispatchEvent(new Event(refuse ? 'close' : 'open'))
    }, 0)
  }
  send(data: Uint8Array) {
    const copy = data.slice()
    setTimeout(() => this.readyState === 1 && this.relays.get(copy[0] ?? -1)?.fromWindow(copy.subarray(1)), 0)
  }
  close() {
    if (this.readyState === 3) return
    this.readyState = 3
    for (const relay of this.relays.values()) relay.close()
    setTimeout(() => this.dispatchEvent(new Event('close')), 0)
  }
  retry() {
    for (const relay of this.relays.values()) relay.retry()
  }
}

const original = globalThis.WebSocket
let channels: Channel<typeof ptyContract>[]
let isRefused: () => Promise<boolean>
beforeEach(() => {
  server = createFakeServer()
  sockets = []
  channels = []
  refuse = false
  isRefused = async () => false
  globalThis.WebSocket = FakeSocket as unknown as typeof WebSocket
})
afterEach(() => {
  for (const channel of channels) channel.stop()
  globalThis.WebSocket = original
})

/** The real channel on the real wire: sidecar and pty, as a window has them. */
function openWindow() {
  const wire = createSocketWire('ws://here/wire', () => isRefused())
  channels = (['sidecar', 'pty'] as const).map(channel =>
    createChannel({ contract: ptyContract, channel, wire, clientId: channel, random: () => 0 }),
  )
  for (const channel of channels) channel.start()
  return channels
}
const states = () => channels.map(channel => channel.status.state)
const retryNow = () => {
  for (const channel of channels) channel.retryNow()
}

describe('the socket wire', () => {
  it('carries all channels over one socket', async () => {
    server.start()
    openWindow()
    await expect.poll(states).toEqual(['ready', 'ready'])
    expect([sockets.length, server.greeted]).toEqual([1, 2])
  })

  it('waits at the gateway for a child that is not there yet', async () => {
    openWindow()
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(states()).toEqual(['connecting', 'connecting'])
    server.start()
    sockets[0]?.retry()
    await expect.poll(states).toEqual(['ready', 'ready'])
  })

  it('comes back after the child’s end on the same socket, many times over', async () => {
    server.start()
    openWindow()
    for (let round = 1; round <= 10; round++) {
      await expect
        .poll(() => [states(), channels[0]?.status.epoch], { interval: 2 })
        .toEqual([['ready', 'ready'], `e${round}`])
      server.kill()
      await expect.poll(() => states().includes('ready'), { interval: 2 }).toBe(false)
      server.start()
      retryNow()
      sockets[0]?.retry()
    }
    expect(sockets.length).toBe(1)
  })

  it('makes a new socket when the old one is lost', async () => {
    server.start()
    openWindow()
    await expect.poll(states).toEqual(['ready', 'ready'])
    sockets[0]?.close()
    await expect.poll(() => sockets.length).toBe(2)
    await expect.poll(states).toEqual(['ready', 'ready'])
    expect(server.greeted).toBe(2)
  })

  it('says whether it is refused or nobody is there', async () => {
    refuse = true
    const [channel] = openWindow()
    await expect.poll(() => channel?.status.fault?.code).toBe('disconnected')
    isRefused = async () => true
    retryNow()
    await expect.poll(() => channel?.status.fault?.code).toBe('auth')
    expect(channel?.status.fault?.message).toContain('npm start')
  })

  it('drops the socket on a message that is no frame', async () => {
    server.start()
    openWindow()
    await expect.poll(states).toEqual(['ready', 'ready'])
    sockets[0]?.dispatchEvent(new MessageEvent('message', { data: 'text' }))
    await expect.poll(() => sockets.length).toBe(2)
  })
})
