/** A person's own ways to and from the disk: save, revert, encoding, line ends. Nothing is overwritten that was not seen. */
import { basename } from 'node:path'
import { type DocumentState, type Encoding, encodingNames, type TextChange } from '#contract/document'
import { replacement } from '#contract/document-transform'
import { BelayError } from '#contract/error'
import { isUntitled } from '#contract/path'
import { shown } from '../fault.ts'
import { decodeAs, encode, isIllFormed, lineEndOf } from './codec.ts'
import { type DiskFile, hashOf, readWhole } from './disk-file.ts'
import { minimalChanges } from './minimal-changes.ts'
import type { OpenText } from './open-text.ts'
import { loadEncodings } from './other-encodings.ts'
import { decodeFor, follow, settle } from './reconcile.ts'
import { binary, factsFrom, forbidden, missing, refuseReadOnly, type Store } from './store.ts'
import { writeTold } from './told-write.ts'

/** Must run inside `alone`. Throws `stale` with the document then in conflict and nothing written, unless `force`. */
export async function save(store: Store, opened: OpenText, force: boolean): Promise<DocumentState> {
  if (opened.state.readOnly) throw new BelayError('read_only', opened.state.note ?? 'This document can only be read.')
  refuseReadOnly(store, opened.absolute)
  if (isUntitled(opened.path))
    throw new BelayError('unsupported', 'This text has no file yet. It is kept; give it a name with Save as.')
  const disk = await readWhole(opened.absolute).catch(fault => {
    if ((fault as BelayError).code !== 'not_a_file') throw fault
    const name = shown(basename(opened.absolute))
    throw new BelayError(
      'not_a_file',
      `Something that is no file stands where ${name} was. Nothing was written and your text is kept here: give it another name with Save as.`,
    )
  })
  if (!force) refuseStale(store, opened, disk)
  const { text, version } = opened
  const { encoding } = opened.state
  const bytes = encode(text, encoding)
  const hash = await hashOf(bytes)
  if (disk?.hash !== hash) {
    if (disk && disk.hash !== opened.baseline.hash) await store.backups.keep(opened.absolute, disk.bytes)
    await writeTold(store, opened.absolute, { bytes, hash, disk, writer: null })
  }
  store.choices.keep(opened.absolute, encoding)
  opened.saved({ text, hash, encoding, bytes: bytes.length }, version)
  opened.update({ lineEnd: lineEndOf(text) })
  return opened.state
}

function refuseStale(store: Store, opened: OpenText, disk: DiskFile | null): void {
  const name = shown(basename(opened.absolute))
  settle(store, opened, disk, 'disk')
  if (opened.state.conflict === 'missing')
    throw new BelayError(
      'stale',
      `${name} was deleted or moved meanwhile. Your text is kept here; save once more to write it again.`,
    )
  if (opened.state.conflict === 'changed')
    throw new BelayError(
      'stale',
      `${name} was changed on disk meanwhile. Nothing was written and your text is kept: compare, then choose yours, theirs or merge.`,
    )
}

/** Back to the disk's text. What was unsaved is answered and also put aside for thirty days. Must run inside `alone`. */
export async function revert(store: Store, opened: OpenText): Promise<{ state: DocumentState; previous: string }> {
  const previous = opened.text
  const disk = await readWhole(opened.absolute)
  if (opened.dirty)
    await store.backups.keep(opened.absolute, Buffer.from(previous, isIllFormed(previous) ? 'utf16le' : 'utf8'))
  if (!disk) {
    if (isUntitled(opened.path)) empty(opened)
    else giveUp(opened)
    return { state: opened.state, previous }
  }
  follow(store, opened, disk, 'disk')
  return { state: opened.state, previous }
}

/** A text without a file began as nothing. */
function empty(opened: OpenText): void {
  opened.adopt({
    baseline: { ...opened.baseline, text: '', encoding: 'utf8' },
    changes: replacement(opened.text, ''),
    unsaved: [],
    by: 'disk',
    facts: { conflict: 'none', recovered: false, encoding: 'utf8', lineEnd: 'lf' },
  })
}

/** There is no file to go back to: the text stays in view, and nothing in it counts as unsaved any more. */
function giveUp(opened: OpenText): void {
  const { encoding } = opened.state
  opened.adopt({
    baseline: { ...opened.baseline, text: opened.text, encoding },
    changes: [],
    unsaved: [],
    by: 'disk',
    facts: { conflict: 'missing', recovered: false },
  })
}

/** The other side of a conflict; null where the file is gone or no text. */
export async function diskText(opened: OpenText): Promise<string | null> {
  const disk = await readWhole(opened.absolute)
  const decoded = disk && decodeFor(opened, disk)
  return decoded && decoded.kind !== 'binary' ? decoded.text : null
}

/** `reopen`: the same bytes read otherwise; else the same text to be saved otherwise. Must run inside `alone`. */
export async function setEncoding(
  store: Store,
  opened: OpenText,
  encoding: Encoding,
  reopen: boolean,
): Promise<DocumentState> {
  if (opened.state.size === 'slices') throw new BelayError('unsupported', 'A file shown in parts keeps its encoding.')
  await loadEncodings()
  if (!reopen) {
    if (opened.state.readOnly) throw new BelayError('read_only', opened.state.note ?? 'This document can only be read.')
    encode(opened.text, encoding)
    opened.update({ encoding })
    return opened.state
  }
  if (opened.dirty)
    throw new BelayError('stale', 'There is unsaved text. Save or revert it first, then reopen with another encoding.')
  const disk = await readWhole(opened.absolute)
  if (!disk) throw missing(opened.absolute)
  const text = decodeAs(disk.bytes, encoding)
  if (text === null)
    throw new BelayError(
      'undecodable',
      `The bytes of ${shown(basename(opened.absolute))} are not ${encodingNames[encoding]}. It stays as it was.`,
    )
  if (disk.bytes.includes(0) && !encoding.startsWith('utf16')) throw binary(opened.absolute)
  const shape = factsFrom(
    { kind: 'text', text, encoding, lineEnd: lineEndOf(text) },
    disk,
    forbidden(store, opened.path, opened.absolute),
  )
  opened.adopt({
    baseline: { text, hash: disk.hash, encoding, bytes: disk.bytes.length },
    changes: minimalChanges(opened.text, text),
    unsaved: [],
    by: 'disk',
    facts: { ...shape, conflict: 'none' },
  })
  store.choices.keep(opened.absolute, encoding)
  return opened.state
}

const MAX_SINGLE_CHANGES = 10_000

/** An edit like any other: it can be undone and is unsaved until saved. */
export function setLineEnd(opened: OpenText, lineEnd: 'lf' | 'crlf'): DocumentState {
  const end = lineEnd === 'lf' ? '\n' : '\r\n'
  const changes: TextChange[] = []
  for (const { 0: found, index } of opened.text.matchAll(/\r\n|\r|\n/g)) {
    if (found !== end) changes.push({ from: index, to: index + found.length, text: end })
    if (changes.length > MAX_SINGLE_CHANGES) break
  }
  const whole = changes.length > MAX_SINGLE_CHANGES
  const set = whole ? [{ from: 0, to: opened.text.length, text: opened.text.replace(/\r\n|\r|\n/g, end) }] : changes
  if (set.length > 0) opened.change(opened.version, set, null)
  opened.update({ lineEnd })
  return opened.state
}
