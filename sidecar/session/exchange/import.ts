/**
 * A conversation out of a file as a new session: what it says becomes the session's past, and what it may do is what any new one
 * may. Promise: all of it or nothing; nothing in it allows, runs, queues or counts as spent.
 */
import { mkdir } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import type { BlobId, SessionId } from '#contract/id'
import { SessionId as SessionIdSchema } from '#contract/id'
import type { SessionEvent, SessionEventDraft } from '#contract/session-event'
import type { SessionFacts } from '#contract/session-state'
import { writeFileAtomic } from '../../base/atomic-file.ts'
import { newId } from '../../base/id.ts'
import { encodeRecord } from '../../base/record.ts'
import { createBlobs } from '../blobs.ts'
import type { SessionFiles } from '../files.ts'
import { form, type Part, type Place } from '../fork/form.ts'
import { segmentFile, writeInherited } from '../fork/inherited.ts'
import { recover } from '../recover.ts'
import { emptyReplay, foldRecord } from '../replay.ts'
import { toRecord } from '../upgrade.ts'
import { blobsIn } from './export-blobs.ts'
import { type ReadExport, readExport, type Talk } from './read-export.ts'
import { createNames, type Names, renamed } from './rename-event.ts'

export interface ImportWish {
  readonly fileName: string
  readonly text: string
  readonly roots: string[]
  readonly mode: SessionFacts['mode']
  readonly producer: SessionFacts['producer']
}

export interface Imported {
  readonly sessionId: SessionId
  readonly records: number
  readonly skipped: number
  readonly subagents: number
  readonly missingBlobs: number
}

/** Throws `invalid`, `too_large`, `disk_full`, `read_only`. */
export async function importSession(place: Place, wish: ImportWish): Promise<Imported> {
  const read = await readExport(wish.text)
  const fresh = () => SessionIdSchema.parse(newId('ses'))
  const sessions = new Map(read.talks.map(({ created }) => [created.sessionId, fresh()]))
  const names = createNames(sessions)
  const pasts: { talk: Talk; past: Past }[] = []
  for (const talk of read.talks) pasts.push({ talk, past: await pastOf(talk, names, idOf(sessions, talk)) })
  const missing = new Set<BlobId>()
  const parts = pasts.map(({ talk, past }): Part => {
    const sessionId = idOf(sessions, talk)
    const spoken = blobsIn(past.text)
    for (const id of spoken) if (!read.blobs.has(id)) missing.add(id)
    return { sessionId, first: firstOf(talk, past, wish, names, sessionId), prepare: prepare(past, read, spoken) }
  })
  await form(place, parts.toReversed())
  const records = pasts.reduce((sum, { past }) => sum + past.taken + 1, 0)
  const skipped = read.skipped + pasts.reduce((sum, { past }) => sum + past.skipped, 0)
  const sessionId = idOf(sessions, read.talks[0])
  return { sessionId, records, skipped, subagents: parts.length - 1, missingBlobs: missing.size }
}

const idOf = (sessions: ReadonlyMap<SessionId, SessionId>, { created }: Talk): SessionId =>
  sessions.get(created.sessionId) as SessionId

interface Past {
  readonly lines: Buffer
  /** As JSON. */
  readonly text: string
  readonly head: SessionFacts['head']
  readonly seq: number
  readonly title: string | null
  readonly taken: number
  readonly skipped: number
}

/** Events taken in before other work gets its turn. */
const SLICE = 200

/** What it says, numbered anew, with every turn ended and every call answered. */
async function pastOf({ created, events }: Talk, names: Names, sessionId: SessionId): Promise<Past> {
  const replayed = emptyReplay(sessionId)
  const lines: Buffer[] = []
  const { state } = replayed
  let { title } = created
  let [taken, skipped, at] = [0, 0, created.at]
  const append = (event: SessionEvent): void => {
    at = Math.max(0, Math.min(event.at, Date.now()))
    const record = toRecord({ ...event, seq: state.facts.seq + 1, at } as SessionEvent)
    if (!foldRecord(replayed, record)) return
    lines.push(encodeRecord(record))
  }
  const answered = new Set(
    events.flatMap(event => (event.type === 'question.answered' || event.type === 'plan.decided' ? event.askId : [])),
  )
  for (const [index, event] of events.entries()) {
    if (index % SLICE === 0) await turn()
    // Nobody is asked here what somebody elsewhere did not answer.
    if ((event.type === 'question.asked' || event.type === 'plan.proposed') && !answered.has(event.askId)) continue
    if (event.type === 'session.titled') title = event.title
    const said = renamed(event, names)
    // Said twice, it could stand above itself.
    const again = said && 'parentId' in said && state.items.has(said.id)
    const unknown = said && 'parentId' in said && said.parentId !== null && !state.items.has(said.parentId)
    if (!said || again || unknown) skipped += Number(!leftBehind.has(event.type))
    else {
      append(said)
      taken++
    }
  }
  for (const draft of recover(state)) append({ ...draft, seq: 0, at } as SessionEvent)
  const { head, seq } = state.facts
  const bytes = Buffer.concat(lines)
  return { lines: bytes, text: bytes.toString('utf8'), head, seq, title, taken, skipped }
}

/** Whole and understood, but nothing of the talk: not told as lost. */
const leftBehind = new Set<SessionEvent['type']>([
  ...(['session.titled', 'session.forked', 'mode.changed', 'engine.switched', 'turn.noted'] as const),
  ...(['permission.asked', 'permission.answered', 'rules.changed', 'diagnostics.updated', 'checkpoint.taken'] as const),
  ...(['queue.changed', 'steer.offered', 'steer.delivered', 'steer.demoted', 'steer.withdrawn'] as const),
  ...(['review.accepted', 'review.reverted', 'review.undone', 'restore.begun', 'restore.failed'] as const),
  'status.changed',
])

const prepare =
  (past: Past, { blobs }: ReadExport, spoken: readonly BlobId[]) =>
  async (files: SessionFiles) => {
    await mkdir(files.inherited, { mode: 0o700 })
    await writeFileAtomic(segmentFile(files, 0), past.lines)
    const { head: atItemId, seq: atSeq } = past
    const all = { end: past.lines.length, atItemId, atSeq, whole: true, rootIds: {}, sessionIds: {} }
    await writeInherited(files, [all])
    const kept = createBlobs(files.blobs, () => {})
    for (const id of spoken) {
      const bytes = blobs.get(id)
      if (bytes) await kept.keep(bytes)
    }
  }

function firstOf(
  { created }: Talk,
  { title }: Past,
  { fileName, roots, mode, producer }: ImportWish,
  names: Names,
  sessionId: SessionId,
): SessionEventDraft[] {
  const { parent } = created
  const above = parent && names.session(parent.sessionId)
  const imported = { sessionId: created.sessionId, fileName }
  const first: SessionEventDraft[] = [
    {
      type: 'session.created',
      ...{ sessionId, roots, title, imported },
      ...(parent && above ? { parent: { ...parent, sessionId: above, callId: names.call(parent.callId) } } : {}),
    },
  ]
  if (mode !== 'default') first.push({ type: 'mode.changed', mode, by: 'person' })
  if (producer) first.push({ type: 'engine.switched', producer })
  return first
}
