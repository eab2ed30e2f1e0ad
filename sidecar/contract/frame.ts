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
/** The sender is done with this conversation. Carries no payload; of this conversation nothing follows it. */
const CLOSED = 8
/** A window's word to a relay, never to a far end: what follows on this channel is a new conversation. */
const OPEN = 16
const CREDIT_FRAME_BYTES = 5
/** Above this a message is not assembled: the sender is broken or hostile. The largest honest one is a 64 MB text as JSON. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024

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

/** `sendFrame` must not throw and must keep order. `onEnd` is for the carrier underneath: it ends with the conversation. */
export function createFrameLink(
  sendFrame: (frame: Uint8Array) => void,
  onEnd: (reason: string) => void = () => {},
): FrameLink {
  const outgoing = createOutgoing(sendFrame)
  const incoming = createIncoming()
  let closed = false
  const end = (reason: string, told: boolean) => {
    if (closed) return
    closed = true
    outgoing.drop()
    if (!told) sendFrame(closedFrame())
    onEnd(reason)
    link.onClose(reason)
  }
  const receive = (frame: Uint8Array) => {
    if (closed) return
    if (isClosedFrame(frame)) return end('the other end closed', true)
    if (frame[0] === CREDIT) return outgoing.grant(frame) ? undefined : end('malformed credit', false)
    const took = incoming.take(frame)
    if (took.fault) return end(took.fault, false)
    const grant = incoming.acknowledge(frame.length)
    if (grant) sendFrame(grant)
    if (!took.whole) return
    if (took.bytes) return link.onBytes(took.whole)
    let message: unknown
    try {
      message = JSON.parse(decoder.decode(took.whole))
    } catch {
      return end('malformed message', false)
    }
    link.onJson(message)
  }
  const link: FrameLink = {
    sendJson: message => void (closed || outgoing.send(encoder.encode(JSON.stringify(message)), 0)),
    sendBytes: bytes => void (closed || outgoing.send(bytes, BYTES)),
    onJson: () => {},
    onBytes: () => {},
    onClose: () => {},
    close: reason => end(reason, false),
    receive,
    get backlogBytes() {
      return outgoing.backlogBytes
    },
  }
  return link
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What waits for credit. Frames are cut on the way in, so that one huge message does not hold the memory of two. */
function createOutgoing(sendFrame: (frame: Uint8Array) => void) {
  let waiting: Uint8Array[] = []
  let first = 0
  let waitingBytes = 0
  let credit = CHANNEL_CREDIT_BYTES
  const pump = () => {
    for (let next = waiting[first]; next && credit >= next.length; next = waiting[first]) {
      first++
      waitingBytes -= next.length
      credit -= next.length
      if (first === waiting.length || first === 1024) {
        waiting = waiting.slice(first)
        first = 0
      }
      sendFrame(next)
    }
  }
  return {
    send(payload: Uint8Array, kind: number) {
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
    },
    /** False: the other end grants what it never got. */
    grant(frame: Uint8Array): boolean {
      if (frame.length !== CREDIT_FRAME_BYTES) return false
      credit += new DataView(frame.buffer, frame.byteOffset).getUint32(1)
      if (credit > CHANNEL_CREDIT_BYTES) return false
      pump()
      return true
    },
    drop() {
      waiting = []
      first = 0
      waitingBytes = 0
    },
    get backlogBytes() {
      return waitingBytes
    },
  }
}

/** Puts frames together again. A message may not change its kind on the way. */
function createIncoming() {
  let parts: Uint8Array[] = []
  let partBytes = 0
  let kind = 0
  let unacknowledged = 0
  return {
    take(frame: Uint8Array): { fault?: string; whole?: Uint8Array; bytes?: boolean } {
      const flags = frame[0]
      if (flags === undefined || flags & ~(LAST | BYTES)) return { fault: 'malformed frame' }
      // Only the last frame of a message may be short: a flood of tiny parts would cost far more than its bytes.
      const wellSized = flags & LAST ? frame.length <= MAX_FRAME_BYTES : frame.length === MAX_FRAME_BYTES
      if (!wellSized) return { fault: 'malformed frame' }
      if (parts.length > 0 && (flags & BYTES) !== kind) return { fault: 'a message within a message' }
      kind = flags & BYTES
      partBytes += frame.length - 1
      if (partBytes > MAX_MESSAGE_BYTES) return { fault: 'message too large' }
      parts.push(frame.subarray(1))
      if (!(flags & LAST)) return {}
      const whole = parts.length === 1 ? (parts[0] as Uint8Array) : join(parts, partBytes)
      parts = []
      partBytes = 0
      return { whole, bytes: kind === BYTES }
    },
    /** Grants in halves, so that a busy sender rarely waits and a grant costs little. */
    acknowledge(bytes: number): Uint8Array | null {
      unacknowledged += bytes
      if (unacknowledged < CHANNEL_CREDIT_BYTES / 2) return null
      const frame = new Uint8Array(CREDIT_FRAME_BYTES)
      frame[0] = CREDIT
      new DataView(frame.buffer).setUint32(1, unacknowledged)
      unacknowledged = 0
      return frame
    },
  }
}

/** The last frame of a conversation: either end's, or a relay's when the child behind a channel has gone. */
export const closedFrame = (): Uint8Array => Uint8Array.of(CLOSED)
export const isClosedFrame = (frame: Uint8Array): boolean => frame.length === 1 && frame[0] === CLOSED
/** What a window sends to a relay before the first frame of each conversation; a relay drops everything up to it. */
export const openFrame = (): Uint8Array => Uint8Array.of(OPEN)
export const isOpenFrame = (frame: Uint8Array): boolean => frame.length === 1 && frame[0] === OPEN

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

/** `parts` are put one behind the other: gathered reads are copied once. */
export function packTerminalBytes(
  number: number,
  offset: number,
  parts: Uint8Array | readonly Uint8Array[],
): Uint8Array {
  const all = parts instanceof Uint8Array ? [parts] : parts
  const packed = new Uint8Array(all.reduce((sum, part) => sum + part.length, TERMINAL_HEADER_BYTES))
  const view = new DataView(packed.buffer)
  view.setUint32(0, number)
  view.setFloat64(4, offset)
  let at = TERMINAL_HEADER_BYTES
  for (const part of all) {
    packed.set(part, at)
    at += part.length
  }
  return packed
}

export function unpackTerminalBytes(packed: Uint8Array): { number: number; offset: number; bytes: Uint8Array } {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  return { number: view.getUint32(0), offset: view.getFloat64(4), bytes: packed.subarray(TERMINAL_HEADER_BYTES) }
}
