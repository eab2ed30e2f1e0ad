/** Every open text of a workspace: found by file and by id, opened once, and worked on by one at a time. */
import { basename } from 'node:path'
import { type DocumentState, EDITABLE_DOCUMENT_BYTES, FULL_DOCUMENT_BYTES, SLICE_BYTES } from '#contract/document'
import { BelayError } from '#contract/error'
import { DocumentId, type WorkspaceId } from '#contract/id'
import { type AnyPath, isUntitled } from '#contract/path'
import type { Emitter } from '../../base/emitter.ts'
import { newId } from '../../base/id.ts'
import type { Log } from '../../base/log.ts'
import { createSerial, type Serial } from '../../base/serial.ts'
import { shown } from '../fault.ts'
import type { Paths } from '../paths.ts'
import type { Backup, Backups } from './backups.ts'
import type { Choices } from './choices.ts'
import { type Decoded, decode } from './codec.ts'
import { type DiskFile, type FileFacts, factsOf, readWhole } from './disk-file.ts'
import { minimalChanges } from './minimal-changes.ts'
import { type Baseline, createOpenText, type Facts, type OpenText } from './open-text.ts'
import { guessEncodings, isUnicode, loadEncodings } from './other-encodings.ts'
import { readSlice } from './slices.ts'
import type { OnWriting } from './told-write.ts'

/** Characters from which a text is backed up less often. */
const LARGE_TEXT = 1_000_000

export interface DocumentEvent {
  readonly name: string
  readonly payload: unknown
  readonly clientId?: string | null
}

/** For whoever keeps a copy of what a person has before them. */
export interface OpenTextNews {
  readonly absolute: string
  readonly path: AnyPath
  readonly text: string | null
}

export interface StoreOptions {
  readonly workspaceId: WorkspaceId
  readonly paths: Paths
  readonly log: Log
  readonly backups: Backups
  readonly choices: Choices
  readonly events: Emitter<DocumentEvent>
  readonly texts: Emitter<OpenTextNews>
  readonly onWriting: OnWriting
}

export interface Store extends StoreOptions {
  readonly byFile: Map<string, OpenText>
  readonly byId: Map<string, OpenText>
  /** One piece of work per file at a time: opening, saving, an agent's edit and the disk's news never interleave. */
  alone<T>(absolute: string, work: () => Promise<T>): Promise<T>
}

export function createStore(options: StoreOptions): Store {
  const lines = new Map<string, { serial: Serial; waiting: number }>()
  return {
    ...options,
    byFile: new Map(),
    byId: new Map(),
    async alone(absolute, work) {
      const line = lines.get(absolute) ?? { serial: createSerial(), waiting: 0 }
      lines.set(absolute, line)
      line.waiting++
      try {
        return await line.serial(work)
      } finally {
        if (--line.waiting === 0) lines.delete(absolute)
      }
    },
  }
}

/** Where a document's file is; what has none is named by its own words, which are no path of any machine. */
export const placeOf = (store: Store, path: AnyPath): Promise<string> =>
  'uri' in path && isUntitled(path) ? Promise.resolve(path.uri) : store.paths.toAbsolute(path)

/** Throws `not_found`: it was closed, or belongs to an earlier run. */
export function documentOf(store: Store, documentId: DocumentId): OpenText {
  const found = store.byId.get(documentId)
  if (!found) throw new BelayError('not_found', 'That document is not open (any more). Open the file again.')
  return found
}

/** The open text of a file, opened if need be, with unsaved text of an earlier run in it. Must run inside `alone`. */
export async function openText(store: Store, absolute: string, path: AnyPath): Promise<OpenText> {
  const known = store.byFile.get(absolute)
  if (known) return known
  const facts = await factsOf(absolute)
  const backup = await store.backups.read(absolute)
  if (!facts && !backup && !isUntitled(path)) throw missing(absolute)
  const opened =
    facts && facts.bytes > EDITABLE_DOCUMENT_BYTES
      ? await openSlices(store, absolute, path, facts.bytes)
      : await openWhole(store, { absolute, path, facts, backup })
  store.byFile.set(absolute, opened)
  store.byId.set(opened.documentId, opened)
  if (backup && !opened.dirty) store.backups.touch(absolute, () => backupOf(store, absolute))
  return opened
}

export const missing = (absolute: string) =>
  new BelayError('not_found', `${shown(basename(absolute))} does not exist (any more).`)

export const binary = (absolute: string) =>
  new BelayError(
    'binary',
    `${shown(basename(absolute))} is not text. It is not shown as text, so that nothing in it can be damaged.`,
  )

export const UNDECODABLE_NOTE =
  'This file is not valid UTF-8. It is shown byte by byte and cannot be changed that way. Reopen it in its own encoding to edit it; no byte is lost.'

export const sizeOf = (bytes: number): Facts['size'] => (bytes <= FULL_DOCUMENT_BYTES ? 'full' : 'plain')

/** What of a document's facts follows from bytes. */
export function factsFrom(
  decoded: Exclude<Decoded, { kind: 'binary' }>,
  { bytes, writable }: Pick<DiskFile, 'bytes' | 'writable'>,
  forbidden: string | null,
) {
  const undecodable = decoded.kind === 'undecodable'
  const protectedNote = writable ? null : 'This file is write-protected, so it can only be read.'
  const note = undecodable ? UNDECODABLE_NOTE : (forbidden ?? protectedNote)
  return {
    encoding: decoded.kind === 'text' ? decoded.encoding : ('latin1' as const),
    guesses: undecodable ? guessEncodings(bytes) : null,
    lineEnd: decoded.lineEnd,
    size: sizeOf(bytes.length),
    readOnly: note !== null,
    note,
  }
}

export const READ_ONLY_ROOT_NOTE = 'This file is in a read-only folder of the workspace, so it can only be read.'

/** Why nobody writes there, whatever the disk allows; null where nothing forbids it. */
export const forbidden = (store: Store, path: AnyPath, absolute: string): string | null =>
  isUntitled(path)
    ? null
    : 'uri' in path
      ? 'This file lies outside the opened folder, so it can only be read.'
      : store.paths.readOnlyRoot(absolute)
        ? READ_ONLY_ROOT_NOTE
        : null

/** Throws `read_only`: the last look before anything is written, whoever writes. */
export function refuseReadOnly(store: Store, absolute: string): void {
  if (store.paths.readOnlyRoot(absolute))
    throw new BelayError(
      'read_only',
      `${shown(basename(absolute))} is in a read-only folder of the workspace. Nothing was written.`,
    )
}

async function openWhole(
  store: Store,
  {
    absolute,
    path,
    facts,
    backup,
  }: { absolute: string; path: AnyPath; facts: FileFacts | null; backup: Backup | null },
): Promise<OpenText> {
  const disk = facts && (await readWhole(absolute))
  if (!disk && !backup && !isUntitled(path)) throw missing(absolute)
  const decoded = disk ? await decodeLike(store, absolute, disk, backup) : noText
  if (decoded.kind === 'binary') throw binary(absolute)
  const held = disk ?? { bytes: Buffer.alloc(0), writable: facts?.writable ?? true }
  const shape = factsFrom(decoded, held, forbidden(store, path, absolute))
  const restored = backup !== null && (backup.text !== decoded.text || !disk)
  const baseline: Baseline = {
    text: decoded.text,
    hash: restored ? backup.hash : (disk?.hash ?? null),
    encoding: shape.encoding,
    bytes: held.bytes.length,
  }
  const gone = !disk && backup?.hash != null
  const changed = disk !== null && baseline.hash !== disk.hash
  return create(store, {
    absolute,
    path,
    baseline,
    text: restored ? backup.text : decoded.text,
    facts: {
      ...shape,
      ...(restored ? { encoding: backup.encoding, guesses: null, readOnly: false, note: null } : {}),
      conflict: gone ? 'missing' : changed ? 'changed' : 'none',
      recovered: restored,
      backedUp: true,
    },
  })
}

const noText = { kind: 'text', text: '', encoding: 'utf8', lineEnd: 'lf' } as const

/** In the encoding the unsaved text was in, or that was chosen for the file, where the bytes allow it. */
async function decodeLike(store: Store, absolute: string, disk: DiskFile, backup: Backup | null): Promise<Decoded> {
  const chosen = backup && !isUnicode(backup.encoding) ? backup.encoding : await store.choices.of(absolute)
  if (chosen) await loadEncodings()
  const decoded = decode(disk.bytes, chosen)
  // For the guesses.
  if (decoded.kind === 'undecodable') await loadEncodings()
  return decoded
}

async function openSlices(store: Store, absolute: string, path: AnyPath, bytes: number): Promise<OpenText> {
  const first = await readSlice(absolute, 0, SLICE_BYTES)
  if (first.binary) throw binary(absolute)
  return create(store, {
    absolute,
    path,
    baseline: { text: first.text, hash: null, encoding: first.encoding, bytes },
    text: first.text,
    facts: {
      encoding: first.encoding,
      guesses: null,
      lineEnd: first.lineEnd,
      size: 'slices',
      readOnly: true,
      note: 'This file is larger than 64 MB. It is shown in parts and can only be read.',
      conflict: 'none',
      recovered: false,
      backedUp: true,
    },
  })
}

function create(
  store: Store,
  {
    absolute,
    path,
    baseline,
    text,
    facts,
  }: { absolute: string; path: AnyPath; baseline: Baseline; text: string; facts: Facts },
): OpenText {
  const documentId = DocumentId.parse(newId('doc'))
  const touch = () => {
    const { absolute: at, text: all } = opened
    store.backups.touch(at, () => backupOf(store, at), all.length > LARGE_TEXT)
  }
  const opened: OpenText = createOpenText({
    documentId,
    absolute,
    path,
    baseline,
    text,
    unsaved: minimalChanges(baseline.text, text),
    facts,
    onEdited: edited => {
      store.events.emit({ name: 'document/edited', payload: { documentId, ...edited } })
      if (!isUntitled(opened.path))
        store.texts.emit({ absolute: opened.absolute, path: opened.path, text: opened.text })
      touch()
    },
    onState: (state: DocumentState) => {
      store.events.emit({ name: 'document/stateChanged', payload: state })
      touch()
    },
  })
  return opened
}

/** The open text of `from` is the one of `to` from here on, with its backup. Must run inside `alone` of `from`. */
export function rename(store: Store, opened: OpenText, to: string, path: AnyPath): void {
  const from = opened.absolute
  store.byFile.delete(from)
  store.byFile.set(to, opened)
  opened.moveTo(to, path)
  store.backups.touch(from, () => backupOf(store, from))
  store.backups.touch(to, () => backupOf(store, to))
}

function backupOf(store: Store, absolute: string): Backup | null {
  const opened = store.byFile.get(absolute)
  if (!opened?.dirty) return null
  const { path, baseline, text, state } = opened
  return { path, absolute, hash: baseline.hash, encoding: state.encoding, text }
}

/** Ends a document that nobody shows and that holds nothing unsaved. */
export function dropIfDone(store: Store, opened: OpenText): void {
  if (opened.clients.size > 0 || opened.dirty) return
  store.byFile.delete(opened.absolute)
  store.byId.delete(opened.documentId)
}

/** The same, of one that somebody had open: whoever keeps a copy of it is told. */
export function closeIfDone(store: Store, opened: OpenText): void {
  dropIfDone(store, opened)
  const { absolute, path, documentId } = opened
  if (!store.byId.has(documentId) && !isUntitled(path)) store.texts.emit({ absolute, path, text: null })
}
