/**
 * From a log back to the state. Whatever is damaged costs itself and nothing else: later records still count, and what
 * hung on a lost record hangs on what came before it. `seq` keeps its numbers: a lost record leaves a placeholder.
 */
import { stat } from 'node:fs/promises'
import type { ItemId, SessionId } from '#contract/id'
import type { SessionEvent } from '#contract/session-event'
import { emptySession, foldSession, type SessionState } from '#contract/session-fold'
import type { LogRecord } from '../base/record.ts'
import { type Digest, digest, emptyDigest } from './digest.ts'
import { readLog } from './log.ts'
import { placeholder, upgrade } from './upgrade.ts'

/** A jump in `seq` beyond this is a damaged record, not that many lost ones. */
const MAX_LOST = 1_000_000

export interface Replayed {
  readonly state: SessionState
  digest: Digest
  /** Bytes of complete lines: where the next record goes. */
  end: number
  /** Offset and header of the last complete line, to know the same log again. */
  last: { offset: number; header: string } | null
  /** Lines that were there but damaged. */
  damaged: number
  /** Damaged lines since the last good record: each may have been a `seq` of its own. */
  pending: number
  /** Whether a record was lost since the last item: it may have moved the head. */
  lost: boolean
}

export const emptyReplay = (sessionId: SessionId): Replayed => ({
  state: emptySession(sessionId),
  digest: emptyDigest,
  end: 0,
  last: null,
  damaged: 0,
  pending: 0,
  lost: false,
})

/** Goes on from `from` (changed in place), up to the offset `to`. Gives way to other work at least every few ms. */
export async function replay(file: string, from: Replayed, to?: number): Promise<Replayed> {
  for await (const { records, end } of readLog(file, from.end, to)) {
    for (const record of records) {
      foldRecord(from, record.value)
      from.last = { offset: record.offset, header: record.header }
    }
    from.end = end
  }
  return from
}

/** Bytes of the log; 0 where there is none. */
export const logBytes = (file: string): Promise<number> =>
  stat(file).then(
    found => found.size,
    () => 0,
  )

/** What a writer does before it numbers its first event: damaged lines at the end keep their numbers to themselves. */
export function settle(replayed: Replayed): void {
  if (fillTo(replayed.state, replayed.state.facts.seq + replayed.pending)) replayed.lost = true
  replayed.pending = 0
}

/** Folds one line of a log; answers the event, or null where there was none to fold. */
export function foldRecord(replayed: Replayed, value: LogRecord | null): SessionEvent | null {
  const { state } = replayed
  const event = value && upgrade(value)
  if (!event || event.seq > state.facts.seq + MAX_LOST) {
    replayed.damaged++
    replayed.pending++
    return null
  }
  if (event.seq <= state.facts.seq) return null
  if (fillTo(state, event.seq - 1)) replayed.lost = true
  replayed.pending = 0
  const mended = mend(replayed, event)
  foldSession(state, mended)
  replayed.digest = digest(replayed.digest, mended)
  return mended
}

/** Whether there was anything to fill. */
function fillTo(state: SessionState, seq: number): boolean {
  const gap = state.facts.seq < seq
  while (state.facts.seq < seq) foldSession(state, placeholder(state.facts.seq + 1, 0, 'record.lost'))
  return gap
}

/** Ties what refers to a lost item to the head instead, and moves a head whose move was lost. A whole log needs none of it. */
function mend(replayed: Replayed, event: SessionEvent): SessionEvent {
  const { state } = replayed
  const known = (id: ItemId | null): boolean => id === null || state.items.has(id)
  if (event.type === 'head.moved') {
    replayed.lost = false
    return known(event.to) ? event : { ...event, to: state.facts.head }
  }
  if (!('parentId' in event)) return event
  if (!known(event.parentId)) return { ...event, parentId: state.facts.head }
  if (replayed.lost && event.parentId !== state.facts.head) moveHead(state, event.parentId)
  replayed.lost = false
  return event
}

/** In the place of the lost record, so without a number of its own. */
function moveHead(state: SessionState, to: ItemId | null): void {
  const { seq, head: from } = state.facts
  state.facts = { ...state.facts, seq: seq - 1 }
  foldSession(state, { type: 'head.moved', seq, at: 0, from, to, reason: 'switch', checkpoint: null })
}
