/**
 * One window's WebSocket: three relays on it. Promise: what the host and the sidecar say goes before what terminals print,
 * and a window that reads slowly slows its terminals down instead of filling memory.
 */
import type { WebSocket } from 'ws'
import { WireChannel } from '#contract/frame'
import { createRelay, type FarEnd, type Relay } from './relay.ts'

/** Bytes handed to the system at a time: what is handed over cannot be overtaken any more. */
const SOCKET_HIGH_BYTES = 64 * 1024
/** Bytes of a channel that wait here before its child is paused, and at which it goes on. */
const QUEUE_HIGH_BYTES = 512 * 1024
const QUEUE_LOW_BYTES = 128 * 1024

export interface WindowSocket {
  /** A child may be back. */
  retry(): void
  close(): void
}

export function createWindowSocket(
  socket: WebSocket,
  connect: (channel: keyof typeof WireChannel) => Promise<FarEnd> | null,
): WindowSocket {
  const outgoing = createOutgoing(socket, (channel, full) => {
    if (full) relays.get(channel)?.pause()
    else relays.get(channel)?.resume()
  })
  const relays = new Map<number, Relay>(
    (Object.keys(WireChannel) as (keyof typeof WireChannel)[]).map(name => [
      WireChannel[name],
      createRelay({ toWindow: frame => outgoing.send(WireChannel[name], frame), connect: () => connect(name) }),
    ]),
  )
  socket.on('message', (data, isBinary) => {
    const message = data as Buffer
    const relay = relays.get(message[0] ?? -1)
    if (!isBinary || !relay || message.length < 2) return socket.close(1008, 'malformed frame')
    relay.fromWindow(message.subarray(1))
  })
  const close = () => {
    for (const relay of relays.values()) relay.close()
  }
  socket.on('close', close)
  socket.on('error', () => socket.terminate())
  return {
    retry() {
      for (const relay of relays.values()) relay.retry()
    },
    close() {
      close()
      socket.close(1001, 'Belay ends')
    },
  }
}

/** Frames wait by channel, and the lowest channel goes first. Each channel's credit bounds what can wait. */
function createOutgoing(socket: WebSocket, onFull: (channel: number, full: boolean) => void) {
  const queues = Object.values(WireChannel).map(channel => ({ channel, frames: [] as Buffer[], bytes: 0, full: false }))
  const next = () => queues.find(queue => queue.frames.length > 0)
  const pump = () => {
    for (let queue = next(); queue && socket.bufferedAmount < SOCKET_HIGH_BYTES; queue = next()) {
      const frame = queue.frames.shift() as Buffer
      queue.bytes -= frame.length
      if (queue.full && queue.bytes <= QUEUE_LOW_BYTES) {
        queue.full = false
        onFull(queue.channel, false)
      }
      socket.send(frame, { binary: true }, pump)
    }
  }
  return {
    send(channel: number, frame: Uint8Array) {
      const queue = queues.find(each => each.channel === channel)
      if (!queue || socket.readyState !== socket.OPEN) return
      const packed = Buffer.allocUnsafe(frame.length + 1)
      packed[0] = channel
      packed.set(frame, 1)
      queue.frames.push(packed)
      queue.bytes += packed.length
      if (!queue.full && queue.bytes > QUEUE_HIGH_BYTES) {
        queue.full = true
        onFull(channel, true)
      }
      pump()
    },
  }
}
