/** Documents of this window: opens each file once, feeds the sessions and the mirror, and brings all of them back after a break. */
import type { DocumentState } from '#contract/document'
import type { WorkspaceId } from '#contract/id'
import { type AnyPath, pathKey } from '#contract/path'
import { connectionStore } from '../state/mirror/connection-store.ts'
import { documentStore } from '../state/mirror/document-store.ts'
import { createDocumentSession, type DocumentSession } from './document-session.ts'
import { belay, clientId, follow as followEvents } from './index.ts'

export type { DocumentSession, IncomingAuthor } from './document-session.ts'

interface Entry {
  readonly session: DocumentSession
  users: number
  /** Which connection the sidecar counts this opening for. */
  connection: number
}

const entries = new Map<string, Entry>()
const opening = new Map<string, Promise<Entry>>()
let connection = 0
connectionStore.subscribe((now, before) => {
  if (before.sidecar !== 'ready' || now.sidecar === 'ready') return
  connection++
  for (const { session } of entries.values()) session.lost()
})

/** Where the sidecar has each document: another place means that the file was moved. */
const places = new Map<DocumentState['documentId'], AnyPath>()
let onMoved: (from: AnyPath, to: AnyPath) => void = () => {}

/** What was known under the old name goes with it; an opening under that name hears of it until it is closed. */
function follow(state: DocumentState): void {
  const before = places.get(state.documentId)
  places.set(state.documentId, state.path)
  if (!before || pathKey(before) === pathKey(state.path)) return
  forget(pathKey(before))
  onMoved(before, state.path)
}

function forget(key: string): void {
  documentStore.setState(({ states: { [key]: _, ...states } }) => ({ states }))
}

/** Also under the name this window knows the file by, where a link gives it two. */
function setState(state: DocumentState): void {
  follow(state)
  const names = [...entries.values()].map(({ session }) => session).filter(each => each.documentId === state.documentId)
  const changed = [state, ...names.map(({ path }) => ({ ...state, path }))].map(each => [pathKey(each.path), each])
  documentStore.setState(mirror => ({ states: { ...mirror.states, ...Object.fromEntries(changed) } }))
}

function setUnsent(key: string, unsent: boolean): void {
  documentStore.setState(mirror => {
    const { [key]: _, ...others } = mirror.unsent
    return { unsent: unsent ? { ...others, [key]: true } : others }
  })
}

/** `dirty` hears all unsaved ones, also those no window shows; `moved` of files that were moved, by whomever. */
export interface DocumentListeners {
  dirty(documents: DocumentState[]): void
  moved(from: AnyPath, to: AnyPath): void
}

/** Follows the documents of a workspace until the returned function is called. */
export function followDocuments(workspaceId: WorkspaceId, listeners: DocumentListeners): () => void {
  onMoved = listeners.moved
  places.clear()
  const following = followEvents({
    open: signal => belay.document.dirty({ workspaceId }, { signal }),
    onSnapshot({ documents }) {
      const known = Object.fromEntries(documents.map(state => [pathKey(state.path), state]))
      documentStore.setState({ states: known })
      void reopenAll()
      for (const state of documents) places.set(state.documentId, state.path)
      listeners.dirty(documents)
    },
    events: {
      'document/edited': edited => {
        for (const { session } of entries.values()) session.receive(edited)
      },
      'document/stateChanged': setState,
    },
  })
  return () => {
    following.dispose()
    onMoved = () => {}
    documentStore.setState({ states: {}, unsent: {} })
  }
}

async function reopenAll(): Promise<void> {
  await Promise.all([...entries.values()].map(reopen))
}

async function reopen(entry: Entry): Promise<void> {
  const sameConnection = entry.connection === connection
  entry.connection = connection
  await entry.session.reopen(connectionStore.getState().epoch)
  // The sidecar counts openings: on a connection that never ended this was one too many.
  if (sameConnection) await belay.document.close({ documentId: entry.session.documentId }).catch(() => {})
}

/** Opens a file, or joins it where this window has it already. Every call needs one `closeDocument`. Rejects with the sidecar's fault. */
export async function openDocument(workspaceId: WorkspaceId, path: AnyPath): Promise<DocumentSession> {
  const key = pathKey(path)
  const entry = entries.get(key) ?? (await (opening.get(key) ?? openFirst(workspaceId, path)))
  entry.users++
  return entry.session
}

function openFirst(workspaceId: WorkspaceId, path: AnyPath): Promise<Entry> {
  const key = pathKey(path)
  const work = (async () => {
    const opened = await belay.document.open({ workspaceId, path })
    const session = createDocumentSession({
      workspaceId,
      path,
      opened,
      epoch: connectionStore.getState().epoch,
      clientId,
      calls: belay.document,
      onState: setState,
      onWaiting: waiting => setUnsent(key, waiting),
    })
    const entry: Entry = { session, users: 0, connection }
    entries.set(key, entry)
    setState(opened.state)
    return entry
  })()
  opening.set(key, work)
  const forget = () => void opening.delete(key)
  work.then(forget, forget)
  return work
}

/** What was typed and not yet sent goes first. Unsaved text stays with the sidecar. */
export async function closeDocument(session: DocumentSession): Promise<void> {
  const key = pathKey(session.path)
  const entry = entries.get(key)
  if (entry?.session !== session || --entry.users > 0) return
  await session.settled().catch(() => {})
  if (entry.users > 0) return
  entries.delete(key)
  setUnsent(key, false)
  const place = places.get(session.documentId)
  if (place && pathKey(place) !== key) forget(key)
  await belay.document.close({ documentId: session.documentId }).catch(() => {})
}

/** Saves what the editor shows, all of it. Rejects with `stale` when the disk changed; the mirror then shows the conflict. */
export async function saveDocument(session: DocumentSession, force = false): Promise<DocumentState> {
  await session.settled()
  const state = await belay.document.save({ documentId: session.documentId, force })
  setState(state)
  return state
}

/** Answers the text that was given up. */
export async function revertDocument(session: DocumentSession): Promise<string> {
  await session.settled()
  return (await belay.document.revert({ documentId: session.documentId })).previous
}

/** Everything this window typed has reached the sidecar: before an agent's command, before a save of all. */
export async function settleDocuments(): Promise<void> {
  await Promise.all([...entries.values()].map(({ session }) => session.settled()))
}
