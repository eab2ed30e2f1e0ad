/**
 * The one writer of a session: numbers events, writes them, then folds them, then tells. A refused write changes nothing.
 * What came in while the disk was busy goes out as one write and one sync.
 */
import { BelayError, ErrorCode } from '#contract/error'
import type { LiveDelta, SessionEvent, SessionEventDraft, SessionEventType } from '#contract/session-event'
import { foldLive, foldSession, type SessionState } from '#contract/session-fold'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { Log } from '../base/log.ts'
import { encodeRecord, HEADER_BYTES } from '../base/record.ts'
import { digest } from './digest.ts'
import type { LogFile } from './log.ts'
import type { Replayed } from './replay.ts'
import { writeSnapshot } from './snapshot.ts'
import { toRecord } from './upgrade.ts'

/** Neither a person's doing nor an effect on the world: in the log, but nobody waits for the device. */
const unsynced = new Set<SessionEventType>(['message.partial', 'status.changed', 'todo.changed', 'reasoning.added'])

/** Bytes of log that make a new snapshot worth its price. Below the first, replaying is quicker than reading a cache. */
const SNAPSHOT_EVERY_BYTES = 4_000_000
const SNAPSHOT_LEAST_BYTES = 500_000

export interface Happened {
  readonly from: number
  readonly to: number
  readonly events: SessionEvent[]
}

export interface Writer {
  readonly state: SessionState
  readonly replayed: Replayed
  append(...drafts: SessionEventDraft[]): Promise<SessionEvent[]>
  live(delta: LiveDelta): void
  readonly happened: Emitter<Happened>
  readonly lived: Emitter<LiveDelta[]>
  /** Waits for what is under way and refuses what comes later. Never rejects. */
  close(): Promise<void>
}

interface Waiting {
  readonly drafts: SessionEventDraft[]
  resolve(events: SessionEvent[]): void
  reject(fault: unknown): void
}

interface Encoded extends Waiting {
  readonly events: SessionEvent[]
  readonly lines: Buffer
}

export function createWriter(options: { replayed: Replayed; file: LogFile; snapshotFile: string; log: Log }): Writer {
  const { replayed, file, log } = options
  const { state } = replayed
  const onFault = (fault: unknown): void => log('error', 'a listener of a session failed', { fault: String(fault) })
  const happened = createEmitter<Happened>(onFault)
  const lived = createEmitter<LiveDelta[]>(onFault)
  let waiting: Waiting[] = []
  let draining: Promise<void> | null = null
  let closed = false
  let snapshotAt = replayed.end
  let snapshotting: Promise<void> | null = null

  const accept = ({ events, lines, resolve }: Encoded): void => {
    for (const event of events) {
      foldSession(state, event)
      replayed.digest = digest(replayed.digest, event)
    }
    replayed.last = lastLine(lines, replayed.end)
    replayed.end += lines.length
    resolve(events)
  }

  const writeBatch = async (batch: Encoded[]): Promise<void> => {
    const events = batch.flatMap(each => each.events)
    try {
      const sync = events.some(event => !unsynced.has(event.type))
      await file.append(Buffer.concat(batch.map(each => each.lines)), sync)
    } catch (fault) {
      for (const each of batch) each.reject(fault)
      return
    }
    for (const each of batch) accept(each)
    const from = events[0]?.seq
    if (from !== undefined) happened.emit({ from, to: state.facts.seq, events })
  }

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const taken = waiting
      waiting = []
      await writeBatch(number(taken, state.facts.seq))
      if (replayed.end - snapshotAt > SNAPSHOT_EVERY_BYTES) snapshotting ??= snapshot()
    }
    draining = null
  }

  const snapshot = async (): Promise<void> => {
    try {
      await file.sync()
      snapshotAt = replayed.end
      await writeSnapshot(options.snapshotFile, replayed)
    } catch (fault) {
      log('warn', 'a snapshot of a session could not be written', { fault: String(fault) })
    }
    snapshotting = null
  }

  return {
    state,
    replayed,
    happened,
    lived,
    append(...drafts) {
      if (closed) return Promise.reject(new BelayError(ErrorCode.unavailable, 'This conversation is closed.'))
      if (drafts.length === 0) return Promise.resolve([])
      return new Promise((resolve, reject) => {
        waiting.push({ drafts, resolve, reject })
        // From the next tick on, so that all appends of this one share a write.
        draining ??= Promise.resolve().then(drain)
      })
    },
    live(delta) {
      const result = foldLive(state, delta)
      if (result === 'applied') lived.emit([delta])
      else if (result === 'gap') log('warn', 'a live delta does not follow the one before', { itemId: delta.itemId })
    },
    async close() {
      closed = true
      while (draining) await draining
      await snapshotting
      const worthIt = replayed.end - snapshotAt > SNAPSHOT_LEAST_BYTES
      await (worthIt ? snapshot() : file.sync().catch(() => {}))
      await file.close().catch(fault => log('warn', 'a log could not be closed', { fault: String(fault) }))
    },
  }
}

/** Gives numbers and bytes. What cannot be written as JSON is refused alone and takes no number. */
function number(taken: Waiting[], lastSeq: number): Encoded[] {
  let seq = lastSeq
  const at = Date.now()
  return taken.flatMap(each => {
    const events = each.drafts.map((draft, index) => ({ ...draft, seq: seq + 1 + index, at }) as SessionEvent)
    try {
      const lines = Buffer.concat(events.map(event => encodeRecord(toRecord(event))))
      seq += events.length
      return [{ ...each, events, lines }]
    } catch (fault) {
      each.reject(fault)
      return []
    }
  })
}

function lastLine(lines: Buffer, end: number): Replayed['last'] {
  const from = lines.lastIndexOf(10, lines.length - 2) + 1
  return { offset: end + from, header: lines.toString('latin1', from, from + HEADER_BYTES) }
}
