/**
 * Output on its way to the windows: batched, counted, and held back. The terminal is paused while the slowest window, or our
 * own screen, is too far behind; a window that takes in nothing for long is let go, so that it cannot hold up the others.
 */
import { packTerminalBytes, TERMINAL_HEADER_BYTES } from '#contract/frame'
import { MAX_FRAME_BYTES } from '#contract/protocol'
import { TERMINAL_HIGH_WATER_BYTES, TERMINAL_LOW_WATER_BYTES } from '#contract/terminal'

/** A window's connection, as the server hands it in. */
export interface TerminalClient {
  readonly clientId: string
  emit(name: string, payload: unknown): void
  sendBytes(bytes: Uint8Array): void
}

export interface Flow {
  /** What the child wrote. The bytes must not change afterwards. */
  push(bytes: Uint8Array): void
  /** Hands out what is still gathered, now. */
  flush(): void
  /** From `offset` on; `rest` are the bytes from there to what was handed out last. */
  attach(client: TerminalClient, offset: number, rest: readonly Uint8Array[]): void
  detach(client: TerminalClient): void
  /** False: this client is not attached. */
  ack(client: TerminalClient, offset: number): boolean
  /** Our own screen moved on. */
  settle(): void
  readonly paused: boolean
  dispose(): void
}

/** Gathered for at most this long, so that a burst of 4 KB reads is a handful of messages. */
const BATCH_MS = 8
/** One full frame and no crumb behind it: its flags and the terminal's header belong to it. */
const BATCH_BYTES = MAX_FRAME_BYTES - 1 - TERMINAL_HEADER_BYTES
/** Unparsed bytes of our own screen: more than it lets gather in a flood (screen.ts). */
const SCREEN_HIGH_WATER_BYTES = 6 * 1024 * 1024
/** A window that owes an acknowledgement for this long is hung, asleep, or gone without a word. */
export const STALLED_MS = 10_000

interface Reader {
  client: TerminalClient
  acked: number
  movedAt: number
}

export function createFlow(options: {
  number: number
  take(bytes: Uint8Array): void
  backlogBytes(): number
  pause(): void
  resume(): void
  lagged(client: TerminalClient): void
  stalledMs?: number
}): Flow {
  const stalledMs = options.stalledMs ?? STALLED_MS
  const readers = new Map<TerminalClient, Reader>()
  let gathered: Uint8Array[] = []
  let gatheredBytes = 0
  let sent = 0
  let flushedAt = 0
  let paused = false
  let batch: NodeJS.Timeout | NodeJS.Immediate | undefined
  let watch: NodeJS.Timeout | undefined

  const owed = () => Math.max(0, ...[...readers.values()].map(reader => sent - reader.acked))
  const settle = () => {
    const behind = owed()
    const backlog = options.backlogBytes()
    if (!paused && (behind > TERMINAL_HIGH_WATER_BYTES || backlog > SCREEN_HIGH_WATER_BYTES)) {
      paused = true
      options.pause()
    } else if (paused && behind < TERMINAL_LOW_WATER_BYTES && backlog < SCREEN_HIGH_WATER_BYTES / 2) {
      paused = false
      options.resume()
    }
    if (behind > TERMINAL_LOW_WATER_BYTES && !watch) watch = setTimeout(drop, stalledMs / 4)
  }
  /** Lets go of whoever has taken in nothing for too long while much is waiting for it. */
  const drop = () => {
    watch = undefined
    for (const [client, reader] of [...readers]) {
      if (sent - reader.acked <= TERMINAL_LOW_WATER_BYTES || performance.now() - reader.movedAt < stalledMs) continue
      readers.delete(client)
      options.lagged(client)
    }
    settle()
  }
  const flush = () => {
    unschedule()
    if (gatheredBytes === 0) return
    const packed = packTerminalBytes(options.number, sent, gathered)
    const bytes = packed.subarray(TERMINAL_HEADER_BYTES)
    gathered = []
    gatheredBytes = 0
    flushedAt = performance.now()
    if (readers.size > 0) {
      for (const reader of readers.values()) {
        if (reader.acked === sent) reader.movedAt = flushedAt
        reader.client.sendBytes(packed)
      }
    }
    sent += bytes.length
    options.take(bytes)
    settle()
  }
  const unschedule = () => {
    if (!batch) return
    if ('refresh' in batch) clearTimeout(batch)
    else clearImmediate(batch)
    batch = undefined
  }
  return {
    push(bytes) {
      if (gatheredBytes + bytes.length > BATCH_BYTES) flush()
      gathered.push(bytes)
      gatheredBytes += bytes.length
      if (gatheredBytes >= BATCH_BYTES) return flush()
      if (batch) return
      const idleMs = performance.now() - flushedAt
      // The echo of a key goes out at once; a flood waits for company.
      batch = idleMs >= BATCH_MS ? setImmediate(flush) : setTimeout(flush, BATCH_MS - idleMs)
    },
    flush,
    attach(client, offset, rest) {
      let at = offset
      for (const bytes of rest) {
        client.sendBytes(packTerminalBytes(options.number, at, bytes))
        at += bytes.length
      }
      readers.set(client, { client, acked: offset, movedAt: performance.now() })
      settle()
    },
    detach(client) {
      if (readers.delete(client)) settle()
    },
    ack(client, offset) {
      const reader = readers.get(client)
      if (!reader) return false
      if (offset > reader.acked) {
        reader.acked = Math.min(offset, sent)
        reader.movedAt = performance.now()
        settle()
      }
      return true
    },
    settle,
    get paused() {
      return paused
    },
    dispose() {
      unschedule()
      clearTimeout(watch)
      readers.clear()
    },
  }
}
