/**
 * Every session of this profile: made, opened once, listed, searched, marked, removed. One writer per session in the whole
 * machine, by a lock; whoever comes later is told who holds it and may read.
 */
import { BelayError, ErrorCode } from '#contract/error'
import { SessionId } from '#contract/id'
import type { SessionSummary, UsageRow } from '#contract/session'
import type { Mode, Producer, SessionEventDraft } from '#contract/session-event'
import type { SessionFacts } from '#contract/session-state'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import { newId } from '../base/id.ts'
import type { Lock } from '../base/lock-file.ts'
import type { Log } from '../base/log.ts'
import { createCatalog, type Marks } from './catalog.ts'
import { exportBlobs } from './exchange/export-blobs.ts'
import { exportLines } from './exchange/export-lines.ts'
import { type Imported, type ImportWish, importSession } from './exchange/import.ts'
import { familyOf, LIST_WIDTH, spentSince } from './family.ts'
import { filesOf, listFolder } from './files.ts'
import { type ForkWish, fork, freeTitle } from './fork/fork.ts'
import { emptyForming } from './fork/form.ts'
import { createHolding } from './holding.ts'
import { inParallel } from './in-parallel.ts'
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
    /** Made without it. Throws `already_exists` where one has it. */
    sessionId?: SessionId | undefined
    /** The work of a sub-agent: in no list, counted with the session it works for, and removed with it. */
    child?: { sessionId: SessionId; parent: NonNullable<SessionFacts['parent']> }
  }): Promise<OpenSession>
  /** For writing. Throws `locked_elsewhere` naming the holder, `not_found`, `read_only`. Twice: the same object, counted. */
  open(sessionId: SessionId): Promise<OpenSession>
  /** Follows a log that somebody else writes. Where we write it already, answers that. Throws `not_found`. */
  openReadOnly(sessionId: SessionId): Promise<OpenSession>
  /** The instance that writes it, where that is another one which may live. */
  writerElsewhere(sessionId: SessionId): Promise<string | null>
  summary(sessionId: SessionId): Promise<SessionSummary | null>
  /** Pinned first, then newest first. `home`: those whose first root it is. `archived`: only those; else without them. */
  list(filter: {
    home?: string | undefined
    /** Other first roots that count as that home. */
    also?: ReadonlySet<string> | undefined
    query?: string | undefined
    archived?: boolean | undefined
  }): Promise<SessionSummary[]>
  /** What models took from the day `since` (`2026-11-30`) on, archived sessions too. */
  spent(since: string): Promise<UsageRow[]>
  setPinned(sessionId: SessionId, pinned: boolean): Promise<void>
  setArchived(sessionId: SessionId, archived: boolean): Promise<void>
  setSeen(sessionId: SessionId): Promise<void>
  /** What the list says until the next event says otherwise. Only for sessions that are open for writing here. */
  setState(sessionId: SessionId, state: SessionSummary['state']): void
  /** It and those that sub-agents worked in for it, at any depth, itself first. Throws `not_found`. */
  family(sessionId: SessionId): Promise<SessionId[]>
  /** To the trash, with its family. Throws `denied` for what works for another, `busy` while a turn runs, `locked_elsewhere`, `not_found`. */
  remove(sessionId: SessionId): Promise<void>
  /** The logs of its family, one after the other: each begins with its `session.created`. `blobs`: with the contents they speak of. */
  exportLog(sessionId: SessionId, options?: { blobs?: boolean }): Promise<{ fileName: string; text: string }>
  /** Makes `wish.sessionId`; an absent title is made from the parent's. Throws `not_found`, `disk_full`, `read_only`. */
  fork(parentId: SessionId, wish: Omit<ForkWish, 'title'> & { title?: string | undefined }): Promise<void>
  /** Throws `invalid`, `too_large`, `disk_full`, `read_only`. */
  import(wish: ImportWish): Promise<Imported>
  /** Also for sessions of other processes, from the first `list` on. */
  readonly listed: Emitter<Listed>
  /** Closes what is open, whoever still counts on it. Never rejects. */
  dispose(): Promise<void>
}

/** `folder` is made when needed. `describeInstance` is what others read when we hold a session: "belay run". */
export function createSessionStore(options: {
  folder: string
  log: Log
  instanceId: string
  describeInstance: string
}): SessionStore {
  const { folder, log } = options
  const owner = { instanceId: options.instanceId, what: options.describeInstance }
  const catalog = createCatalog(folder, log)
  const listed = createEmitter<Listed>(fault => log('error', 'a listener of the list failed', { fault: String(fault) }))
  const lines = createLines(catalog, listed)
  const writers = createHolding({ opened: lines.follow, closed: lines.finish })
  const readers = createHolding({ opened: () => {}, closed: async () => {} })
  let watching: Promise<() => Promise<void>> | null = null

  const place = { folder, log, owner }
  const openingOf = (sessionId: SessionId): Opening => ({
    files: filesOf(folder, sessionId),
    ...{ sessionId, owner, log },
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
    void emptyForming(folder)
  }

  const forkTitle = async (parentId: SessionId): Promise<string> => {
    const all = await inParallel(await catalog.ids(), LIST_WIDTH, id => lines.of(id).catch(() => null))
    const titles = new Set(all.flatMap(line => (line?.meta.parent === null ? line.summary.title : [])))
    return freeTitle((await lines.of(parentId))?.summary.title ?? '', titles)
  }

  return {
    listed,
    async create({ roots, title, mode, producer, sessionId: named, child }) {
      const sessionId = child?.sessionId ?? named ?? SessionId.parse(newId('ses'))
      if (named && (await logBytes(openingOf(named).files.log)) > 0)
        throw new BelayError(ErrorCode.alreadyExists, `There is a session ${named} already, of another folder.`)
      const parent = child ? { parent: child.parent } : {}
      const first: SessionEventDraft[] = [{ type: 'session.created', sessionId, roots, title, ...parent }]
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
    async writerElsewhere(sessionId) {
      if (writers.get(sessionId)) return null
      const owner = await catalog.owner(sessionId)
      return owner && owner.instanceId !== options.instanceId ? owner.instanceId : null
    },
    summary: async sessionId => (await lines.of(sessionId))?.summary ?? null,
    async list({ home, also, query, archived = false }) {
      startWatch()
      const found = await inParallel(await catalog.ids(), LIST_WIDTH, async sessionId => {
        const line = await lines.of(sessionId).catch(() => null)
        if (line?.summary.archived !== archived || line.meta.parent !== null) return null
        const [first = ''] = line.summary.roots
        if (home !== undefined && first !== home && !also?.has(first)) return null
        return !query?.trim() || (await catalog.matches(line.meta, query)) ? line.summary : null
      })
      return found.filter(summary => summary !== null).sort(inOrder)
    },
    spent: since => spentSince(catalog, lines, since),
    setPinned: (sessionId, pinned) => mark(sessionId, { pinned }),
    setArchived: (sessionId, archived) => mark(sessionId, { archived }),
    async setSeen(sessionId) {
      const seq = writers.get(sessionId)?.session.state.facts.seq ?? (await catalog.meta(sessionId))?.seq ?? 0
      await mark(sessionId, { seenSeq: seq })
    },
    setState: lines.setState,
    async remove(sessionId) {
      if ((await catalog.meta(sessionId))?.parent)
        throw new BelayError(ErrorCode.denied, 'This belongs to another conversation and is deleted with it.')
      const family = await familyOf(catalog, sessionId)
      if (family.some(id => writers.get(id)?.session.state.facts.running))
        throw new BelayError(ErrorCode.busy, 'A turn is running in this conversation. Stop it first, then delete it.')
      const openings = await Promise.all(family.map(mustExist))
      await Promise.all(family.flatMap(id => [writers.shut(id), readers.shut(id)]))
      const locks: Lock[] = []
      try {
        for (const opening of openings) locks.push(await takeLock(opening))
        // The one that leads to the others last: broken off in between, it can be removed again.
        for (const id of family.toReversed()) {
          await moveToTrash(folder, id).catch(fault => {
            throw notKept(fault)
          })
          await catalog.forget(id)
        }
      } finally {
        await Promise.all(locks.map(lock => lock.release()))
      }
      await lines.tell(sessionId)
    },
    async family(sessionId) {
      await mustExist(sessionId)
      return familyOf(catalog, sessionId)
    },
    async exportLog(sessionId, { blobs = false } = {}) {
      await mustExist(sessionId)
      const family = (await familyOf(catalog, sessionId)).map(id => ({ id, files: filesOf(folder, id) }))
      const text = (await Promise.all(family.map(({ id, files }) => exportLines(files, id)))).join('')
      const files = family.map(each => each.files)
      return { fileName: `${sessionId}.jsonl`, text: blobs ? text + (await exportBlobs(text, files)) : text }
    },
    async fork(parentId, { title, ...wish }) {
      // Also where somebody else writes it: what they have written is there to read.
      const parent = await this.openReadOnly(parentId)
      try {
        const replayed = (writers.get(parentId) ?? readers.get(parentId))?.replayed
        if (!replayed) throw new BelayError(ErrorCode.unavailable, 'This conversation was closed meanwhile. Try again.')
        await fork(place, replayed, { ...wish, title: title ?? (await forkTitle(parentId)) })
      } finally {
        await parent.close()
      }
      await lines.tell(wish.sessionId)
    },
    async import(wish) {
      const imported = await importSession(place, wish)
      await lines.tell(imported.sessionId)
      return imported
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
