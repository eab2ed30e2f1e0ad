/**
 * From a log back to the state. Whatever is damaged costs itself and nothing else: later records still count, and what
 * hung on a lost record hangs on what came before it. `seq` keeps its numbers: a lost record leaves a placeholder.
 */
import { stat } from 'node:fs/promises'
import type { ItemId, SessionId } from '#contract/id'
import type { SessionEvent } from '#contract/session-event'
import { emptySession, foldSession, type SessionState } from '#contract/session-fold'
import { type Digest, digest, emptyDigest } from './digest.ts'
import { readLog } from './log.ts'
import type { LogRecord } from './record.ts'
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
}

export const emptyReplay = (sessionId: SessionId): Replayed => ({
  state: emptySession(sessionId),
  digest: emptyDigest,
  end: 0,
  last: null,
  damaged: 0,
  pending: 0,
})

/** Goes on from `from` (changed in place) or starts anew. Gives way to other work at least every few ms. */
export async function replay(file: string, from: Replayed): Promise<Replayed> {
  for await (const { records, end } of readLog(file, from.end)) {
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
  fillTo(replayed.state, replayed.state.facts.seq + replayed.pending)
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
  fillTo(state, event.seq - 1)
  replayed.pending = 0
  const mended = mend(state, event)
  foldSession(state, mended)
  replayed.digest = digest(replayed.digest, mended)
  return mended
}

function fillTo(state: SessionState, seq: number): void {
  while (state.facts.seq < seq) foldSession(state, placeholder(state.facts.seq + 1, 0, 'record.lost'))
}

/** Ties what refers to a lost item to the head instead. A whole log needs none of this. */
function mend(state: SessionState, event: SessionEvent): SessionEvent {
  const known = (id: ItemId | null): boolean => id === null || state.items.has(id)
  if ('parentId' in event && !known(event.parentId)) return { ...event, parentId: state.facts.head }
  if (event.type === 'head.moved' && !known(event.to)) return { ...event, to: state.facts.head }
  return event
}
