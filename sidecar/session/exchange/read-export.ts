/**
 * A file that says it is a conversation, read as what anybody may have written: line by line, each checked, nothing believed of
 * its numbers, names or order. Gives way to other work between lines.
 */
import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { BelayError } from '#contract/error'
import { BlobId, type SessionId } from '#contract/id'
import { EVENT_VERSION, SessionEvent, type SessionEventOf } from '#contract/session-event'

/** One session of it: how it was made, and what was said after that. */
export interface Talk {
  readonly created: SessionEventOf<'session.created'>
  readonly events: SessionEvent[]
}

export interface ReadExport {
  /** The conversation first, then those of its sub-agents. */
  readonly talks: [Talk, ...Talk[]]
  readonly blobs: ReadonlyMap<BlobId, Uint8Array>
  readonly skipped: number
}

const MOST_LINES = 500_000
const MOST_TALKS = 1000
/** Of one event; what Belay writes is far below. */
const MOST_LINE_CHARS = 16_000_000
const SLICE = 200

/** Throws `invalid` where there is no conversation in it, `too_large`. */
export async function readExport(text: string): Promise<ReadExport> {
  const talks: Talk[] = []
  const blobs = new Map<BlobId, Uint8Array>()
  let [skipped, lines] = [0, 0]
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? text.length : end)
    from = end < 0 ? text.length : end + 1
    if (line.trim() === '') continue
    if (++lines > MOST_LINES) throw tooLarge(`it has more than ${MOST_LINES} records`)
    if (lines % SLICE === 0) await turn()
    const record = line.length > MOST_LINE_CHARS ? null : parsed(line)
    const blob = record && blobOf(record)
    if (blob) {
      blobs.set(...blob)
      continue
    }
    const event = record && eventOf(record)
    if (!event) skipped++
    else if (event.type === 'session.created') {
      if (talks.length >= MOST_TALKS) throw tooLarge(`it holds more than ${MOST_TALKS} conversations`)
      talks.push({ created: event, events: [] })
    } else if (talks.length === 0) skipped++
    else talks.at(-1)?.events.push(event)
  }
  const [first, ...others] = talks
  if (!first) throw notOne()
  const known = new Set<SessionId>([first.created.sessionId])
  const subagents = others.filter(({ created, events }) => {
    const isOurs = created.parent && known.has(created.parent.sessionId) && !known.has(created.sessionId)
    if (isOurs) known.add(created.sessionId)
    else skipped += events.length + 1
    return isOurs
  })
  return { talks: [first, ...subagents], blobs, skipped }
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

function eventOf({ v, ...said }: Record<string, unknown>): SessionEvent | null {
  if (v !== EVENT_VERSION) return null
  const known = SessionEvent.safeParse(said)
  return known.success ? known.data : null
}

/** Null: it is none, or not what its name says. */
function blobOf({ blob, base64 }: Record<string, unknown>): [BlobId, Uint8Array] | null {
  const id = BlobId.safeParse(blob)
  if (!id.success || typeof base64 !== 'string') return null
  const bytes = Buffer.from(base64, 'base64')
  return `blb_${createHash('sha256').update(bytes).digest('hex')}` === id.data ? [id.data, bytes] : null
}

const tooLarge = (why: string) =>
  new BelayError('too_large', `Nothing was imported: ${why}. Belay never writes such a file.`)

const notOne = () =>
  new BelayError(
    'invalid',
    'Nothing was imported: this is no conversation that Belay exported, or it is of another version. Choose a file that “Export as JSON” wrote.',
  )
