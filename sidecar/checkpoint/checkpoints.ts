/** One ledger for each workspace, over one store for each of its roots. Nothing is kept of a folder that is not trusted. */
import { homedir } from 'node:os'
import { join, sep } from 'node:path'
import type { KeptFolder } from '#contract/checkpoint'
import { BelayError, toFault } from '#contract/error'
import type { RootId, SessionId, WorkspaceId } from '#contract/id'
import type { LedgerWrite } from '#contract/ledger'
import type { WirePath } from '#contract/path'
import type { Root } from '#contract/workspace'
import { createEmitter } from '../base/emitter.ts'
import type { Line } from './journal.ts'
import type { Author, Bracket, Bracketed, Ledger } from './ledger.ts'
import { freeBytesOf, keptFolders } from './retention.ts'
import { createRootStores, type RootAt, type RootStores, type RootStoresOptions } from './root-stores.ts'
import { createTakingBack } from './taking-back.ts'
import type { RunningStore } from './thread.ts'
import type { Told } from './told.ts'

export interface CheckpointsOptions extends Omit<RootStoresOptions, 'leaveOut'> {
  /** All of Belay's data: never looked at, wherever it lies. */
  readonly data: string
  /** As they are now; null where it is not open (any more): what is noticed then is nobody's to hear. */
  workspace(id: WorkspaceId): { roots: readonly Root[]; trusted: boolean } | null
}

export interface Checkpoints {
  of(id: WorkspaceId): Ledger
  /** Of every folder of which anything is kept, and of those of this workspace. */
  kept(id?: WorkspaceId): Promise<{ folders: KeptFolder[]; freeBytes: number | null }>
  /** Forgets all that is kept of it. Throws `not_found`. */
  clear(rootId: RootId): Promise<void>
  /** Its folders of which nothing is kept any more because the disk is full, and since when (ms since 1970). */
  full(id: WorkspaceId): { folder: string; since: number }[]
  /** Writes what is due. Never rejects. */
  dispose(): Promise<void>
}

const nowhere: { roots: readonly Root[]; trusted: boolean } = { roots: [], trusted: false }

/** What counts as work that goes on in another session. */
const ACTIVE_MS = 30 * 60_000

export function createCheckpoints(options: CheckpointsOptions): Checkpoints {
  const seen = new Set<string>()
  /** What lies in two roots is the inner one's. */
  const leaveOut = ({ absolute }: RootAt) => [options.data, ...[...seen].filter(each => isBelow(absolute, each))]
  const stores = createRootStores({ ...options, leaveOut })
  const ledgers = new Map<WorkspaceId, Ledger>()
  return {
    of(id) {
      const roots = () => {
        const { roots: all, trusted } = options.workspace(id) ?? nowhere
        for (const { absolute } of all) seen.add(absolute)
        return all.filter(root => !root.missing && whyNot(root, trusted) === null)
      }
      const ledger = ledgers.get(id) ?? ledgerOf({ ...options, stores, roots })
      ledgers.set(id, ledger)
      return ledger
    },
    async kept(id) {
      const { roots: open, trusted } = (id && options.workspace(id)) || nowhere
      const known = await keptFolders(options.folder)
      const folders = known.map(each => ({
        ...each,
        fullSince: stores.fullSince({ rootId: each.rootId, absolute: '' }),
        why: null,
      }))
      const without = open.flatMap(root => {
        const why = whyNot(root, trusted)
        const { rootId, absolute: folder } = root
        if (why === null || folders.some(each => each.rootId === rootId)) return []
        return [{ rootId, folder, bytes: 0, since: null, usedAt: Date.now(), fullSince: null, why }]
      })
      return { folders: [...without, ...folders], freeBytes: await freeBytesOf(options.folder) }
    },
    async clear(rootId) {
      const found = (await keptFolders(options.folder)).find(each => each.rootId === rootId)
      if (!found) throw new BelayError('not_found', 'Nothing is kept of this folder (any more).')
      await stores.use({ rootId, absolute: found.folder ?? join(options.folder, rootId) }, store => store.clear())
    },
    full: id =>
      (options.workspace(id) ?? nowhere).roots.flatMap(root => {
        const since = stores.fullSince(root)
        return since === null ? [] : [{ folder: root.name, since }]
      }),
    dispose: stores.dispose,
  }
}

function whyNot(root: Root, trusted: boolean): KeptFolder['why'] {
  if (!trusted) return 'untrusted'
  if (!isNarrow(root)) return 'too_wide'
  return root.readOnly ? 'read_only' : null
}

/** A home folder, a folder that holds one and a whole disk are never looked at whole. */
function isNarrow({ absolute }: Root): boolean {
  const home = homedir()
  return absolute !== home && !isBelow(absolute, home)
}

const isBelow = (folder: string, path: string): boolean => path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

interface Over extends Pick<CheckpointsOptions, 'log'> {
  readonly stores: RootStores
  roots(): Root[]
}

function ledgerOf(over: Over): Ledger {
  const { stores, roots, log } = over
  const changed = createEmitter<WirePath[]>(fault =>
    log('error', 'a listener of writes failed', { fault: String(fault) }),
  )
  stores.lines.on(paths => {
    if (roots().some(({ rootId }) => rootId === paths[0]?.rootId)) changed.emit(paths)
  })
  const each = <T>(work: (store: RunningStore, root: Root) => Promise<T>, among = roots()): Promise<T[]> =>
    Promise.all(among.map(root => stores.use(root, store => work(store, root))))
  /** Nothing is begun where only questions are asked. */
  const known = () => roots().filter(stores.isKnown)
  const linesOf = async (path: WirePath): Promise<LedgerWrite[]> => {
    const among = known().filter(({ rootId }) => rootId === path.rootId)
    return (await each(async (store, root) => (await store.linesOf(path.path)).map(wire(root)), among)).flat()
  }
  const placeOf = (absolute: string): { root: Root; path: string } | null => {
    const root = known()
      .filter(root => isBelow(root.absolute, absolute))
      .sort((a, b) => b.absolute.length - a.absolute.length)[0]
    return root ? { root, path: absolute.slice(root.absolute.length).split(sep).filter(Boolean).join('/') } : null
  }
  const unnoticed = (fault: unknown) => log('warn', 'a write was not noticed', { fault: toFault(fault).message })
  const since: Ledger['since'] = async (checkpointId, how) => {
    const ids = checkpointId.split('+')
    const found = await each(async (store, root) => {
      for (const id of ids) {
        const lines = await store.since(id, how)
        if (lines) return lines.map(wire(root))
      }
      return null
    }, known())
    return found.every(lines => lines === null) ? null : found.flatMap(lines => lines ?? [])
  }

  const take: Ledger['take'] = async () => {
    const taken = await each(store => store.take())
    if (taken.length === 0) return null
    return { checkpointId: taken.map(({ id }) => id).join('+'), at: Math.max(...taken.map(({ at }) => at)) }
  }
  const contentOf: Ledger['contentOf'] = async state => {
    const found = state.kept ? await each(store => store.contentOf(state.hash), known()) : []
    return found.find(bytes => bytes !== null) ?? null
  }
  return {
    changed,
    since,
    writesOf: linesOf,
    lastWriter: async path => (await linesOf(path)).at(-1) ?? null,
    async writesBy(sessionId) {
      return (await each(async (store, root) => (await store.linesBy(sessionId)).map(wire(root)), known())).flat()
    },
    contentOf,
    take,
    bracket: author => bracketOver(over, author),
    async wroteOf(writer) {
      const told = await each(
        async (store, root) => toldIn(root, await store.wroteOf({ by: 'agent', via: 'command', writer })),
        known(),
      )
      return together(told)
    },
    writing(absolute, author) {
      const place = placeOf(absolute)
      if (!place) return () => {}
      void stores.use(place.root, async store => store.writing(place.path)).catch(unnoticed)
      return written => {
        void stores.use(place.root, store => store.written(place.path, author, written)).catch(unnoticed)
      }
    },
    wrote(absolute, author) {
      const place = placeOf(absolute)
      if (place) void stores.use(place.root, store => store.wrote(place.path, author)).catch(unnoticed)
    },
    async active() {
      const from = Date.now() - ACTIVE_MS
      return [...new Set((await each(store => store.active(from), known())).flat())] as SessionId[]
    },
    ...createTakingBack({ each, known, since, take, contentOf, linesOf }),
  }
}

const wire =
  (root: Root) =>
  (line: Line): LedgerWrite => ({ ...line, path: { rootId: root.rootId, path: line.path } })

const toldIn = (root: Root, { files, more }: Told): Bracketed => ({
  files: files.map(file => ({ ...file, path: { rootId: root.rootId, path: file.path } })),
  more,
  unseen: false,
})
const together = (told: readonly Bracketed[]): Bracketed => ({
  files: told.flatMap(({ files }) => files),
  more: told.reduce((sum, { more }) => sum + more, 0),
  unseen: false,
})

const nothing: Bracketed = { files: [], more: 0, unseen: true }

async function bracketOver({ stores, roots, log }: Over, author: Author): Promise<Bracket> {
  const holds: (() => void)[] = []
  const letGo = () => {
    for (const release of holds.splice(0)) release()
  }
  const failed = (fault: unknown): Bracketed => {
    log('warn', 'what a command writes is not noticed', { fault: toFault(fault).message })
    return nothing
  }
  try {
    const opened = await Promise.all(
      roots().map(async root => {
        holds.push(stores.hold(root))
        return { root, name: await stores.use(root, store => store.begin(author)) }
      }),
    )
    if (opened.length === 0) return { end: async () => nothing }
    return {
      async end({ running } = { running: false }) {
        const ended = opened.map(({ root, name }) =>
          stores.use(root, async store => toldIn(root, await store.finish(name, author, running))),
        )
        try {
          return together(await Promise.all(ended))
        } catch (fault) {
          return failed(fault)
        } finally {
          if (!running) letGo()
        }
      },
    }
  } catch (fault) {
    letGo()
    return { end: async () => failed(fault) }
  }
}
