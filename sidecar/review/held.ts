/** A file at one moment, as a review needs it: its text where it has one, else what tells it from another. */
import { lstat, readlink } from 'node:fs/promises'
import { toFault } from '#contract/error'
import type { FileHash } from '#contract/id'
import type { WirePath } from '#contract/path'
import { decode } from '../workspace/documents/codec.ts'
import { hashOf, readWhole } from '../workspace/documents/disk-file.ts'
import type { Workspace } from '../workspace/service.ts'
import { createLatest } from './latest.ts'

/** Files whose content is remembered. */
const MOST_KEPT = 200

export interface Held {
  /** Null: nothing stands there. */
  readonly hash: FileHash | null
  /** `large`: not kept, and the hash tells it from another state and nothing else. */
  readonly kind: 'text' | 'binary' | 'link' | 'large'
  /** Of a text, or of where a link leads; '' where nothing stands; null where it is not known. */
  readonly text: string | null
  /** Permission bits; null where they are not known. */
  readonly mode: number | null
  /** As they lay on the disk, as far as that is known; null where they are not kept. */
  readonly bytes: (() => Promise<Uint8Array | null>) | null
}

export const nothing: Held = { hash: null, kind: 'text', text: '', mode: null, bytes: null }

/** From kept bytes. */
export function heldFrom(hash: FileHash, bytes: Uint8Array, facts: Partial<Pick<Held, 'kind' | 'mode'>> = {}): Held {
  const { kind, mode = null } = facts
  if (kind === 'link')
    return { hash, kind, text: Buffer.from(bytes).toString('utf8'), mode: null, bytes: async () => bytes }
  const decoded = kind === undefined || kind === 'text' ? decode(bytes) : null
  if (decoded?.kind === 'text') return { hash, kind: 'text', text: decoded.text, mode, bytes: async () => bytes }
  return { hash, kind: 'binary', text: null, mode, bytes: async () => bytes }
}

/** What is saved now. Throws what looking there throws (no permission, outside). */
export type HeldNow = (workspace: Workspace, path: WirePath) => Promise<Held>

/** A file that was not touched since the last look is not read again. */
export function createHeldNow(): HeldNow {
  const latest = createLatest<{ readonly mark: string; readonly held: Held }>(MOST_KEPT)
  return async (workspace, path) => {
    const entry = await workspace.paths.toEntry(path)
    const mark = await markOf(entry)
    const known = latest.get(entry)
    if (mark !== null && known?.mark === mark) return known.held
    const held = await heldNow(workspace, path)
    // Only what stood still meanwhile.
    if (mark !== null && mark === (await markOf(entry))) latest.set(entry, { mark, held })
    return held
  }
}

/** Null where nothing is. */
const markOf = (entry: string): Promise<string | null> =>
  lstat(entry, { bigint: true }).then(
    ({ ino, size, mode, mtimeNs, ctimeNs }) => `${ino} ${size} ${mode} ${mtimeNs} ${ctimeNs}`,
    () => null,
  )

export const heldNow: HeldNow = async ({ paths, documents }, path) => {
  const entry = await paths.toEntry(path)
  const facts = await lstat(entry).catch(() => null)
  if (!facts) return nothing
  if (facts.isSymbolicLink()) {
    const target = Buffer.from(await readlink(entry))
    return heldFrom(await hashOf(target), target, { kind: 'link' })
  }
  // A folder in its place: the file is gone.
  if (!facts.isFile()) return nothing
  const mode = facts.mode & 0o777
  const absolute = await paths.toAbsolute(path)
  try {
    const { hash, text } = await documents.readSaved(absolute)
    const raw = async () => {
      const disk = await readWhole(absolute)
      return disk?.hash === hash ? disk.bytes : null
    }
    return { hash, kind: 'text', text, mode, bytes: raw }
  } catch (thrown) {
    const { code } = toFault(thrown)
    if (code === 'not_found') return nothing
    if (code === 'too_large') {
      const mark = await hashOf(Buffer.from(`${facts.size} ${facts.mtimeMs}`))
      return { hash: mark, kind: 'large', text: null, mode, bytes: null }
    }
    if (code !== 'binary' && code !== 'undecodable') throw thrown
    const disk = await readWhole(absolute)
    if (!disk) return nothing
    return { hash: disk.hash, kind: 'binary', text: null, mode, bytes: async () => disk.bytes }
  }
}
