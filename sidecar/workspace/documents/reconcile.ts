/** What an open text does when the disk has news: our own echo is nothing, a clean text follows, an unsaved one is never touched. */
import type { BelayError } from '#contract/error'
import { decode } from './codec.ts'
import { type DiskFile, factsOf, readWhole } from './disk-file.ts'
import { minimalChanges } from './minimal-changes.ts'
import type { Author, OpenText } from './open-text.ts'
import { isUnicode } from './other-encodings.ts'
import { dropIfDone, factsFrom, forbidden, READ_ONLY_ROOT_NOTE, type Store } from './store.ts'

/** The disk's bytes as this document reads them: its own encoding where the bytes allow it, else what they are. */
export function decodeFor(opened: OpenText, disk: DiskFile) {
  const { encoding } = opened.baseline
  return decode(disk.bytes, isUnicode(encoding) || opened.state.guesses ? null : encoding)
}

/** Looks at the disk and settles. Must run inside `alone`. Never loses unsaved text; a fault of reading becomes a conflict. */
export async function reconcile(store: Store, opened: OpenText, by: Author = 'disk'): Promise<void> {
  if (opened.state.size === 'slices') return
  const { absolute } = opened
  const disk = await readWhole(absolute).catch(fault =>
    // A folder or pipe stands there now: the file is gone.
    (fault as BelayError).code === 'not_a_file' ? null : ('unreadable' as const),
  )
  // Moved while it was read: what was seen is another place's news.
  if (opened.absolute !== absolute) return
  if (disk === 'unreadable') opened.update({ conflict: 'changed' })
  else settle(store, opened, disk, by)
  dropIfDone(store, opened)
}

/** As `reconcile`, with what was read. */
export function settle(store: Store, opened: OpenText, disk: DiskFile | null, by: Author): void {
  if (!disk) opened.update({ conflict: opened.baseline.hash === null ? 'none' : 'missing' })
  else if (disk.hash === opened.baseline.hash) opened.update({ conflict: 'none' })
  else if (opened.dirty && !agrees(opened, disk)) opened.update({ conflict: 'changed' })
  else follow(store, opened, disk, by)
}

/** The workspace's folders are others now, or may be written in or not. Must run inside `alone`. */
export async function reconsider(store: Store, opened: OpenText): Promise<void> {
  const why = forbidden(store, opened.path, opened.absolute)
  const { readOnly, note, size } = opened.state
  if (size === 'slices') return
  if (why !== null && !readOnly) opened.update({ readOnly: true, note: why })
  else if (why === null && note === READ_ONLY_ROOT_NOTE) {
    const writable = (await factsOf(opened.absolute).catch(() => null))?.writable ?? true
    if (writable) opened.update({ readOnly: false, note: null })
  }
}

function agrees(opened: OpenText, disk: DiskFile): boolean {
  const decoded = decodeFor(opened, disk)
  return decoded.kind === 'text' && decoded.text === opened.text && decoded.encoding === opened.state.encoding
}

/** The text becomes what the disk holds. Only for a clean text, or one that is given up or equal. */
export function follow(store: Store, opened: OpenText, disk: DiskFile, by: Author): void {
  const decoded = decodeFor(opened, disk)
  if (decoded.kind === 'binary') {
    opened.update({
      conflict: 'changed',
      note: 'The file on disk is not text any more. What is shown is the last text of it.',
    })
    return
  }
  const shape = factsFrom(decoded, disk, forbidden(store, opened.path, opened.absolute))
  opened.adopt({
    baseline: { text: decoded.text, hash: disk.hash, encoding: shape.encoding, bytes: disk.bytes.length },
    changes: minimalChanges(opened.text, decoded.text),
    unsaved: [],
    by,
    facts: { ...shape, conflict: 'none', recovered: false },
  })
}

/** Which open files a set of changed paths can mean: the file itself, or a folder above it. */
export function concerned(store: Store, absolutes: readonly string[]): OpenText[] {
  const changed = new Set(absolutes)
  const above = (file: string): boolean => {
    for (let at = file; ; ) {
      if (changed.has(at)) return true
      const parent = at.slice(0, Math.max(at.lastIndexOf('/'), at.lastIndexOf('\\')))
      if (parent === at || parent === '') return false
      at = parent
    }
  }
  return [...store.byFile.values()].filter(opened => above(opened.absolute))
}
