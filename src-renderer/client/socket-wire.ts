/**
 * The browser tab's way: one WebSocket, a channel byte before each frame, one conversation per channel at a time.
 * Promise: no frame of an ended conversation reaches the next one on its channel.
 */
import { BelayError } from '#contract/error'
import {
  createFrameLink,
  type FrameLink,
  isClosedFrame,
  type MessageLink,
  openFrame,
  WireChannel,
} from '#contract/frame'
import { takeEarly } from './early-socket.ts'
import { type Wire, within } from './wire.ts'

const CONNECT_TIMEOUT_MS = 10_000
/** The relay answers a close at once, or its socket is of no use. */
const CLOSE_TIMEOUT_MS = 5000

/** `isRefused` tells a gateway that wants a fresh link from one that is not there: a page cannot see a failed upgrade's status. */
export function createSocketWire(url: string, isRefused: () => Promise<boolean>): Wire {
  let carrier: Promise<Carrier> | null = null
  const connect = () => {
    const opening = openSocket(url, isRefused).then(socket =>
      createCarrier(socket, () => {
        if (carrier === opening) carrier = null
      }),
    )
    opening.catch(() => {
      if (carrier === opening) carrier = null
    })
    return opening
  }
  return {
    async open(channel) {
      carrier ??= connect()
      return (await carrier).open(WireChannel[channel])
    },
  }
}

async function openSocket(url: string, isRefused: () => Promise<boolean>): Promise<WebSocket> {
  const socket = takeEarly(url) ?? new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  const opened = new Promise<boolean>(resolve => {
    if (socket.readyState === WebSocket.OPEN) resolve(true)
    socket.addEventListener('open', () => resolve(true), { once: true })
    socket.addEventListener('close', () => resolve(false), { once: true })
  })
  const fault = () => new BelayError('timeout', 'Belay did not answer in time. Trying again.')
  const fine = await within(opened, { ms: CONNECT_TIMEOUT_MS, fault }).catch(thrown => {
    socket.close()
    throw thrown
  })
  if (fine) return socket
  if (await isRefused().catch(() => false)) {
    throw new BelayError(
      'auth',
      'This window’s link is no longer valid. Start Belay again: `npm start` prints a fresh one.',
    )
  }
  throw new BelayError('disconnected', 'Belay is not reachable. It reconnects by itself.')
}

interface Carrier {
  open(channel: WireChannel): Promise<MessageLink>
}

/** One channel's conversation. `over` settles when the relay, too, knows that it has ended. */
interface Conversation {
  readonly link: FrameLink
  readonly over: Promise<void>
  readonly settle: () => void
}

function createCarrier(socket: WebSocket, onLost: () => void): Carrier {
  const running = new Map<number, Conversation>()
  const send = (channel: number, frame: Uint8Array) => {
    if (socket.readyState !== WebSocket.OPEN) return
    const packed = new Uint8Array(frame.length + 1)
    packed[0] = channel
    packed.set(frame, 1)
    socket.send(packed)
  }
  const settle = (channel: number) => {
    running.get(channel)?.settle()
    running.delete(channel)
  }
  socket.addEventListener('message', event => {
    if (!(event.data instanceof ArrayBuffer)) return socket.close()
    const [channel = -1] = new Uint8Array(event.data, 0, 1)
    const frame = new Uint8Array(event.data, 1)
    running.get(channel)?.link.receive(frame)
    if (isClosedFrame(frame)) settle(channel)
  })
  socket.addEventListener('close', () => {
    onLost()
    for (const [channel, { link }] of [...running]) {
      link.close('the connection to Belay closed')
      settle(channel)
    }
  })
  const begin = (channel: number): MessageLink => {
    if (socket.readyState !== WebSocket.OPEN) throw new BelayError('disconnected', 'The connection to Belay closed.')
    let settled = () => {}
    const over = new Promise<void>(resolve => {
      settled = resolve
    })
    const link = createFrameLink(frame => send(channel, frame))
    running.set(channel, { link, over, settle: settled })
    send(channel, openFrame())
    return link
  }
  return {
    async open(channel) {
      const before = running.get(channel)
      if (!before) return begin(channel)
      before.link.close('opened anew')
      const fault = () => new BelayError('timeout', 'Belay did not answer in time. Trying again.')
      await within(before.over, { ms: CLOSE_TIMEOUT_MS, fault }).catch(thrown => {
        socket.close()
        throw thrown
      })
      return begin(channel)
    },
  }
}
