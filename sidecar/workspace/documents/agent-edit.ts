/**
 * The agent's hand on text: its edit is made on what is saved, written byte-exact around the edit, and the same edit,
 * rebased, goes into the open text, which keeps what a person has not saved.
 */
import { basename } from 'node:path'
import type { Encoding, LineEnd, TextChange } from '#contract/document'
import { applyChanges, type ChangeSet, isChangeSet, transform } from '#contract/document-transform'
import { BelayError } from '#contract/error'
import type { FileHash } from '#contract/id'
import { shown } from '../fault.ts'
import type { ResolvedPath } from '../paths.ts'
import { decode, encode, lineEndOf } from './codec.ts'
import { type DiskFile, hashOf, readWhole } from './disk-file.ts'
import { minimalChanges } from './minimal-changes.ts'
import type { OpenText } from './open-text.ts'
import { decodeFor, settle } from './reconcile.ts'
import { binary, missing, refuseReadOnly, type Store } from './store.ts'
import { type WrittenBy, writeTold } from './told-write.ts'

export interface SavedText {
  readonly text: string
  readonly hash: FileHash
  readonly encoding: Encoding
  readonly lineEnd: LineEnd
  readonly bytes: number
  /** Permission bits. */
  readonly mode: number
}

export interface AgentEdit {
  readonly path: ResolvedPath
  readonly expect: FileHash | null | 'any'
  make(saved: SavedText | null): ChangeSet | string
  /** A person's own without it. */
  readonly writer?: WrittenBy
}

export interface AgentEdited {
  readonly before: FileHash | null
  readonly after: FileHash
  readonly beforeText: string | null
  readonly afterText: string
  readonly by: 'agent' | 'mixed'
}

/** Throws binary, too_large, not_found, not_a_file and undecodable. Must run inside `alone`. */
export async function readSaved(store: Store, absolute: string): Promise<SavedText & { dirty: boolean }> {
  const disk = await readWhole(absolute)
  if (!disk) throw missing(absolute)
  const opened = store.byFile.get(absolute)
  return { ...(await savedFrom(store, absolute, disk)), dirty: opened?.dirty ?? false }
}

async function savedFrom(store: Store, absolute: string, disk: DiskFile): Promise<SavedText> {
  const opened = store.byFile.get(absolute)
  const decoded = opened ? decodeFor(opened, disk) : decode(disk.bytes, await store.choices.of(absolute))
  if (decoded.kind === 'binary') throw binary(absolute)
  if (decoded.kind === 'undecodable')
    throw new BelayError(
      'undecodable',
      `${shown(basename(absolute))} is neither UTF-8 nor UTF-16, so its bytes cannot be kept by a text edit. It was left alone. A person can reopen it in its own encoding in the editor; then it can be edited.`,
    )
  const { text, encoding, lineEnd } = decoded
  return { text, hash: disk.hash, encoding, lineEnd, bytes: disk.bytes.length, mode: disk.mode }
}

/** Must run inside `alone`. */
export async function agentEdit(store: Store, edit: AgentEdit): Promise<AgentEdited> {
  const { absolute } = edit.path
  refuseReadOnly(store, absolute)
  const disk = await readWhole(absolute)
  refuseUnexpected(edit, disk)
  const opened = store.byFile.get(absolute)
  if (opened) settle(store, opened, disk, 'disk')
  const saved = disk && (await savedFrom(store, absolute, disk))
  const changes = madeOn(edit, saved, opened)
  const before = saved?.text ?? ''
  const afterText = applyChanges(before, changes)
  const encoding = saved?.encoding ?? 'utf8'
  const bytes = encode(afterText, encoding)
  const after = await hashOf(bytes)
  const by = opened?.dirty ? 'mixed' : 'agent'
  if (disk?.hash !== after) await writeTold(store, absolute, { bytes, hash: after, disk, writer: edit.writer ?? null })
  if (opened) takeOver(store, opened, { disk, changes, afterText, after, bytes })
  return { before: disk?.hash ?? null, after, beforeText: saved?.text ?? null, afterText, by }
}

function refuseUnexpected({ path, expect }: AgentEdit, disk: DiskFile | null): void {
  const name = shown(basename(path.absolute))
  if (expect === 'any' || expect === (disk?.hash ?? null)) return
  if (expect === null)
    throw new BelayError('stale', `${name} exists already. Read it first, then edit it or write it whole.`)
  if (!disk)
    throw new BelayError('stale', `${name} was deleted or moved since it was read. List its folder, then decide.`)
  throw new BelayError(
    'stale',
    `${name} changed on disk since it was read. Nothing was written. Read it again, then repeat the edit on what it says now.`,
  )
}

/** The edit as changes of the saved text. Where it fits only what a person has not saved, it says so. */
function madeOn(edit: AgentEdit, saved: SavedText | null, opened: OpenText | undefined): TextChange[] {
  try {
    const made = edit.make(saved)
    const before = saved?.text ?? ''
    if (typeof made === 'string') return minimalChanges(before, made)
    if (!isChangeSet(made, before.length))
      throw new BelayError('internal', 'The edit does not fit the text. Nothing was written.')
    return [...made]
  } catch (fault) {
    if (saved && opened?.dirty && fitsUnsaved(edit, saved, opened))
      throw new BelayError(
        'stale',
        `${shown(basename(opened.absolute))} has unsaved changes in the editor, and this edit fits only those. Nothing was written. Ask the person to save first, then repeat the edit.`,
        { cause: fault },
      )
    throw fault
  }
}

function fitsUnsaved(edit: AgentEdit, saved: SavedText, opened: OpenText): boolean {
  try {
    const made = edit.make({ ...saved, text: opened.text })
    return typeof made !== 'string' && made.length > 0
  } catch {
    return false
  }
}

interface Written {
  readonly disk: DiskFile | null
  readonly changes: ChangeSet
  readonly afterText: string
  readonly after: FileHash
  readonly bytes: Uint8Array
}

const unseen = { mode: 0o666, writable: true, seen: { inode: 0n, bytes: 0n, modifiedAtNs: 0n } }

/** One `edited` event per agent edit. A text in conflict is left as it is: the person has yet to choose. */
function takeOver(store: Store, opened: OpenText, { disk, changes, afterText, after, bytes }: Written): void {
  const { baseline, unsaved } = opened
  if (!disk || baseline.hash !== disk.hash) {
    settle(store, opened, { ...unseen, bytes: Buffer.from(bytes), hash: after }, 'agent')
    return
  }
  opened.adopt({
    baseline: { text: afterText, hash: after, encoding: baseline.encoding, bytes: bytes.length },
    changes: transform(changes, unsaved, 'before'),
    unsaved: transform(unsaved, changes, 'after'),
    by: 'agent',
    facts: opened.dirty ? {} : { lineEnd: lineEndOf(afterText) },
  })
}
