/**
 * One document as this window has it: its buffer, what is on its way, and how it comes back after a lost connection.
 * The promise: what was typed stays in `text` until the sidecar has it, however often the connection ends.
 */
import type { DocumentState } from '#contract/document'
import type { ChangeSet } from '#contract/document-transform'
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { BelayCalls, BelayPayload } from '#contract/index'
import type { AnyPath } from '#contract/path'
import { createDocumentBuffer, type DocumentBuffer } from './document-buffer.ts'

export type Edited = BelayPayload<'document/edited'>
export type IncomingAuthor = Edited['by']
/** Changes of the text as it stands, to be applied in the order they come. */
export type IncomingListener = (changes: ChangeSet, by: IncomingAuthor) => void

export interface DocumentSession {
  readonly path: AnyPath
  readonly documentId: DocumentState['documentId']
  readonly text: string
  /** The sidecar's, which `text` is at unless something is waiting. */
  readonly version: number
  /** Own changes are on their way or waiting. */
  readonly waiting: boolean
  /** Changes of `text` that the editor already shows. */
  edit(changes: ChangeSet): void
  onIncoming(listener: IncomingListener): () => void
  /** Until the returned function is called nothing comes in and nothing goes out: an input method is composing. */
  hold(): () => void
  /** Resolves when the sidecar has everything, and `documentId` is one it knows; rejects with `disconnected` after `timeoutMs`. */
  settled(timeoutMs?: number): Promise<void>
  /** The connection ended: nothing is settled until it has been opened anew. */
  lost(): void
  /** Opens anew: after a lost connection, lag, or a refused change. Never rejects: it is tried again with the next connection. */
  reopen(epoch: string | null): Promise<void>
  receive(edited: Edited): void
}

const SETTLE_MS = 15_000

export function createDocumentSession(options: {
  workspaceId: WorkspaceId
  path: AnyPath
  opened: { state: DocumentState; text: string }
  epoch: string | null
  clientId: string
  calls: Pick<BelayCalls['document'], 'open' | 'change'>
  onState: (state: DocumentState) => void
  onWaiting: (waiting: boolean) => void
}): DocumentSession {
  const { workspaceId, path, clientId, calls } = options
  let { documentId } = options.opened.state
  let epoch = options.epoch
  const buffer: DocumentBuffer = createDocumentBuffer(
    { text: options.opened.text, version: options.opened.state.version },
    clientId,
  )
  const listeners = new Set<IncomingListener>()
  const settling = new Set<() => void>()
  /** Events that wait: for the end of a composition, or of an opening. */
  let queue: Edited[] = []
  let holds = 0
  let opening = false
  /** Ends of the connection, and how many of them there were when it was last opened, or refused. */
  let losses = 0
  let opened = 0
  let told = false

  const isSettled = () => opened === losses && !buffer.waiting && !opening

  function tellWaiting(): void {
    if (isSettled()) for (const resolve of [...settling]) resolve()
    if (told === buffer.waiting) return
    told = buffer.waiting
    options.onWaiting(told)
  }

  function send(): void {
    if (holds > 0 || opening) return
    const next = buffer.take()
    tellWaiting()
    if (!next) return
    // The acknowledgement is the event; an answer that fails means that none will come.
    calls.change({ documentId, ...next }).catch(() => reopen(epoch))
  }

  function apply(edited: Edited): void {
    const changes = buffer.receive(edited)
    if (changes === 'gap') return void reopen(epoch)
    if (changes.length > 0) for (const listener of listeners) listener(changes, edited.by)
    send()
  }

  function drain(): void {
    while (queue.length > 0 && holds === 0 && !opening) {
      const next = queue.shift()
      if (next) apply(next)
    }
    send()
  }

  async function reopen(nextEpoch: string | null): Promise<void> {
    if (opening) return
    opening = true
    const at = losses
    try {
      const fresh = await calls.open({ workspaceId, path })
      await released()
      documentId = fresh.state.documentId
      const changes = buffer.reopen({ text: fresh.text, version: fresh.state.version }, nextEpoch === epoch)
      epoch = nextEpoch
      if (changes.length > 0) for (const listener of listeners) listener(changes, 'disk')
      options.onState(fresh.state)
    } catch {
      // The text stays as it is; the next connection tries again.
    } finally {
      opening = false
      opened = at
    }
    queue = queue.filter(edited => edited.documentId === documentId)
    drain()
    tellWaiting()
  }

  const holding: (() => void)[] = []
  const released = () => new Promise<void>(resolve => (holds === 0 ? resolve() : holding.push(resolve)))

  return {
    path,
    get documentId() {
      return documentId
    },
    get text() {
      return buffer.text
    },
    get version() {
      return buffer.version
    },
    get waiting() {
      return buffer.waiting
    },
    edit(changes) {
      buffer.edit(changes)
      tellWaiting()
      queueMicrotask(send)
    },
    onIncoming(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    hold() {
      holds++
      let held = true
      return () => {
        if (!held) return
        held = false
        if (--holds > 0) return
        for (const resolve of holding.splice(0)) resolve()
        drain()
      }
    },
    settled(timeoutMs = SETTLE_MS) {
      if (isSettled()) return Promise.resolve()
      return new Promise((resolve, reject) => {
        const done = () => {
          clearTimeout(timer)
          settling.delete(done)
          resolve()
        }
        const timer = setTimeout(() => {
          settling.delete(done)
          reject(
            new BelayError('disconnected', 'Belay’s core has not taken the latest changes yet. They are kept here.'),
          )
        }, timeoutMs)
        settling.add(done)
      })
    },
    lost() {
      losses++
    },
    reopen,
    receive(edited) {
      if (edited.documentId !== documentId && !opening) return
      if (holds > 0 || opening) queue.push(edited)
      else apply(edited)
    },
  }
}
