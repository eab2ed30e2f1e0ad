/**
 * Open text files of one workspace: the only way an editor opens text and the only way the agent writes it.
 * Nothing a person typed is lost: it is rebased, kept in conflict, or backed up.
 */
import { join } from 'node:path'
import type { Encoding } from '#contract/document'
import { toFault } from '#contract/error'
import type { DocumentId, WorkspaceId } from '#contract/id'
import type { BelayHandlers } from '#contract/index'
import { type AnyPath, isUntitled } from '#contract/path'
import { createEmitter, type Emitter } from '../../base/emitter.ts'
import type { Log } from '../../base/log.ts'
import type { Paths } from '../paths.ts'
import { type AgentEdit, type AgentEdited, agentEdit, readSaved, type SavedText } from './agent-edit.ts'
import { createBackups } from './backups.ts'
import { createChoices } from './choices.ts'
import { moving } from './moving.ts'
import type { OpenText } from './open-text.ts'
import { createOwnEditors, type OwnEditors } from './own-editors.ts'
import { type MakeChanges, personEdit } from './person-edit.ts'
import { type PutBack, putBack } from './put-back.ts'
import { concerned, reconcile, reconsider } from './reconcile.ts'
import { diskText, revert, save, setEncoding, setLineEnd } from './saving.ts'
import { sliceOf } from './slices.ts'
import {
  closeIfDone,
  createStore,
  type DocumentEvent,
  documentOf,
  dropIfDone,
  type OpenTextNews,
  openText,
  placeOf,
  type Store,
} from './store.ts'
import type { OnWriting } from './told-write.ts'

export type { AgentEdit, AgentEdited, SavedText }

/** An open text that a person has before them, or would have again. */
export type ShownText = Pick<OpenText, 'documentId' | 'absolute' | 'path' | 'version' | 'text' | 'state'>

export interface Documents {
  readonly handlers: BelayHandlers['document']
  /** `document/edited` and `document/stateChanged`, for every client. */
  readonly events: Emitter<DocumentEvent>
  /** An open text is another one now, or (null) nobody has it open any more and what is on disk counts. */
  readonly texts: Emitter<OpenTextNews>
  /**
   * What is on disk, decoded, and whether a person has unsaved text for it. `absolute` is a real path.
   * Throws `binary`, `too_large`, `not_found`, `not_a_file`, and `undecodable` (text that is neither UTF-8 nor UTF-16).
   */
  readSaved(absolute: string): Promise<SavedText & { dirty: boolean }>
  /**
   * The agent's only way to write text. `expect` is the hash it read, null where nothing may exist, or 'any'. `make`
   * answers changes of the saved text, or a whole text, which is written exactly as given (line ends too); it may be
   * called twice and may throw, which is passed on. Throws `stale` with words, and all that `readSaved` throws.
   */
  agentEdit(options: AgentEdit & { clientNote?: string }): Promise<AgentEdited>
  /** A person's edit, of a file that need not be open: see person-edit.ts. Rejects with words, having changed nothing. */
  edit(path: AnyPath, make: MakeChanges): Promise<MakeChanges>
  /** The text a person has or would see. Throws as `open` does. */
  textOf(path: AnyPath): Promise<string>
  /** As it is at this moment; null where nobody has it open. */
  opened(documentId: DocumentId): ShownText | null
  openedAt(absolute: string): ShownText | null
  /** Those that somebody has open, or that hold unsaved words. */
  allOpened(): ShownText[]
  /** Texts that the disk does not hold in this form: unsaved ones, and those in an encoding that a search would not read. */
  shownOtherwise(): { path: AnyPath; text: string }[]
  /** See put-back.ts. */
  putBack(what: PutBack): Promise<void>
  /** Paths changed on disk, from the watcher or after a command. A folder means everything below it. Never rejects. */
  diskChanged(absolutes: readonly string[]): Promise<void>
  /** Runs `work`, which moves what is at `from` (real, absolute) to `to`; open texts go with it. Throws what `work` throws. */
  moving(from: string, to: string, work: () => Promise<void>): Promise<void>
  /** The folders of the workspace changed: what may be written is another thing now. Never rejects. */
  reconsider(): Promise<void>
  /** Of files only: a text that has none is in nobody's way. */
  dirtyPaths(): AnyPath[]
  /** A client's connection ended: what it had open is no longer counted for it. Unsaved text stays. */
  clientLeft(clientId: string): void
  /** Writes the backups that are due. Open documents are gone after it. */
  dispose(): Promise<void>
}

export function createDocuments(options: {
  workspaceId: WorkspaceId
  paths: Paths
  backupFolder: string
  log: Log
  /** Told before Belay itself writes a file. */
  onWriting?: OnWriting | undefined
}): Documents {
  const { workspaceId, paths, log, backupFolder, onWriting = () => () => {} } = options
  const events = createEmitter<DocumentEvent>()
  const texts = createEmitter<OpenTextNews>(fault =>
    log('error', 'a listener of texts failed', { fault: String(fault) }),
  )
  const backups = createBackups(backupFolder, log, (absolute, backedUp) => {
    const opened = store.byFile.get(absolute)
    if (opened && opened.state.backedUp !== backedUp) opened.update({ backedUp })
  })
  const choices = createChoices(join(backupFolder, 'encodings.json'), log)
  const store = createStore({ workspaceId, paths, log, backups, choices, events, texts, onWriting })
  const ownEditors = createOwnEditors((clientId, wanted) =>
    events.emit({ name: 'document/wanted', payload: { workspaceId, ...wanted }, clientId }),
  )
  const dirty = () => [...store.byFile.values()].filter(opened => opened.dirty)

  return {
    events,
    texts,
    handlers: handlersOf(store, ownEditors),
    async readSaved(absolute) {
      await ownEditors.settle(absolute)
      return store.alone(absolute, () => readSaved(store, absolute))
    },
    async agentEdit(edit) {
      await ownEditors.settle(edit.path.absolute)
      return store.alone(edit.path.absolute, () => agentEdit(store, edit))
    },
    putBack: what => store.alone(what.absolute, () => putBack(store, what)),
    async edit(path, make) {
      const absolute = await paths.toAbsolute(path)
      return store.alone(absolute, () => personEdit(store, absolute, path, make))
    },
    async textOf(path) {
      const absolute = await placeOf(store, path)
      return store.alone(absolute, async () => {
        const opened = await openText(store, absolute, path)
        dropIfDone(store, opened)
        return opened.text
      })
    },
    opened: documentId => shownText(store.byId.get(documentId)),
    openedAt: absolute => shownText(store.byFile.get(absolute)),
    allOpened: () => [...store.byFile.values()].filter(isHeld),
    shownOtherwise: () =>
      [...store.byFile.values()]
        .filter(({ dirty, state, baseline }) => state.size !== 'slices' && (dirty || !searchable(baseline.encoding)))
        .map(({ path, text }) => ({ path, text })),
    async diskChanged(absolutes) {
      await Promise.all(
        concerned(store, absolutes).map(opened =>
          store
            .alone(opened.absolute, () => reconcile(store, opened))
            .catch(fault => {
              log('warn', 'A change on disk could not be followed', { file: opened.absolute, fault: String(fault) })
            }),
        ),
      )
    },
    async reconsider() {
      await Promise.all(
        [...store.byFile.values()].map(opened => store.alone(opened.absolute, () => reconsider(store, opened))),
      )
    },
    moving: (from, to, work) => moving(store, from, to, work),
    dirtyPaths: () =>
      dirty()
        .map(opened => opened.path)
        .filter(path => !isUntitled(path)),
    clientLeft(clientId) {
      ownEditors.remove(clientId)
      for (const opened of [...store.byFile.values()]) if (opened.clients.delete(clientId)) closeIfDone(store, opened)
    },
    async dispose() {
      await Promise.all([backups.end(), choices.flush()])
      store.byFile.clear()
      store.byId.clear()
    },
  }
}

/** One that is only read for a moment is nobody's. */
const isHeld = (opened: OpenText): boolean => opened.clients.size > 0 || opened.dirty
const shownText = (opened: OpenText | undefined): ShownText | null => (opened && isHeld(opened) ? opened : null)

/** Ripgrep reads UTF-8, and UTF-16 by its mark. */
const searchable = (encoding: Encoding): boolean => encoding.startsWith('utf')

function handlersOf(store: Store, ownEditors: OwnEditors): Documents['handlers'] {
  const within = <T>(documentId: OpenText['documentId'], work: (opened: OpenText) => Promise<T>): Promise<T> => {
    const opened = documentOf(store, documentId)
    return store.alone(opened.absolute, () => work(documentOf(store, documentId)))
  }
  return {
    async open({ path }, { clientId }) {
      const absolute = await placeOf(store, path)
      return store.alone(absolute, async () => {
        const opened = await openText(store, absolute, path)
        opened.clients.set(clientId, (opened.clients.get(clientId) ?? 0) + 1)
        return { state: opened.state, text: opened.text }
      })
    },
    async close({ documentId }, { clientId }) {
      const opened = store.byId.get(documentId)
      if (!opened) return {}
      const count = (opened.clients.get(clientId) ?? 0) - 1
      if (count > 0) opened.clients.set(clientId, count)
      else opened.clients.delete(clientId)
      await store.alone(opened.absolute, async () => closeIfDone(store, opened))
      if (opened.clients.size === 0) await store.backups.flush()
      return {}
    },
    // Synchronous: changes apply in the order they arrive, whatever the disk is doing.
    change: ({ documentId, baseVersion, changes }, { clientId }) => ({
      version: documentOf(store, documentId).change(baseVersion, changes, clientId),
    }),
    save: ({ documentId, force }) => within(documentId, opened => save(store, opened, force)),
    async saveAll() {
      const failed: { path: AnyPath; message: string }[] = []
      for (const opened of [...store.byFile.values()]) {
        if (!opened.dirty || isUntitled(opened.path)) continue
        await store
          .alone(opened.absolute, () => save(store, opened, false))
          .catch(fault => failed.push({ path: opened.path, message: toFault(fault).message }))
      }
      return { failed }
    },
    revert: ({ documentId }) => within(documentId, opened => revert(store, opened)),
    disk: ({ documentId }) => within(documentId, async opened => ({ text: await diskText(opened) })),
    setEncoding: ({ documentId, encoding, reopen }) =>
      within(documentId, opened => setEncoding(store, opened, encoding, reopen)),
    setLineEnd: ({ documentId, lineEnd }) => setLineEnd(documentOf(store, documentId), lineEnd),
    slice: ({ documentId, at }) => sliceOf(documentOf(store, documentId), at),
    ownEditor(_asked, { clientId }) {
      ownEditors.add(clientId)
      return {}
    },
    settled({ wantedId }, { clientId }) {
      ownEditors.settled(wantedId, clientId)
      return {}
    },
    async dirty() {
      await restoreAll(store)
      return { documents: [...store.byFile.values()].filter(opened => opened.dirty).map(opened => opened.state) }
    },
  }
}

/** Unsaved texts of earlier runs become documents again. Those whose file cannot be placed any more stay as backups. */
async function restoreAll(store: Store): Promise<void> {
  for (const { absolute, path } of await store.backups.list()) {
    if (store.byFile.has(absolute)) continue
    try {
      const now = await placeOf(store, path)
      // The whole workspace was found elsewhere: its unsaved text is there too.
      if (now !== absolute && !(await store.backups.move(absolute, now))) continue
      await store.alone(now, async () => dropIfDone(store, await openText(store, now, path)))
    } catch (fault) {
      store.log('warn', 'Unsaved text of an earlier run stays in its backup', { file: absolute, fault: String(fault) })
    }
  }
}
