/** One opened workspace: its roots with everything that looks after them. Made and ended by service.ts alone. */
import { join } from 'node:path'
import type { RootId, WorkspaceId } from '#contract/id'
import type { BelayEvent } from '#contract/index'
import type { WirePath } from '#contract/path'
import type { Mount, PathChange, Root, RootKind, WorkspaceInfo } from '#contract/workspace'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { Folders } from '../base/folders.ts'
import type { Log } from '../base/log.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { watchFolder } from '../base/watch-folder.ts'
import { createDocuments, type Documents } from './documents/index.ts'
import type { OnWriting } from './documents/told-write.ts'
import { findIn } from './find-in.ts'
import { createIgnoreRules } from './ignore.ts'
import type { LeftOut } from './left-out.ts'
import { createLinked } from './linked.ts'
import { createListings, type Listings } from './listing.ts'
import { createOperations, type Operations } from './operations.ts'
import { createPaths, innerFolders, type Paths } from './paths.ts'
import { createPresence } from './presence.ts'
import { createRooted, type Rooted } from './rooted.ts'
import { here } from './roots.ts'
import type { Trash } from './trash.ts'

export interface Workspace {
  readonly info: WorkspaceInfo
  readonly paths: Paths
  readonly documents: Documents
  readonly listings: Listings
  readonly operations: Operations
  readonly leftOut: LeftOut
  /**
   * Whether what the folders bring counts too (their agents and settings, later their hooks and servers), and not only what
   * Belay ships. Less than `info.trusted` in a run in a folder that nobody trusted.
   */
  readonly bringsCount: boolean
  /** What changed on disk, in batches of one root; hints, the disk is the truth. */
  readonly changed: Emitter<PathChange[]>
  /** How many batches of each root were told. */
  changesAt(): { rootId: RootId; seq: number }[]
  /** Best first, over all roots. */
  find(query: string, limit: number): Promise<{ files: { path: WirePath; positions: number[] }[]; total: number }>
  /** All files that are not ignored. */
  files(): Promise<WirePath[]>
  /** Open texts that a search has to read in place of their files; those that are left out of searches are not among them. */
  shownOtherwise(): Promise<{ path: WirePath; text: string }[]>
  /** Somebody lists this folder: see watch.ts. */
  listed(path: WirePath): void
  /** Belay itself changed these: everybody is told at once, whatever the watcher says later. Never rejects. */
  touched(absolutes: readonly string[]): Promise<void>
  /** Watching is under way in every root that was there when this was asked. */
  readonly ready: Promise<void>
}

/** `run`: for this process alone, in what Belay ships. */
export type Trust = 'none' | 'run' | 'full'

export interface WorkspaceControl extends Workspace {
  setTrust(trust: Trust): void
  /** The first root stays the same. What is new is watched, what is gone is let go. */
  setFolders(folders: Folded): Promise<void>
  /** Other names are left out: everything is looked at again. */
  setLeftOut(leftOut: LeftOut): Promise<void>
  /** Files may have changed without a word, and folders come or gone: every root is looked at once more. */
  lookAgain(): void
  dispose(): Promise<void>
}

/** What a workspace is made of. */
export interface Folded {
  readonly roots: readonly Root[]
  readonly mounts: readonly Mount[]
}

export interface WorkspaceSetup extends Folded {
  workspaceId: WorkspaceId
  /** See homes.ts. */
  home: string
  trust: Trust
  /** Opened by the core for itself. */
  unseen?: boolean | undefined
  leftOut: LeftOut
  folders: Folders
  log: Log
  env: NodeJS.ProcessEnv
  ledger?: ChildLedger
  trash: Trash
  /** What the jail holds a place with while a command runs: nobody is shown or told it. */
  isPlaceholder?: ((absolute: string) => boolean) | undefined
  /** Told before Belay itself writes a text, and after; and what else it did for a person. No command did. */
  onWriting?: ((workspaceId: WorkspaceId, ...write: Parameters<OnWriting>) => ReturnType<OnWriting>) | undefined
  onTouched?: ((workspaceId: WorkspaceId, absolutes: readonly string[]) => void) | undefined
  /** Asked before a folder that was away is looked after again: it may be one that nobody trusted. Never rejects. */
  returning?: ((absolute: string) => Promise<void>) | undefined
  emit(event: { name: BelayEvent; payload: unknown; clientId?: string | null }): void
}

/** Levels of files below a mounted folder that are looked at. */
const MOUNT_DEPTH = 4

export function openWorkspace(setup: WorkspaceSetup): WorkspaceControl {
  const { workspaceId, folders, log, env, ledger, emit, isPlaceholder = () => false } = setup
  let { trust, leftOut } = setup
  let roots = [...setup.roots]
  let mounts = [...setup.mounts]
  /** Those that are there. `of` tells whether one made earlier is still right. */
  const rooteds = new Map<RootId, { of: string; rooted: Rooted }>()
  const mounted = new Map<RootId, () => void>()
  /** How often a folder went or came back: what looked after it before looks at nothing now. */
  const returns = new Map<RootId, number>()
  /** Batches of each root so far. */
  const told = new Map<RootId, number>()
  const trusted = () => trust !== 'none'
  const paths = createPaths(() => roots)
  const documents = createDocuments({
    workspaceId,
    paths,
    backupFolder: join(folders.data, 'backups', workspaceId),
    log,
    onWriting: (...write) => setup.onWriting?.(workspaceId, ...write) ?? (() => {}),
  })
  const changed = createEmitter<PathChange[]>(fault =>
    log('error', 'a listener of file changes failed', { fault: String(fault) }),
  )
  const all = () => [...rooteds.values()].map(({ rooted }) => rooted)
  const at = (rootId: RootId): Rooted | null => {
    paths.rootOf({ rootId, path: '' })
    return rooteds.get(rootId)?.rooted ?? null
  }
  const tellInfo = () => emit({ name: 'workspace/updated', payload: info() })

  const linked = createLinked()
  const tell = (rootId: RootId, changes: PathChange[]) => {
    if (changes.length === 0) return
    const seq = (told.get(rootId) ?? 0) + 1
    told.set(rootId, seq)
    emit({ name: 'workspace/changed', payload: { workspaceId, rootId, seq, changes } })
  }
  const make = (root: Root, inner: readonly string[]): Rooted =>
    createRooted({
      ...{ root, inner, leftOut, trusted, env, ledger, log, isPlaceholder, unseen: setup.unseen },
      onChanged(changes, absolutes) {
        const linkedTo = linked.through(changes)
        tell(root.rootId, [...changes, ...linkedTo.filter(({ path }) => path.rootId === root.rootId)])
        for (const { rootId } of roots)
          if (rootId !== root.rootId)
            tell(
              rootId,
              linkedTo.filter(({ path }) => path.rootId === rootId),
            )
        changed.emit(changes)
        void documents.diskChanged(absolutes)
      },
      onState: tellInfo,
    })
  /** Makes what is missing of `rooteds` and `mounted`, ends what is too much. */
  const furnish = async () => {
    const wanted = new Map(roots.filter(root => !root.missing).map(root => [root.rootId, root]))
    const ends: Promise<void>[] = []
    for (const [rootId, { of, rooted }] of rooteds) {
      const root = wanted.get(rootId)
      if (root && of === signatureOf(root)) continue
      rooteds.delete(rootId)
      ends.push(rooted.dispose())
    }
    for (const [rootId, root] of wanted)
      if (!rooteds.has(rootId))
        rooteds.set(rootId, { of: signatureOf(root), rooted: make(root, innerFolders(root, roots)) })
    for (const [rootId, end] of mounted)
      if (!mounts.some(mount => mount.rootId === rootId)) {
        end()
        mounted.delete(rootId)
      }
    for (const { rootId, kind, absolute } of mounts)
      if (!mounted.has(rootId))
        mounted.set(
          rootId,
          watchFolder(absolute, MOUNT_DEPTH, () =>
            emit({ name: 'workspace/mountChanged', payload: { workspaceId, rootId, kind: kind satisfies RootKind } }),
          ),
        )
    await Promise.all(ends)
  }
  const signatureOf = (root: Root): string =>
    JSON.stringify([root, innerFolders(root, roots), [...leftOut.heavy], returns.get(root.rootId) ?? 0])

  const presence = createPresence({
    folders: () => [...roots, ...mounts].map(({ absolute }) => absolute),
    shown: absolute => [...roots, ...mounts].find(each => each.absolute === absolute)?.missing ?? null,
    async onChange(absolute, missing) {
      if (missing === null) await setup.returning?.(absolute)
      mounts = mounts.map(mount => (mount.absolute === absolute ? { ...mount, missing } : mount))
      const root = roots.find(each => each.absolute === absolute)
      if (root) {
        returns.set(root.rootId, (returns.get(root.rootId) ?? 0) + 1)
        roots = roots.map(each => (each === root ? here(root, missing) : each))
      }
      tellInfo()
      void furnish()
      void documents.diskChanged([absolute])
    },
  })
  const info = (): WorkspaceInfo => ({
    workspaceId,
    name: roots[0]?.name ?? '',
    home: setup.home,
    roots,
    mounts,
    trusted: trusted(),
    ...watchingOf(roots, all()),
  })
  const unhear = documents.events.on(event => emit({ ...event, name: event.name as BelayEvent }))
  const touched = async (absolutes: readonly string[]) => {
    setup.onTouched?.(workspaceId, absolutes)
    await Promise.all(all().map(rooted => rooted.touched(absolutes)))
  }
  void furnish()

  return {
    get info() {
      return info()
    },
    get bringsCount() {
      return trust === 'full'
    },
    paths,
    documents,
    changed,
    get ready() {
      return Promise.all(all().map(({ watch }) => watch.ready)).then(() => {})
    },
    listings: createListings({
      paths,
      // Of a folder that is away nothing is listed, whatever the rules say.
      rulesOf: path => at(path.rootId)?.rules ?? createIgnoreRules(paths.rootOf(path).absolute, leftOut),
      isPlaceholder,
      onLinks: (path, targets) =>
        linked.links(
          path,
          targets.map(paths.toWire).filter(each => each !== null),
        ),
    }),
    operations: createOperations({
      paths,
      trash: setup.trash,
      onChanged: absolutes => void touched(absolutes),
      moving: documents.moving,
    }),
    touched,
    get leftOut() {
      return leftOut
    },
    changesAt: () => roots.map(({ rootId }) => ({ rootId, seq: told.get(rootId) ?? 0 })),
    find: (query, limit) => findIn(all(), query, limit),
    async files() {
      const each = await Promise.all(
        all().map(async ({ root, index }) => (await index.all()).map(path => ({ rootId: root.rootId, path }))),
      )
      return each.flat()
    },
    async shownOtherwise() {
      const places = await Promise.all(
        documents.shownOtherwise().map(async ({ path, text }) => {
          const absolute = 'uri' in path ? null : await paths.toAbsolute(path).catch(() => null)
          // As the root that finds it names it.
          const wire = absolute === null ? null : paths.toWire(absolute)
          if (absolute === null || wire === null) return null
          const ignored = (await at(wire.rootId)?.rules.ignored(absolute, false)) ?? true
          return ignored ? null : { path: wire, text }
        }),
      )
      return places.filter(each => each !== null)
    },
    listed(path) {
      void paths.toAbsolute(path).then(
        absolute => {
          const real = paths.toWire(absolute)
          if (!real) return
          linked.listed(path, real)
          rooteds.get(real.rootId)?.rooted.watch.listed(absolute)
        },
        () => {},
      )
    },
    setTrust(next) {
      if (next === trust) return
      trust = next
      tellInfo()
    },
    async setFolders(next) {
      roots = [...next.roots]
      mounts = [...next.mounts]
      const done = furnish()
      tellInfo()
      await Promise.all([done, documents.reconsider()])
    },
    async setLeftOut(next) {
      leftOut = next
      await furnish()
    },
    lookAgain() {
      for (const { watch } of all()) watch.lookAgain()
      void presence.look()
    },
    async dispose() {
      presence.dispose()
      for (const end of mounted.values()) end()
      await Promise.all(all().map(rooted => rooted.dispose()))
      await documents.dispose()
      unhear()
    },
  }
}

/** The least of what its roots have, with words that name the root where there are several. */
function watchingOf(roots: readonly Root[], all: readonly Rooted[]): Pick<WorkspaceInfo, 'watching' | 'watchNote'> {
  const notes = all.flatMap(({ root, watch }) =>
    watch.note === null ? [] : [roots.length > 1 ? `${root.name}: ${watch.note}` : watch.note],
  )
  const least = (['none', 'polling'] as const).find(each => all.some(({ watch }) => watch.watching === each))
  const watching = all.length === 0 ? 'none' : (least ?? 'native')
  return { watching, watchNote: notes.length > 0 ? notes.join('\n') : null }
}
