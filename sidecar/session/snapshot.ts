/**
 * The folded state in a file beside the log: only a cache. Missing, damaged, of another version or of another log, it is
 * ignored and the log is replayed; what it says is never more than the log says.
 */
import { open } from 'node:fs/promises'
import { z } from 'zod'
import type { SessionId } from '#contract/id'
import type { SessionState } from '#contract/session-fold'
import { Ask, Item, Restore, Review, SessionFacts, Turn } from '#contract/session-state'
import { writeFileAtomic } from '../base/atomic-file.ts'
import { decodeRecord, encodeRecord, HEADER_BYTES, type LogRecord } from '../base/record.ts'
import { Digest } from './digest.ts'
import { readLog } from './log.ts'
import { emptyReplay, type Replayed } from './replay.ts'

/** Raised whenever the fold or the digest changes what it keeps: an older cache is then worth nothing. */
const SNAPSHOT_VERSION = 7
/** Records encoded before other work gets its turn. */
const SLICE = 250

const Header = z.object({
  snapshot: z.literal(SNAPSHOT_VERSION),
  end: z.number(),
  last: z.object({ offset: z.number(), header: z.string() }),
  damaged: z.number(),
  pending: z.number(),
  lost: z.boolean(),
  digest: Digest,
  facts: SessionFacts,
  turns: z.number(),
  asks: z.number(),
  reviews: z.number(),
  restores: z.number(),
  items: z.number(),
})

/**
 * Takes the state as it is now and writes it while the session goes on. The log up to here must be on the device, or a
 * power cut could leave a cache that knows more than its log. Rejects like the file system does.
 */
export async function writeSnapshot(file: string, replayed: Replayed): Promise<void> {
  const { state, last, ...rest } = replayed
  if (!last || rest.pending > 0) return
  const { turns, asks, reviews, restores, items } = state
  const counts = {
    turns: turns.size,
    asks: asks.size,
    reviews: reviews.size,
    restores: restores.size,
    items: items.size,
  }
  const header = { snapshot: SNAPSHOT_VERSION, ...rest, last, facts: state.facts, ...counts }
  await writeFileAtomic(
    file,
    encoded([header, ...[turns, asks, reviews, restores, items].flatMap(map => [...map.values()])]),
  )
}

async function* encoded(records: readonly LogRecord[]): AsyncGenerator<Buffer> {
  for (let from = 0; from < records.length; from += SLICE) {
    yield Buffer.concat(records.slice(from, from + SLICE).map(encodeRecord))
    await new Promise(resolve => setImmediate(resolve))
  }
}

/** The cached state, or null when it cannot be trusted for this very log. Never rejects. */
export async function readSnapshot(file: string, log: string, sessionId: SessionId): Promise<Replayed | null> {
  try {
    const records: LogRecord[] = []
    for await (const step of readLog(file)) {
      for (const { value } of step.records) {
        if (!value) return null
        records.push(value)
      }
    }
    const header = Header.parse(records[0])
    if (records.length !== 1 + header.turns + header.asks + header.reviews + header.restores + header.items) return null
    if (header.facts.sessionId !== sessionId || !(await sameLog(log, header))) return null
    return await restore(header, records, sessionId)
  } catch {
    return null
  }
}

async function sameLog(log: string, { end, last }: Pick<z.infer<typeof Header>, 'end' | 'last'>): Promise<boolean> {
  const handle = await open(log, 'r')
  try {
    const line = Buffer.alloc(end - last.offset)
    const { bytesRead } = await handle.read(line, 0, line.length, last.offset)
    const whole = bytesRead === line.length && decodeRecord(line.subarray(0, -1)) !== null
    return whole && line.toString('latin1', 0, HEADER_BYTES) === last.header
  } finally {
    await handle.close()
  }
}

async function restore(
  header: z.infer<typeof Header>,
  records: LogRecord[],
  sessionId: SessionId,
): Promise<Replayed | null> {
  const { end, last, damaged, pending, lost, facts } = header
  const replayed: Replayed = { ...emptyReplay(sessionId), digest: header.digest, end, last, damaged, pending, lost }
  const { state } = replayed
  state.facts = facts
  const firstAsk = 1 + header.turns
  const firstReview = firstAsk + header.asks
  const firstRestore = firstReview + header.reviews
  const firstItem = firstRestore + header.restores
  for (const [index, record] of records.entries()) {
    if (index === 0) continue
    if (index < firstAsk) put(state.turns, 'turnId', Turn.parse(record))
    else if (index < firstReview) put(state.asks, 'askId', Ask.parse(record))
    else if (index < firstRestore) put(state.reviews, 'reviewId', Review.parse(record))
    else if (index < firstItem) put(state.restores, 'restoreId', Restore.parse(record))
    else addItem(state, Item.parse(record))
    if (index % SLICE === 0) await new Promise(resolve => setImmediate(resolve))
  }
  return pathOf(state) ? replayed : null
}

const put = <K extends string, T extends Record<K, unknown>>(map: Map<T[K], T>, key: K, value: T): void =>
  void map.set(value[key], value)

function addItem(state: SessionState, item: Item): void {
  state.items.set(item.id, item)
  if (item.kind === 'tool') state.calls.set(item.callId, item.id)
}

/** False where the path does not reach the root. */
function pathOf(state: SessionState): boolean {
  for (let id = state.facts.head; id !== null; ) {
    const item = state.items.get(id)
    if (!item || state.path.length > state.items.size) return false
    state.path.push(id)
    id = item.parentId
  }
  state.path.reverse()
  return true
}
