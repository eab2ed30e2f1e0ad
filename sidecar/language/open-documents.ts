/**
 * The documents one server has open, and what was said of each. Laws: a server's copy is exactly what was sent last; versions
 * only grow; nothing is sent for a document while another message for it is on its way.
 */
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { DocumentId } from '#contract/id'
import { createSerial, type Serial } from '../base/serial.ts'
import { differenceOf, indexText, type PositionEncoding, type TextIndex } from './position.ts'
import type { Connection } from './process.ts'

/** What a server said of one version of one document. Hostile in every field. */
export interface Said {
  readonly items: readonly unknown[]
  /** The version it is about, as far as the server says. */
  readonly version: number | null
  readonly at: number
}

/** Which version of which text of a person. */
export interface ShownVersion {
  readonly documentId: DocumentId
  readonly version: number
}

/** A text as a server is to have it; `of` null: nobody has it before them, it is what is on disk. */
export interface SyncedText {
  readonly absolute: string
  readonly languageId: string
  readonly text: string
  readonly of: ShownVersion | null
}

export interface OpenDocument {
  readonly uri: string
  readonly absolute: string
  readonly languageId: string
  readonly version: number
  /** What a person has before them that this version is the text of. */
  readonly of: ShownVersion | null
  readonly index: TextIndex
  /** When the text of this version was sent; ms of `performance.now()`. */
  readonly sentAt: number
  /** The last push of diagnostics since the text of this version was sent, or one that names this version. */
  pushed: Said | null
  /** The last answers to pulls, by provider: `resultId` may be given back. */
  readonly pulled: Map<string, { resultId: string | null; items: readonly unknown[]; version: number }>
  /** The version of which the server was told that it is on disk; 0 for none. */
  readonly savedVersion: number
  /** The whole of it, the last time it was sure: what a change adds is told against this. */
  known: readonly unknown[] | null
  /** When that was asked; ms of `performance.now()`, 0 for never. */
  judgedAt: number
}

export interface OpenDocuments {
  /**
   * The server has this text now: opens, changes, or leaves alone what is equal. The answer's `version` is the one that holds
   * the text. Rejects only when the connection is gone.
   */
  sync(file: SyncedText & { saved: boolean }): Promise<OpenDocument>
  get(uri: string): OpenDocument | undefined
  at(absolute: string): OpenDocument | undefined
  /** Most recently used first. */
  all(): OpenDocument[]
  close(absolute: string): Promise<void>
}

export interface DocumentsOptions {
  readonly connection: Connection
  readonly encoding: PositionEncoding
  readonly kind: SyncKind
  /** Most documents that stay open though nobody has them before them; the one that was used longest ago is closed first. */
  readonly most: number
  /** A document is open there from now on. */
  began(document: OpenDocument): void
  /** A document has another version, or is closed. */
  moved(document: OpenDocument): void
  /** Its text is the same, but it is another version of what a person has, or not theirs any more. */
  relabelled(document: OpenDocument): void
}

export interface SyncKind {
  readonly change: 'none' | 'full' | 'incremental'
  readonly save: boolean
  readonly saveText: boolean
}

export const uriOf = (absolute: string): string => pathToFileURL(absolute).href
/** Null for what names no file of this machine. */
export function fileOf(uri: unknown): string | null {
  try {
    return typeof uri === 'string' ? fileURLToPath(uri) : null
  } catch {
    return null
  }
}

export function createOpenDocuments(options: DocumentsOptions): OpenDocuments {
  const { connection, encoding, kind, most, began, moved, relabelled } = options
  const open = new Map<string, Mutable>()
  const lines = new Map<string, { serial: Serial; waiting: number }>()
  const alone = async <T>(uri: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(uri) ?? { serial: createSerial(), waiting: 0 }
    lines.set(uri, line)
    line.waiting++
    try {
      return await line.serial(work)
    } finally {
      if (--line.waiting === 0) lines.delete(uri)
    }
  }
  const send = (method: string, params: unknown) => connection.sendNotification(method, params)

  const begin = async ({ absolute, languageId, text, of }: SyncedText): Promise<Mutable> => {
    const uri = uriOf(absolute)
    const facts = { version: 1, index: indexText(text), sentAt: performance.now() }
    const document: Mutable = {
      uri,
      absolute,
      languageId,
      of,
      ...facts,
      pushed: null,
      pulled: new Map(),
      savedVersion: 0,
      known: null,
      judgedAt: 0,
    }
    open.set(uri, document)
    began(document)
    await send('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } })
    return document
  }
  const change = async (document: Mutable, { text, of }: SyncedText): Promise<void> => {
    const { uri, index } = document
    const contentChanges = kind.change === 'incremental' ? [stretch(index, text, encoding)] : [{ text }]
    document.version += 1
    document.of = of
    document.index = indexText(text)
    document.sentAt = performance.now()
    document.pushed = null
    moved(document)
    if (kind.change === 'none') return
    await send('textDocument/didChange', { textDocument: { uri, version: document.version }, contentChanges })
  }
  const finish = async (uri: string): Promise<void> => {
    const document = open.get(uri)
    if (!document) return
    open.delete(uri)
    moved(document)
    await send('textDocument/didClose', { textDocument: { uri } })
  }
  const closeOld = (): void => {
    const closable = [...open.values()].filter(({ of }) => of === null)
    for (const { uri } of closable.slice(0, Math.max(0, closable.length - most)))
      void alone(uri, () => finish(uri)).catch(() => {})
  }

  return {
    sync: given =>
      alone(uriOf(given.absolute), async () => {
        const uri = uriOf(given.absolute)
        const file = { ...given, text: wellFormed(given.text) }
        const known = open.get(uri)
        if (known && known.index.text !== file.text) await change(known, file)
        else if (known && !sameVersion(known.of, file.of)) {
          known.of = file.of
          relabelled(known)
        }
        const document = known ?? (await begin(file))
        // Last in the order of use.
        open.delete(uri)
        open.set(uri, document)
        closeOld()
        if (!file.saved || document.savedVersion === document.version) return document
        document.savedVersion = document.version
        if (kind.save)
          await send('textDocument/didSave', { textDocument: { uri }, ...(kind.saveText ? { text: file.text } : {}) })
        return document
      }),
    get: uri => open.get(uri),
    at: absolute => open.get(uriOf(absolute)),
    all: () => [...open.values()].reverse(),
    close: absolute => alone(uriOf(absolute), () => finish(uriOf(absolute))),
  }
}

/** Half of a surrogate pair is no text to servers that count bytes: they refuse the whole change, and are torn from then on. */
export const wellFormed = (text: string): string =>
  text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')

const sameVersion = (a: ShownVersion | null, b: ShownVersion | null): boolean =>
  a?.documentId === b?.documentId && a?.version === b?.version

type Mutable = { -readonly [K in keyof OpenDocument]: OpenDocument[K] }

/** Only what differs, in the places of the text that the server has. */
function stretch(index: TextIndex, text: string, encoding: PositionEncoding) {
  const { from, to, text: put } = differenceOf(index.text, text) ?? { from: 0, to: 0, text: '' }
  return { range: { start: index.positionOf(from, encoding), end: index.positionOf(to, encoding) }, text: put }
}
