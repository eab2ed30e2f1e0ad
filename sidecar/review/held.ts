/** A file at one moment, as a review needs it: its text where it has one, else what tells it from another. */
import { lstat, readlink } from 'node:fs/promises'
import { toFault } from '#contract/error'
import type { FileHash } from '#contract/id'
import type { WirePath } from '#contract/path'
import { decode } from '../workspace/documents/codec.ts'
import { hashOf, readWhole } from '../workspace/documents/disk-file.ts'
import type { Workspace } from '../workspace/service.ts'

export interface Held {
  /** Null: nothing stands there. */
  readonly hash: FileHash | null
  /** `large`: not kept, and the hash tells it from another state and nothing else. */
  readonly kind: 'text' | 'binary' | 'link' | 'large'
  /** Of a text, or of where a link leads; '' where nothing stands; null where it is not known. */
  readonly text: string | null
  /** Permission bits; null where they are not known. */
  readonly mode: number | null
  /** Of what is no text; null where they are not kept. */
  readonly bytes: (() => Promise<Uint8Array | null>) | null
}

export const nothing: Held = { hash: null, kind: 'text', text: '', mode: null, bytes: null }

/** From kept bytes. */
export function heldFrom(hash: FileHash, bytes: Uint8Array, facts: Partial<Pick<Held, 'kind' | 'mode'>> = {}): Held {
  const { kind, mode = null } = facts
  if (kind === 'link') return { hash, kind, text: Buffer.from(bytes).toString('utf8'), mode: null, bytes: null }
  const decoded = kind === undefined || kind === 'text' ? decode(bytes) : null
  if (decoded?.kind === 'text') return { hash, kind: 'text', text: decoded.text, mode, bytes: null }
  return { hash, kind: 'binary', text: null, mode, bytes: async () => bytes }
}

/** What is saved now. Throws what looking there throws (no permission, outside). */
export async function heldNow({ paths, documents }: Workspace, path: WirePath): Promise<Held> {
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
    return { hash, kind: 'text', text, mode, bytes: null }
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
