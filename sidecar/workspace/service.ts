/** All opened workspaces and what clients may ask of them. The same real folder is always the same workspace. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { BelayEvent, BelayHandlers } from '#contract/index'
import type { Root, WorkspaceInfo } from '#contract/workspace'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { Folders } from '../base/folders.ts'
import type { Log } from '../base/log.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { createSerial } from '../base/serial.ts'
import { addedTo, foldersIn, presentIn, readOnlySet, removedFrom } from './added.ts'
import { documentHandlers } from './document-handlers.ts'
import { shown } from './fault.ts'
import { fileHandlers } from './file-handlers.ts'
import { createHomes } from './homes.ts'
import { leftOutOf } from './left-out.ts'
import { createReceiving } from './receive.ts'
import { createRemembered } from './remembered.ts'
import { type AddedFolder, atHome, foldersOf, goneRoot, openRoot, workspaceIdOf } from './roots.ts'
import { createSearchHandlers } from './search/handlers.ts'
import { createTrash, type SystemTrash } from './trash.ts'
import { openWorkspace, type Trust, type Workspace, type WorkspaceControl, type WorkspaceSetup } from './workspace.ts'

export type { Workspace } from './workspace.ts'

/** `clientId`: for that client alone; null or missing: for all. */
export interface WorkspaceEvent {
  readonly name: BelayEvent
  readonly payload: unknown
  readonly clientId?: string | null
}

export interface Workspaces {
  readonly handlers: Pick<BelayHandlers, 'workspace' | 'document'>
  readonly events: Emitter<WorkspaceEvent>
  /**
   * For the core itself: stays open until `dispose`. Throws what `openRoot` throws. `trust` counts while this process lives and
   * is not remembered: `run` (`belay run`) in what Belay ships, `full` (`--trust`) in what the folder brings as well. Without
   * the folders that a person added to it in a window: what runs alone works in what it was started in. `unseen`: no window shows it.
   */
  open(folder: string, options?: { trust?: Trust; more?: readonly string[]; unseen?: boolean }): Promise<Workspace>
  /** Throws `not_found` when it was closed or never opened. */
  get(id: WorkspaceId): Workspace
  all(): Workspace[]
  /** What a person said of a folder, open or not. */
  isTrusted(folder: string): Promise<boolean>
  /** A folder that was made of what another's workspace holds is trusted as that is. Throws where the profile cannot be written. */
  trustAs(id: WorkspaceId, folder: string): Promise<void>
  /** Told when the last client closed one: what runs in it ends with it. */
  readonly closed: Emitter<WorkspaceId>
  /** Told when a person took trust back: what works in it is to end. */
  readonly untrusted: Emitter<WorkspaceId>
  /** A client's connection ended. Its workspaces stay open: a reload comes back to them. */
  clientLeft(clientId: string): void
  /** `leftOut` answers otherwise now. */
  leftOutChanged(): void
  /** Files may have changed without a word (the machine slept): all that is open is looked at once more. */
  lookAgain(): void
  dispose(): Promise<void>
}

export interface WorkspacesOptions {
  folders: Folders
  log: Log
  env: NodeJS.ProcessEnv
  ledger?: ChildLedger
  /** Names that the person takes off what is left out everywhere, and adds to it. */
  leftOut?: () => { allow: readonly string[]; extra: readonly string[] }
  /** Whether a workspace known by this home has anything of its own that another's would hide. */
  isInUse?: (home: string) => Promise<boolean>
  /** What the jail holds a place with while a command runs: nobody is shown or told it. */
  isPlaceholder?: (absolute: string) => boolean
  /** Told before Belay itself writes a text, and after; and what else it did for a person. No command did. */
  onWriting?: NonNullable<WorkspaceSetup['onWriting']>
  onTouched?: NonNullable<WorkspaceSetup['onTouched']>
  systemTrash?: SystemTrash
}

interface Opened {
  readonly control: WorkspaceControl
  readonly clients: Set<string>
  /** Opened by the core itself. */
  held: boolean
  /** What counts where a person has not trusted all of it. */
  given: Trust
  added: readonly AddedFolder[]
}

export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { folders, log } = options
  const events = createEmitter<WorkspaceEvent>(fault =>
    log('error', 'an event could not be told', { fault: String(fault) }),
  )
  const closed = createEmitter<WorkspaceId>(fault =>
    log('error', 'a listener of closing failed', { fault: String(fault) }),
  )
  const untrusted = createEmitter<WorkspaceId>(fault =>
    log('error', 'a listener of distrust failed', { fault: String(fault) }),
  )
  const remembered = createRemembered(folders, log)
  const homes = createHomes(folders)
  const trash = createTrash(join(folders.data, 'trash'), log, options.systemTrash)
  const receiving = createReceiving(join(folders.data, 'incoming'))
  const opened = new Map<WorkspaceId, Opened>()
  const searching = createSearchHandlers({
    get: id => get(id),
    env: options.env,
    ledger: options.ledger,
    emit: events.emit,
  })
  const serial = createSerial()
  const leftOut = () => leftOutOf(options.leftOut?.() ?? { allow: [], extra: [] })
  void trash.sweep()

  const entryOf = (id: WorkspaceId): Opened => {
    const found = opened.get(id)
    if (!found) throw new BelayError('not_found', 'This folder is not open (any more). Open it again.')
    return found
  }
  const get = (id: WorkspaceId): WorkspaceControl => entryOf(id).control

  /** `more`: only with these beside it, and nothing of it is remembered; null: with those that it has. */
  const open = (folder: string, given: Trust, more: readonly string[] | null, unseen = false): Promise<Opened> =>
    serial(async () => {
      const found = await openRoot(folder).catch(async fault => {
        const known = more === null && (await remembered.recent()).some(each => each.folder === folder)
        if (known) return goneRoot(folder, fault)
        throw fault
      })
      const home = await homes.of(found.absolute)
      const root = atHome(found, home)
      const workspaceId = workspaceIdOf(home)
      let entry = opened.get(workspaceId)
      if (!entry) {
        const added = more === null ? await remembered.added(workspaceId) : await beside(root, more)
        const made = await foldersOf(root, added)
        const trust = (await remembered.areTrusted(presentIn(made))) ? 'full' : given
        const returning = (absolute: string) => returned(workspaceId, absolute)
        const own = { ...made, workspaceId, home, trust, trash, returning, leftOut: leftOut(), unseen }
        const setup = { ...options, ...own, emit: events.emit }
        entry = { control: openWorkspace(setup), clients: new Set(), held: false, given, added }
        opened.set(workspaceId, entry)
      } else if (given !== 'none' && !entry.control.bringsCount) {
        entry.given = given
        entry.control.setTrust(given)
      }
      return entry
    })

  const beside = async (root: Root, more: readonly string[]): Promise<AddedFolder[]> => {
    const added: AddedFolder[] = []
    for (const folder of more) {
      const wanted = { folder, kind: 'files', alias: null, readOnly: false } as const
      added.push(await addedTo(await foldersOf(root, added), wanted))
    }
    return added
  }

  /** Trust is of folders: what was said of one counts in every workspace that has it. */
  const weigh = async (): Promise<void> => {
    for (const [workspaceId, { control, given }] of opened) {
      const before = control.info.trusted
      control.setTrust((await remembered.areTrusted(presentIn(control.info))) ? 'full' : given)
      if (before && !control.info.trusted) untrusted.emit(workspaceId)
    }
  }
  /** A folder that was away is back: nothing runs in it before it is known to be trusted. */
  const returned = async (id: WorkspaceId, absolute: string): Promise<void> => {
    const entry = opened.get(id)
    const trusted = await remembered.areTrusted([absolute]).catch(() => false)
    if (!entry || trusted || entry.given !== 'none') return
    const before = entry.control.info.trusted
    entry.control.setTrust('none')
    if (before) untrusted.emit(id)
  }
  /** Other folders for a workspace: remembered first, so that what is shown is kept. */
  const change = (id: WorkspaceId, next: (entry: Opened) => Promise<AddedFolder[]>): Promise<WorkspaceInfo> =>
    serial(async () => {
      const entry = entryOf(id)
      const [first] = entry.control.info.roots
      if (!first) throw new BelayError('internal', 'A workspace without a folder.')
      const added = await next(entry)
      await remembered.saveAdded(id, added)
      entry.added = added
      const made = await foldersOf(first, added)
      // Less before more: a folder that is not trusted is never looked after as if it were.
      if (!(await remembered.areTrusted(presentIn(made)))) entry.control.setTrust(entry.given)
      await entry.control.setFolders(made)
      await weigh()
      return entry.control.info
    })

  /** What belongs to a workspace goes to where its folder was found. Who showed it opens it there. */
  const moved = (folder: string, to: string): Promise<void> =>
    serial(async () => {
      const root = await openRoot(to)
      const home = await homes.of(folder)
      if (await isFolder(folder))
        throw new BelayError('invalid', `${shown(folder)} is still there, so nothing was changed. Open it instead.`)
      const own = await homes.of(root.absolute)
      if (opened.has(workspaceIdOf(own)) || (await options.isInUse?.(own)))
        throw new BelayError(
          'already_exists',
          `${shown(to)} is a workspace with conversations of its own, so nothing was changed. Open it as itself.`,
        )
      const id = workspaceIdOf(home)
      const entry = opened.get(id)
      opened.delete(id)
      if (entry) closed.emit(id)
      await entry?.control.dispose()
      await homes.move(folder, root.absolute)
      await remembered.moved(folder, root.absolute)
    })

  const close = (id: WorkspaceId, clientId: string): Promise<void> =>
    serial(async () => {
      const entry = opened.get(id)
      if (!entry) return
      entry.clients.delete(clientId)
      entry.control.documents.clientLeft(clientId)
      if (entry.clients.size > 0 || entry.held) return
      opened.delete(id)
      closed.emit(id)
      await entry.control.dispose()
    })

  return {
    events,
    closed,
    untrusted,
    get,
    handlers: {
      workspace: {
        ...fileHandlers(get, remembered, receiving),
        ...searching.handlers,
        async open({ folder }, { clientId }) {
          const entry = await open(folder, 'none', null)
          entry.clients.add(clientId)
          await remembered.opened(entry.control.info.roots[0]?.absolute ?? folder)
          // As it is now: what was told meanwhile came to a window that did not know the workspace yet.
          return entry.control.info
        },
        async close({ workspaceId }, { clientId }) {
          await close(workspaceId, clientId)
          return {}
        },
        trust: ({ workspaceId, trusted }) =>
          serial(async () => {
            const entry = entryOf(workspaceId)
            const { info } = entry.control
            await remembered.setTrusted(trusted ? presentIn(info) : foldersIn(info), trusted)
            if (!trusted) entry.given = 'none'
            await weigh()
            return entry.control.info
          }),
        addRoot: ({ workspaceId, ...wanted }) =>
          change(workspaceId, async ({ control, added }) => {
            const folder = await addedTo(control.info, wanted)
            if (wanted.trust) await remembered.setTrusted([folder.folder], true)
            else if (control.info.trusted && !(await remembered.areTrusted([folder.folder])))
              throw new BelayError(
                'untrusted',
                'This workspace is trusted and that folder is not. Trust it to add it here; nothing was added.',
              )
            return [...added, folder]
          }),
        removeRoot: ({ workspaceId, rootId }) =>
          change(workspaceId, ({ control, added }) => removedFrom(control, added, rootId)),
        setReadOnly: ({ workspaceId, rootId, readOnly }) =>
          change(workspaceId, async ({ control, added }) => readOnlySet(control.info, added, { rootId, readOnly })),
        recent: async () => ({
          folders: await Promise.all(
            (await remembered.recent()).map(async each => {
              const home = await homes.of(each.folder)
              return { ...each, home, workspaceId: workspaceIdOf(home) }
            }),
          ),
        }),
        async found({ folder, to }) {
          await moved(folder, to)
          return {}
        },
        opened: () => ({ workspaces: [...opened.values()].map(entry => entry.control.info) }),
      },
      document: documentHandlers(get, () => [...opened.values()].map(entry => entry.control)),
    },
    async open(folder, { trust = 'none', more = [], unseen } = {}) {
      const entry = await open(folder, trust, more, unseen)
      entry.held = true
      return entry.control
    },
    isTrusted: folder => remembered.areTrusted([folder]),
    trustAs: (id, folder) =>
      serial(async () => {
        const [first] = entryOf(id).control.info.roots
        if (first && (await remembered.areTrusted([first.absolute]))) await remembered.setTrusted([folder], true)
      }),
    all: () => [...opened.values()].map(entry => entry.control),
    leftOutChanged() {
      for (const { control } of opened.values())
        control
          .setLeftOut(leftOut())
          .catch(fault => log('warn', 'other rules could not be followed', { fault: String(fault) }))
    },
    lookAgain() {
      for (const { control } of opened.values()) control.lookAgain()
    },
    clientLeft(clientId) {
      searching.clientLeft(clientId)
      for (const { control } of opened.values()) control.documents.clientLeft(clientId)
    },
    async dispose() {
      await serial.idle()
      await Promise.all([...opened.values()].map(entry => entry.control.dispose()))
      opened.clear()
      await receiving.dispose()
    },
  }
}

const isFolder = (folder: string): Promise<boolean> =>
  stat(folder).then(
    facts => facts.isDirectory(),
    () => false,
  )
