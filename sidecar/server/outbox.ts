/**
 * What leaves for one client, in order. Promise: durable events are never merged and never dropped, and overtake nothing;
 * pieces of something still happening are joined for at most 16 ms; a client that lags is told so once, and then opens again.
 */
import type { LiveDelta } from '#contract/session-event'

/** A screen's frame: nobody sees more. */
const MERGE_MS = 16
/** Bytes of backlog that are nobody's fault: a large answer on its way. */
const LAG_NOTICE_BYTES = 1024 * 1024
/** Bytes of events queued on top of that before what can be asked for again is dropped, until the backlog is below the second. */
export const LAG_HIGH_BYTES = 4 * 1024 * 1024
export const LAG_LOW_BYTES = 512 * 1024
/** Bytes of backlog at which a client is taken to read no more: it is cut off, and opens again when it lives. */
export const LAG_LIMIT_BYTES = 256 * 1024 * 1024
const LAG_POLL_MS = 50

export interface Outbox {
  emit(name: string, payload: unknown): void
  /** Sends what is being joined. */
  flush(): void
  dispose(): void
}

export interface OutboxOptions {
  send(name: string, payload: unknown): void
  backlogBytes(): number
  /** The client does not read at all. */
  cutOff(): void
}

export function createOutbox(options: OutboxOptions): Outbox {
  const joining = createJoining()
  let mergeTimer: NodeJS.Timeout | undefined
  let lagTimer: NodeJS.Timeout | undefined
  let behindBytes = 0
  let lastFlushAt = Number.NEGATIVE_INFINITY

  const flush = () => {
    clearTimeout(mergeTimer)
    mergeTimer = undefined
    const joined = joining.take()
    if (joined.length > 0) lastFlushAt = performance.now()
    for (const { name, payload } of joined) options.send(name, payload)
  }
  /** Told at the end of the lag, so that whatever the client then opens misses nothing. */
  const watchLag = () => {
    if (options.backlogBytes() > LAG_LOW_BYTES) return
    clearInterval(lagTimer)
    lagTimer = undefined
    options.send('link/lagged', {})
  }
  const lagging = (payload: unknown) => {
    if (lagTimer !== undefined) return true
    const notable = options.backlogBytes() > LAG_NOTICE_BYTES
    behindBytes = notable ? behindBytes + JSON.stringify(payload).length : 0
    if (behindBytes <= LAG_HIGH_BYTES) return false
    behindBytes = 0
    joining.take()
    lagTimer = setInterval(watchLag, LAG_POLL_MS)
    return true
  }
  const emit = (name: string, payload: unknown) => {
    if (name === 'session/happened') {
      flush()
      if (options.backlogBytes() > LAG_LIMIT_BYTES) return options.cutOff()
      return options.send(name, payload)
    }
    if (lagging(payload)) return
    if (!joining.add(name, payload)) {
      flush()
      return options.send(name, payload)
    }
    const waitMs = MERGE_MS - (performance.now() - lastFlushAt)
    if (waitMs <= 0) flush()
    else mergeTimer ??= setTimeout(flush, waitMs)
  }
  return {
    emit,
    flush,
    dispose() {
      clearTimeout(mergeTimer)
      clearInterval(lagTimer)
    },
  }
}

interface Piece {
  readonly offset: number
  text: string
}

/** Joins pieces that touch; pieces that do not (a repeat, a gap) stay apart for the client to judge. */
function createJoining() {
  let events: { name: string; payload: unknown }[] = []
  /** The last piece of each stream, and each session's delta list, in what is waiting. */
  const last = new Map<string, Piece>()
  const lists = new Map<string, LiveDelta[]>()

  const joined = (key: string, piece: Piece): boolean => {
    const known = last.get(key)
    if (known && known.offset + known.text.length === piece.offset) {
      known.text += piece.text
      return true
    }
    last.set(key, piece)
    return false
  }
  const addLive = (payload: { sessionId: string; deltas: readonly LiveDelta[] }) => {
    let list = lists.get(payload.sessionId)
    if (!list) {
      list = []
      lists.set(payload.sessionId, list)
      events.push({ name: 'session/live', payload: { sessionId: payload.sessionId, deltas: list } })
    }
    for (const delta of payload.deltas) {
      const own = { ...delta }
      if (!joined(`${payload.sessionId} ${delta.itemId} ${delta.kind}`, own)) list.push(own)
    }
  }
  const addOutput = (payload: { backgroundId: string; offset: number; text: string }) => {
    const own = { ...payload }
    if (!joined(payload.backgroundId, own)) events.push({ name: 'background/output', payload: own })
  }
  return {
    /** False: not a kind that can be joined. */
    add(name: string, payload: unknown): boolean {
      if (name === 'session/live') addLive(payload as Parameters<typeof addLive>[0])
      else if (name === 'background/output') addOutput(payload as Parameters<typeof addOutput>[0])
      else return false
      return true
    },
    take() {
      const taken = events
      events = []
      last.clear()
      lists.clear()
      return taken
    },
  }
}
