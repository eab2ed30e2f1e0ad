/**
 * Every session of this profile: made, opened once, listed, searched, marked, removed. One writer per session in the whole
 * machine, by a lock; whoever comes later is told who holds it and may read.
 */
import { BelayError, ErrorCode } from '#contract/error'
import { SessionId } from '#contract/id'
import type { SessionSummary, UsageRow } from '#contract/session'
import type { Mode, Producer, SessionEventDraft } from '#contract/session-event'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import { newId } from '../base/id.ts'
import type { Log } from '../base/log.ts'
import { createCatalog, exportText, type Marks } from './catalog.ts'
import { filesOf, listFolder } from './files.ts'
import { createHolding } from './holding.ts'
import { createLines, type Listed } from './lines.ts'
import { watchList } from './list-watch.ts'
import { notKept } from './log.ts'
import { createForWriting, type Opening, type OpenSession, openForReading, openForWriting, takeLock } from './opened.ts'
import { logBytes } from './replay.ts'
import { emptyTrash, moveToTrash } from './trash.ts'

export type { OpenSession } from './opened.ts'

export interface SessionStore {
  create(options: {
    roots: string[]
    title: string | null
    mode: Mode
    producer: Producer | null
  }): Promise<OpenSession>
  /** For writing. Throws `locked_elsewhere` naming the holder, `not_found`, `read_only`. Twice: the same object, counted. */
  open(sessionId: SessionId): Promise<OpenSession>
  /** Follows a log that somebody else writes. Where we write it already, answers that. Throws `not_found`. */
  openReadOnly(sessionId: SessionId): Promise<OpenSession>
  summary(sessionId: SessionId): Promise<SessionSummary | null>
  /** Pinned first, then newest first. `roots`: those that have one of them. `archived`: only those; else without them. */
  list(filter: { roots?: string[]; query?: string; archived?: boolean }): Promise<SessionSummary[]>
  /** What models took from the day `since` (`2026-11-30`) on, archived sessions too. */
  spent(since: string): Promise<UsageRow[]>
  setPinned(sessionId: SessionId, pinned: boolean): Promise<void>
  setArchived(sessionId: SessionId, archived: boolean): Promise<void>
  setSeen(sessionId: SessionId): Promise<void>
  /** What the list says until the next event says otherwise. Only for sessions that are open for writing here. */
  setState(sessionId: SessionId, state: SessionSummary['state']): void
  /** To the trash. Throws `busy` while a turn runs, `locked_elsewhere`, `not_found`. */
  remove(sessionId: SessionId): Promise<void>
  exportLog(sessionId: SessionId): Promise<{ fileName: string; text: string }>
  /** Also for sessions of other processes, from the first `list` on. */
  readonly listed: Emitter<Listed>
  /** Closes what is open, whoever still counts on it. Never rejects. */
  dispose(): Promise<void>
}

/** Small files read at once for a list. */
const LIST_WIDTH = 16

/** `folder` is made when needed. `describeInstance` is what others read when we hold a session: "belay run". */
export function createSessionStore(options: {
  folder: string
  log: Log
  instanceId: string
  describeInstance: string
}): SessionStore {
  const { folder, log, instanceId } = options
  const catalog = createCatalog(folder, log)
  const listed = createEmitter<Listed>(fault => log('error', 'a listener of the list failed', { fault: String(fault) }))
  const lines = createLines(catalog, listed)
  const writers = createHolding({ opened: lines.follow, closed: lines.finish })
  const readers = createHolding({ opened: () => {}, closed: async () => {} })
  let watching: Promise<() => Promise<void>> | null = null

  const openingOf = (sessionId: SessionId): Opening => ({
    files: filesOf(folder, sessionId),
    sessionId,
    owner: { instanceId, what: options.describeInstance },
    log,
  })

  const mustExist = async (sessionId: SessionId): Promise<Opening> => {
    const opening = openingOf(sessionId)
    if ((await logBytes(opening.files.log)) > 0) return opening
    throw new BelayError(ErrorCode.notFound, 'This conversation is not there any more.')
  }

  const mark = async (sessionId: SessionId, change: Partial<Marks>): Promise<void> => {
    await mustExist(sessionId)
    await catalog.saveMarks(sessionId, change)
    await lines.tell(sessionId)
  }

  /** The first list starts the watch, so that a process that never lists pays nothing for it. */
  const startWatch = (): void => {
    if (watching) return
    watching = watchList(listFolder(folder), sessionId => {
      if (!writers.get(sessionId)) void lines.tell(sessionId)
    }).catch(fault => {
      log('warn', 'the list of sessions cannot be watched', { fault: String(fault) })
      return async () => {}
    })
    void emptyTrash(folder)
  }

  return {
    listed,
    async create({ roots, title, mode, producer }) {
      const sessionId = SessionId.parse(newId('ses'))
      const first: SessionEventDraft[] = [{ type: 'session.created', sessionId, roots, title }]
      if (mode !== 'default') first.push({ type: 'mode.changed', mode, by: 'person' })
      if (producer) first.push({ type: 'engine.switched', producer })
      return writers.open(sessionId, () => createForWriting(openingOf(sessionId), first))
    },
    open: sessionId => writers.open(sessionId, async () => openForWriting(await mustExist(sessionId))),
    async openReadOnly(sessionId) {
      if (writers.get(sessionId)) return this.open(sessionId)
      return readers.open(sessionId, async () => {
        const opening = await mustExist(sessionId)
        return openForReading(opening, await catalog.holder(sessionId))
      })
    },
    summary: async sessionId => (await lines.of(sessionId))?.summary ?? null,
    async list({ roots, query, archived = false }) {
      startWatch()
      const found = await inParallel(await catalog.ids(), LIST_WIDTH, async sessionId => {
        const line = await lines.of(sessionId).catch(() => null)
        if (line?.summary.archived !== archived) return null
        if (roots && !line.summary.roots.some(root => roots.includes(root))) return null
        return !query?.trim() || (await catalog.matches(line.meta, query)) ? line.summary : null
      })
      return found.filter(summary => summary !== null).sort(inOrder)
    },
    async spent(since) {
      const found = await inParallel(await catalog.ids(), LIST_WIDTH, async sessionId => {
        const line = await lines.of(sessionId).catch(() => null)
        const { title } = line?.summary ?? { title: '' }
        return (line?.meta.digest.spent ?? []).flatMap(each =>
          each.day >= since ? [{ sessionId, title, ...each }] : [],
        )
      })
      return found.flat()
    },
    setPinned: (sessionId, pinned) => mark(sessionId, { pinned }),
    setArchived: (sessionId, archived) => mark(sessionId, { archived }),
    async setSeen(sessionId) {
      const seq = writers.get(sessionId)?.session.state.facts.seq ?? (await catalog.meta(sessionId))?.seq ?? 0
      await mark(sessionId, { seenSeq: seq })
    },
    setState: lines.setState,
    async remove(sessionId) {
      if (writers.get(sessionId)?.session.state.facts.running)
        throw new BelayError(ErrorCode.busy, 'A turn is running in this conversation. Stop it first, then delete it.')
      const opening = await mustExist(sessionId)
      await Promise.all([writers.shut(sessionId), readers.shut(sessionId)])
      const lock = await takeLock(opening)
      try {
        await moveToTrash(folder, sessionId).catch(fault => {
          throw notKept(fault)
        })
        await catalog.forget(sessionId)
      } finally {
        await lock.release()
      }
      await lines.tell(sessionId)
    },
    async exportLog(sessionId) {
      const { files } = await mustExist(sessionId)
      return { fileName: `${sessionId}.jsonl`, text: await exportText(files) }
    },
    async dispose() {
      await Promise.all([...writers.ids().map(writers.shut), ...readers.ids().map(readers.shut)])
      const stop = await watching
      await stop?.()
      await lines.dispose()
    },
  }
}

const inOrder = (a: SessionSummary, b: SessionSummary): number =>
  Number(b.pinned) - Number(a.pinned) || b.changedAt - a.changedAt || (a.sessionId < b.sessionId ? -1 : 1)

/** At most `width` at a time; answers in the order of `all`. */
async function inParallel<T, R>(all: readonly T[], width: number, work: (each: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    for (let index = next++; index < all.length; index = next++) results[index] = await work(all[index] as T)
  }
  await Promise.all(Array.from({ length: width }, lane))
  return results
}
