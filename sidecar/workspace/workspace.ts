/** One opened workspace: its roots with everything that looks after them. Made and ended by service.ts alone. */
import { lstat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { RootId, WorkspaceId } from '#contract/id'
import type { BelayEvent } from '#contract/index'
import type { WirePath } from '#contract/path'
import type { PathChange, Root, WorkspaceInfo } from '#contract/workspace'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { Folders } from '../base/folders.ts'
import type { Log } from '../base/log.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { createSerial } from '../base/serial.ts'
import { condensed, type RawChange } from './coalesce.ts'
import { createDocuments, type Documents } from './documents/index.ts'
import { createFileIndex, type FileIndex } from './find.ts'
import { createIgnoreRules, type IgnoreRules } from './ignore.ts'
import { createListings, kindAt, type Listings } from './listing.ts'
import { createOperations, type Operations } from './operations.ts'
import { createPaths, type Paths } from './paths.ts'
import type { Trash } from './trash.ts'
import { createWatch, type Watch } from './watch.ts'

export interface Workspace {
  readonly info: WorkspaceInfo
  readonly paths: Paths
  readonly documents: Documents
  readonly listings: Listings
  readonly operations: Operations
  /**
   * Whether what the folder brings counts too (its agents and settings, later its hooks and servers), and not only what Belay
   * ships. Less than `info.trusted` in a run in a folder that nobody trusted.
   */
  readonly bringsCount: boolean
  /** What changed on disk, in batches; hints, the disk is the truth. */
  readonly changed: Emitter<PathChange[]>
  /** How many batches of each root were told. */
  changesAt(): { rootId: RootId; seq: number }[]
  /** Best first. */
  find(query: string, limit: number): Promise<{ files: { path: WirePath; positions: number[] }[]; total: number }>
  /** All files that are not ignored. */
  files(): Promise<WirePath[]>
  /** Open texts that a search has to read in place of their files; those that are left out of searches are not among them. */
  shownOtherwise(): Promise<{ path: WirePath; text: string }[]>
  /** Somebody lists this folder: see watch.ts. */
  listed(path: WirePath): void
  /** Belay itself changed these: everybody is told at once, whatever the watcher says later. Never rejects. */
  touched(absolutes: readonly string[]): Promise<void>
  /** Watching is under way. */
  readonly ready: Promise<void>
}

/** `run`: for this process alone, in what Belay ships. */
export type Trust = 'none' | 'run' | 'full'

export interface WorkspaceControl extends Workspace {
  setTrust(trust: Trust): void
  dispose(): Promise<void>
}

export interface WorkspaceSetup {
  workspaceId: WorkspaceId
  root: Root
  trust: Trust
  folders: Folders
  log: Log
  env: NodeJS.ProcessEnv
  ledger?: ChildLedger
  trash: Trash
  /** What the jail holds a place with while a command runs: nobody is shown or told it. */
  isPlaceholder?: ((absolute: string) => boolean) | undefined
  /** Told what Belay itself writes or moves: no command did. */
  onWriting?: ((absolute: string) => void) | undefined
  emit(event: { name: BelayEvent; payload: unknown; clientId?: string | null }): void
}

interface Rooted {
  readonly root: Root
  readonly rules: IgnoreRules
  readonly index: FileIndex
  readonly watch: Watch
}

export function openWorkspace(setup: WorkspaceSetup): WorkspaceControl {
  const { workspaceId, root, folders, log, emit, isPlaceholder = () => false } = setup
  const paths = createPaths([root])
  const documents = createDocuments({
    workspaceId,
    paths,
    backupFolder: join(folders.data, 'backups', workspaceId),
    log,
    onWriting: setup.onWriting,
  })
  const changed = createEmitter<PathChange[]>(fault =>
    log('error', 'a listener of file changes failed', { fault: String(fault) }),
  )
  let { trust } = setup
  const trusted = () => trust !== 'none'

  const telling = createSerial()
  let seq = 0
  const onChanges = (found: readonly RawChange[]): Promise<void> =>
    telling(async () => {
      const changes = withRulesChanged(found)
      if (changes.length > found.length) rules.forget()
      const told = (await Promise.all(changes.map(each => factsOf(each)))).filter(each => each !== null)
      if (told.length === 0) return
      seq += 1
      emit({ name: 'workspace/changed', payload: { workspaceId, rootId: root.rootId, seq, changes: told } })
      changed.emit(told)
      void documents.diskChanged(changes.map(each => each.absolute))
      void rooted.index.changed(changes)
    })
  /** Null outside the root. What went away meanwhile is told as gone. */
  const factsOf = async ({ absolute, change, folder }: RawChange): Promise<PathChange | null> => {
    const path = paths.toWire(absolute)
    if (!path) return null
    if (change === 'deleted' || change === 'overflow' || path.path === '') return { path, change, folder }
    const kind = await kindAt(absolute).catch(() => null)
    if (kind === null) return { path, change: 'deleted', folder }
    return { path, change, folder, kind, ignored: await rules.ignored(absolute, kind === 'folder') }
  }
  const rules = createIgnoreRules(root.absolute)
  const watch = createWatch({
    root: root.absolute,
    log,
    skip: isPlaceholder,
    onChanges: changes => void onChanges(changes),
    onState: () => emit({ name: 'workspace/updated', payload: info() }),
  })
  const rooted: Rooted = {
    root,
    rules,
    watch,
    index: createFileIndex({
      root: root.absolute,
      env: setup.env,
      ledger: setup.ledger,
      rules,
      trusted,
      watched: () => watch.watching === 'native',
    }),
  }
  const info = (): WorkspaceInfo => ({
    workspaceId,
    name: root.name,
    roots: [root],
    trusted: trusted(),
    watching: watch.watching,
    watchNote: watch.note,
  })
  const ends = [documents.events.on(event => emit({ ...event, name: event.name as BelayEvent }))]
  const touched = async (absolutes: readonly string[]) => {
    for (const each of absolutes) setup.onWriting?.(each)
    const changes = await Promise.all(absolutes.map(changeOf))
    await onChanges(condensed(changes, root.absolute, sep))
  }

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
    ready: watch.ready,
    listings: createListings({ paths, rulesOf: () => rules, isPlaceholder }),
    operations: createOperations({
      paths,
      trash: setup.trash,
      onChanged: absolutes => void touched(absolutes),
      moving: documents.moving,
    }),
    touched,
    changesAt: () => [{ rootId: root.rootId, seq }],
    async find(query, limit) {
      const { files, total } = await rooted.index.find(query, limit)
      return {
        files: files.map(({ path, positions }) => ({ path: { rootId: root.rootId, path }, positions })),
        total,
      }
    },
    async files() {
      return (await rooted.index.all()).map(path => ({ rootId: root.rootId, path }))
    },
    async shownOtherwise() {
      const inside = documents.shownOtherwise().flatMap(({ path, text }) => ('uri' in path ? [] : [{ path, text }]))
      const ignored = await Promise.all(
        inside.map(async ({ path }) => rules.ignored(await paths.toAbsolute(path), false).catch(() => true)),
      )
      return inside.filter((_, at) => !ignored[at])
    },
    listed(path) {
      void paths.toAbsolute(path).then(
        absolute => watch.listed(absolute),
        () => {},
      )
    },
    setTrust(next) {
      if (next === trust) return
      trust = next
      emit({ name: 'workspace/updated', payload: info() })
    },
    async dispose() {
      await watch.dispose()
      rooted.index.dispose()
      await documents.dispose()
      for (const end of ends) end()
    },
  }
}

const changeOf = (absolute: string): Promise<RawChange> =>
  lstat(absolute).then(
    (facts): RawChange => ({ absolute, change: 'created', folder: facts.isDirectory() }),
    (): RawChange => ({ absolute, change: 'deleted', folder: false }),
  )

/** Other rules for what is ignored change how a whole folder looks. */
function withRulesChanged(changes: readonly RawChange[]): RawChange[] {
  const ruled = changes.filter(each => each.absolute.endsWith(`${sep}.gitignore`))
  return [
    ...changes,
    ...ruled.map((each): RawChange => ({ absolute: dirname(each.absolute), change: 'overflow', folder: true })),
  ]
}
