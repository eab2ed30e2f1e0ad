/**
 * The list of sessions, read from a small file each and never by folding a log that did not change. Those small files are
 * copies: a missing, broken or outdated one is made again from its log. Marks of a person are kept apart from them.
 */
import { readdir, rm, stat } from 'node:fs/promises'
import { z } from 'zod'
import { SessionId } from '#contract/id'
import type { SessionSummary } from '#contract/session'
import { ForkedFrom } from '#contract/session-tree'
import { readJson, readRemade, writeFileAtomic } from '../base/atomic-file.ts'
import { type LockOwner, readLock } from '../base/lock-file.ts'
import type { Log } from '../base/log.ts'
import { isProvablyDead } from '../base/process-info.ts'
import { Digest, stateOf, titleOf } from './digest.ts'
import { filesOf, type SessionFiles } from './files.ts'
import { notKept } from './log.ts'
import { load } from './reader.ts'
import { logBytes, type Replayed } from './replay.ts'

export const Meta = z.object({
  v: z.literal(1),
  sessionId: SessionId,
  title: z.string().nullable(),
  roots: z.array(z.string()),
  /** The session that a sub-agent works for here. */
  parent: SessionId.nullable().default(null),
  forkedFrom: ForkedFrom.nullable(),
  imported: z.boolean(),
  digest: Digest,
  seq: z.number(),
  /** Bytes of the log that it speaks of. */
  end: z.number(),
})
export type Meta = z.infer<typeof Meta>

export const Marks = z.object({ pinned: z.boolean(), archived: z.boolean(), seenSeq: z.number() })
export type Marks = z.infer<typeof Marks>
const noMarks: Marks = { pinned: false, archived: false, seenSeq: 0 }

export function metaOf(sessionId: SessionId, { state, digest, end }: Replayed): Meta {
  const { title, roots, seq, parent, forkedFrom, imported } = state.facts
  return {
    ...{ v: 1, sessionId, title, roots, digest, seq, end },
    parent: parent?.sessionId ?? null,
    forkedFrom: forkedFrom && { sessionId: forkedFrom.sessionId, atItemId: forkedFrom.atItemId },
    imported: imported !== null,
  }
}

export function summaryOf(meta: Meta, marks: Marks, held: { by: string | null; live: boolean }): SessionSummary {
  const { digest } = meta
  return {
    sessionId: meta.sessionId,
    title: titleOf(meta, digest),
    roots: meta.roots,
    createdAt: digest.createdAt,
    changedAt: digest.changedAt,
    pinned: marks.pinned,
    archived: marks.archived,
    unread: digest.endedSeq > marks.seenSeq,
    // Nobody is at work on a session that nobody holds, whatever its last event was.
    state: held.live ? stateOf(digest) : 'idle',
    preview: digest.preview,
    turns: digest.turns,
    heldBy: held.by,
    forkedFrom: meta.forkedFrom,
    changed: digest.changed,
    imported: meta.imported,
  }
}

export interface Catalog {
  /** The newest copy, made again where it does not match its log. Null: no such session. */
  meta(sessionId: SessionId): Promise<Meta | null>
  saveMeta(meta: Meta): Promise<void>
  marks(sessionId: SessionId): Promise<Marks>
  /** Throws `disk_full` or `read_only`. */
  saveMarks(sessionId: SessionId, change: Partial<Marks>): Promise<Marks>
  /** Who holds it for writing while that process may live, else null. */
  owner(sessionId: SessionId): Promise<LockOwner | null>
  /** The same in words: "belay run 4711 since 10:02". */
  holder(sessionId: SessionId): Promise<string | null>
  ids(): Promise<SessionId[]>
  /** Whether title or prompts contain all words of `query`, whatever the case. */
  matches(meta: Meta, query: string): Promise<boolean>
  forget(sessionId: SessionId): Promise<void>
}

export function createCatalog(folder: string, log: Log): Catalog {
  /** Parsed copies by the stamp of their file. */
  const known = new Map<SessionId, { stamp: string; meta: Meta }>()
  const files = (sessionId: SessionId): SessionFiles => filesOf(folder, sessionId)

  const readMeta = async (sessionId: SessionId): Promise<Meta | null> => {
    const file = files(sessionId).meta
    const found = await stat(file).catch(() => null)
    if (!found) return null
    const stamp = `${found.mtimeMs} ${found.size} ${found.ino}`
    const cached = known.get(sessionId)
    if (cached?.stamp === stamp) return cached.meta
    const meta = await readRemade<Meta | null>(file, value => Meta.parse(value), null).catch(() => null)
    if (meta?.sessionId !== sessionId) return null
    known.set(sessionId, { stamp, meta })
    return meta
  }

  const saveMeta = (meta: Meta): Promise<void> =>
    writeFileAtomic(files(meta.sessionId).meta, JSON.stringify(meta)).catch(fault =>
      log('warn', 'the list entry of a session could not be written', { fault: String(fault) }),
    )

  const owner = async (sessionId: SessionId): Promise<LockOwner | null> => {
    const found = await readLock(files(sessionId).lock).catch(() => null)
    return !found || (await isProvablyDead(found)) ? null : found
  }
  const holder = async (sessionId: SessionId): Promise<string | null> => {
    const found = await owner(sessionId)
    return found && describeOwner(found)
  }

  const rebuild = async (sessionId: SessionId): Promise<Meta | null> => {
    const size = await logBytes(files(sessionId).log)
    const replayed = await load(files(sessionId), sessionId)
    if (replayed.state.facts.seq === 0) return null
    // A torn end counts as read, or it would be read again for every list.
    const meta = { ...metaOf(sessionId, replayed), end: Math.max(replayed.end, size) }
    await saveMeta(meta)
    return meta
  }

  return {
    async meta(sessionId) {
      const [meta, size] = await Promise.all([readMeta(sessionId), logBytes(files(sessionId).log)])
      if (size === 0) return null
      if (meta && (meta.end === size || (await holder(sessionId)) !== null)) return meta
      return rebuild(sessionId)
    },
    saveMeta,
    marks: sessionId => readJson(files(sessionId).marks, value => Marks.parse(value), noMarks).catch(() => noMarks),
    async saveMarks(sessionId, change) {
      const marks = { ...(await this.marks(sessionId)), ...change }
      await writeFileAtomic(files(sessionId).marks, JSON.stringify(marks)).catch(fault => {
        throw notKept(fault)
      })
      return marks
    },
    owner,
    holder,
    async ids() {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
      return entries.flatMap(entry => (entry.isDirectory() ? (SessionId.safeParse(entry.name).data ?? []) : []))
    },
    async matches(meta, query) {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean)
      const text = `${meta.title ?? ''}\n${meta.digest.prompts}`.toLowerCase()
      if (words.every(word => text.includes(word))) return true
      if (!meta.digest.promptsCut) return false
      const all = `${meta.title ?? ''}\n${await readPrompts(files(meta.sessionId), meta.sessionId)}`.toLowerCase()
      return words.every(word => all.includes(word))
    },
    async forget(sessionId) {
      known.delete(sessionId)
      await Promise.all([files(sessionId).meta, files(sessionId).marks].map(file => rm(file, { force: true })))
    },
  }
}

export const describeOwner = (owner: { what: string; pid: number; since: string }): string => {
  const since = new Date(owner.since)
  const time = Number.isNaN(since.getTime()) ? '' : ` since ${since.toTimeString().slice(0, 5)}`
  return `${owner.what} ${owner.pid}${time}`
}

async function readPrompts(files: SessionFiles, sessionId: SessionId): Promise<string> {
  const { state } = await load(files, sessionId)
  return [...state.items.values()]
    .flatMap(item => (item.kind === 'message' && item.role === 'user' ? item.text : []))
    .join('\n')
}

/** Which session a changed file of the list folder speaks of; null for anything else. */
export function sessionOfListFile(name: string): SessionId | null {
  const id = /^(ses_[0-9A-Za-z_-]+)\.(?:meta|marks)\.json$/.exec(name)?.[1]
  return SessionId.safeParse(id).data ?? null
}
