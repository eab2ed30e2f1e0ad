/**
 * How one conversation travels over anything that carries byte frames (WebSocket, local socket). A message is cut into
 * frames of at most 64 KB; each end may have 256 KB in flight until the other grants more; JSON and raw bytes share the
 * order. A relay forwards frames without reading them. Promise: a message arrives whole, in order, or the link closes.
 *
 * Frame: [flags u8][payload]. Over a WebSocket a channel byte goes in front; over a local socket a u32 length (big endian).
 */
import { CHANNEL_CREDIT_BYTES, MAX_FRAME_BYTES } from './protocol.ts'

/** The first byte of every WebSocket frame: which of the supervisor's relays it belongs to. Lower goes first. */
export const WireChannel = { host: 0, sidecar: 1, pty: 2 } as const
export type WireChannel = (typeof WireChannel)[keyof typeof WireChannel]

const LAST = 1
const BYTES = 2
const CREDIT = 4
/** A relay's own word: the far end (the child process) went away. Carries no payload; nothing follows it. */
const CLOSED = 8
/** Above this a message is not assembled: the sender is broken or hostile. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024

/** One end of a conversation of whole messages. */
export interface MessageLink {
  sendJson(message: unknown): void
  sendBytes(bytes: Uint8Array): void
  /** At most one listener each; set before the first `receive`. */
  onJson: (message: unknown) => void
  onBytes: (bytes: Uint8Array) => void
  /** Called once, when either end closes. `reason` is for a log. */
  onClose: (reason: string) => void
  close(reason: string): void
  /** Bytes accepted by `send*` that the other end has not made room for yet. */
  readonly backlogBytes: number
}

export interface FrameLink extends MessageLink {
  /** Feeds one frame as it came (flags and payload). Malformed frames close the link. */
  receive(frame: Uint8Array): void
}

/** `sendFrame` must not throw and must keep order. */
export function createFrameLink(sendFrame: (frame: Uint8Array) => void): FrameLink {
  const waiting: Uint8Array[] = []
  let waitingBytes = 0
  let credit = CHANNEL_CREDIT_BYTES
  let unacknowledged = 0
  let parts: Uint8Array[] = []
  let partBytes = 0
  let closed = false
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()

  const pump = () => {
    let next = waiting[0]
    while (next && !closed && credit >= next.length) {
      waiting.shift()
      waitingBytes -= next.length
      credit -= next.length
      sendFrame(next)
      next = waiting[0]
    }
  }
  const send = (payload: Uint8Array, kind: number) => {
    if (closed) return
    let offset = 0
    do {
      const end = Math.min(payload.length, offset + MAX_FRAME_BYTES - 1)
      const frame = new Uint8Array(end - offset + 1)
      frame[0] = kind | (end === payload.length ? LAST : 0)
      frame.set(payload.subarray(offset, end), 1)
      waiting.push(frame)
      waitingBytes += frame.length
      offset = end
    } while (offset < payload.length)
    pump()
  }
  /** Grants in halves, so that a busy sender rarely waits and a grant costs little. */
  const acknowledge = (bytes: number) => {
    unacknowledged += bytes
    if (unacknowledged < CHANNEL_CREDIT_BYTES / 2) return
    const frame = new Uint8Array(5)
    frame[0] = CREDIT
    new DataView(frame.buffer).setUint32(1, unacknowledged)
    unacknowledged = 0
    sendFrame(frame)
  }
  const close = (reason: string) => {
    if (closed) return
    closed = true
    waiting.length = 0
    waitingBytes = 0
    link.onClose(reason)
  }
  const receive = (frame: Uint8Array) => {
    if (closed) return
    const flags = frame[0] ?? 0
    if (flags & CLOSED) return close('the other end closed')
    if (flags & CREDIT) {
      if (frame.length !== 5) return close('malformed credit')
      credit += new DataView(frame.buffer, frame.byteOffset).getUint32(1)
      return pump()
    }
    partBytes += frame.length - 1
    if (partBytes > MAX_MESSAGE_BYTES) return close('message too large')
    parts.push(frame.subarray(1))
    acknowledge(frame.length)
    if (!(flags & LAST)) return
    const payload = parts.length === 1 ? (parts[0] as Uint8Array) : join(parts, partBytes)
    parts = []
    partBytes = 0
    if (flags & BYTES) return link.onBytes(payload)
    let message: unknown
    try {
      message = JSON.parse(decoder.decode(payload))
    } catch {
      return close('malformed message')
    }
    link.onJson(message)
  }
  const link: FrameLink = {
    sendJson: message => send(encoder.encode(JSON.stringify(message)), 0),
    sendBytes: bytes => send(bytes, BYTES),
    onJson: () => {},
    onBytes: () => {},
    onClose: () => {},
    close,
    receive,
    get backlogBytes() {
      return waitingBytes
    },
  }
  return link
}

/** What a relay sends to the window when the child behind a channel has gone. */
export const closedFrame = (): Uint8Array => Uint8Array.of(CLOSED)

function join(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes)
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

/** Terminal output inside a bytes message: [number u32][offset f64][bytes]. `offset` counts bytes since the terminal started. */
export const TERMINAL_HEADER_BYTES = 12

export function packTerminalBytes(number: number, offset: number, bytes: Uint8Array): Uint8Array {
  const packed = new Uint8Array(TERMINAL_HEADER_BYTES + bytes.length)
  const view = new DataView(packed.buffer)
  view.setUint32(0, number)
  view.setFloat64(4, offset)
  packed.set(bytes, TERMINAL_HEADER_BYTES)
  return packed
}

export function unpackTerminalBytes(packed: Uint8Array): { number: number; offset: number; bytes: Uint8Array } {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  return { number: view.getUint32(0), offset: view.getFloat64(4), bytes: packed.subarray(TERMINAL_HEADER_BYTES) }
}
