/** A served process for the client's tests: it can be killed, restarted, delayed and made to lag. */
import { type MessageConnection, ResponseError } from 'vscode-jsonrpc'
import { BelayError } from '#contract/error'
import { createFrameLink, type FrameLink, type MessageLink } from '#contract/frame'
import { connectOver } from './connect.ts'
import type { Wire } from './wire.ts'

export interface FakeServer {
  readonly wire: Wire
  /** Serves one more conversation. */
  accept(link: MessageLink): void
  /** Answers requests. A thrown BelayError goes over the wire as `serve` would send it. */
  readonly handlers: Map<string, (params: never) => unknown>
  /** To every client that has said hello. */
  emit(name: string, payload: unknown): void
  sendBytes(bytes: Uint8Array): void
  kill(): void
  /** A new process: the epoch counts up. */
  start(): void
  readonly alive: boolean
  readonly epoch: number
  /** Clients that are connected and have said hello. */
  readonly greeted: number
}

export function createFakeServer(): FakeServer {
  let alive = false
  let epoch = 0
  let live: { connection: MessageConnection; link: MessageLink; greeted: boolean }[] = []
  const handlers = new Map<string, (params: never) => unknown>()

  const accept = (link: MessageLink) => {
    const connection = connectOver(link)
    const client = { connection, link, greeted: false }
    live.push(client)
    connection.onClose(() => {
      live = live.filter(each => each !== client)
    })
    connection.onRequest('link/hello', () => {
      client.greeted = true
      return { protocol: 1, epoch: `e${epoch}`, version: '0', pid: 1 }
    })
    connection.onRequest('link/ping', () => ({}))
    connection.onRequest(async (method: string, params: unknown) => {
      try {
        return (await handlers.get(method)?.(params as never)) ?? {}
      } catch (thrown) {
        const { code, message } = thrown as BelayError
        return new ResponseError(-32_000, message, { code })
      }
    })
  }
  return {
    handlers,
    accept,
    wire: {
      open: async () => {
        if (!alive) throw new BelayError('disconnected', 'Nobody is there.')
        const [near, far] = linkPair()
        accept(far)
        return near
      },
    },
    emit(name, payload) {
      for (const { connection, greeted } of live) if (greeted) void connection.sendNotification(name, payload)
    },
    sendBytes(bytes) {
      for (const { link } of live) link.sendBytes(bytes)
    },
    kill() {
      alive = false
      for (const { link } of [...live]) link.close('killed')
      live = []
    },
    start() {
      alive = true
      epoch++
    },
    get epoch() {
      return epoch
    },
    get alive() {
      return alive
    },
    get greeted() {
      return live.filter(each => each.greeted).length
    },
  }
}

/** Frames over nothing: each is delivered in a turn of its own, so that other things happen in between. */
export function linkPair(): [FrameLink, FrameLink] {
  const near: FrameLink = createFrameLink(frame => setTimeout(() => far.receive(frame), 0))
  const far: FrameLink = createFrameLink(frame => setTimeout(() => near.receive(frame), 0))
  return [near, far]
}
