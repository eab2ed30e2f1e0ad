/**
 * One path as it was earlier, to the byte: a file with its bits, a link as a link, or nothing. Refused (`stale`) where it is not
 * what the caller saw; an open text follows, and one that is not saved keeps its words.
 */
import { createHash } from 'node:crypto'
import { chmod, lstat, readlink, symlink, unlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { BelayError } from '#contract/error'
import type { FileHash } from '#contract/id'
import { explained, shown } from '../fault.ts'
import { type DiskFile, hashOf, readWhole } from './disk-file.ts'
import { reconcile } from './reconcile.ts'
import { refuseReadOnly, type Store } from './store.ts'
import { writeTold } from './told-write.ts'
import { writeWhole } from './write-file.ts'

export interface Earlier {
  readonly kind: 'file' | 'link'
  /** Of a link: where it leads. */
  readonly bytes: Uint8Array
  /** Permission bits; null: as they are. */
  readonly mode: number | null
}

export interface PutBack {
  /** A path whose folder is real; what stands there may be a link. */
  readonly absolute: string
  /** What the caller saw there: the hash of its bytes, or of where the link leads; null for nothing. */
  readonly expect: FileHash | null
  readonly to: Earlier | null
}

/** Must run inside `alone`. Throws `stale`, and what the disk says. */
export async function putBack(store: Store, { absolute, expect, to }: PutBack): Promise<void> {
  refuseReadOnly(store, absolute)
  const there = await look(absolute)
  if ((there?.hash ?? null) !== expect)
    throw new BelayError('stale', `${shown(basename(absolute))} is not what it was. Nothing was done to it.`)
  try {
    if (to?.kind === 'file' && there?.link !== true) await asFile(store, absolute, to, there?.disk ?? null)
    else await replaced(store, absolute, there?.hash ?? null, to)
    if (to?.kind === 'file' && to.mode !== null && to.mode !== there?.disk?.mode) await withBits(store, absolute, to)
  } catch (fault) {
    throw explained(fault, `Could not bring back ${shown(basename(absolute))}`)
  }
  const opened = store.byFile.get(absolute)
  if (opened) await reconcile(store, opened)
}

interface There {
  readonly hash: FileHash
  readonly link: boolean
  readonly disk: DiskFile | null
}

/** Of a file's bytes, or of where a link leads; null where neither is. */
export const hashAt = async (absolute: string): Promise<FileHash | null> => (await look(absolute))?.hash ?? null

async function look(absolute: string): Promise<There | null> {
  const facts = await lstat(absolute).catch(() => null)
  if (facts?.isSymbolicLink()) {
    const target = await readlink(absolute, { encoding: 'buffer' })
    return { hash: createHash('sha256').update(target).digest('hex'), link: true, disk: null }
  }
  const disk = facts && (await readWhole(absolute))
  return disk && { hash: disk.hash, link: false, disk }
}

async function asFile(store: Store, absolute: string, { bytes }: Earlier, disk: DiskFile | null): Promise<void> {
  const hash = await hashOf(bytes)
  if (disk?.hash !== hash) await writeTold(store, absolute, { bytes, hash, disk, writer: 'restore' })
}

/** Told too: otherwise somebody else would be said to have changed them. */
async function withBits(store: Store, absolute: string, { bytes, mode }: Earlier): Promise<void> {
  const hash = await hashOf(bytes)
  const tell = store.onWriting(absolute, 'restore')
  try {
    if (mode !== null) await chmod(absolute, mode)
  } finally {
    tell({ before: hash, after: hash, bytesBefore: null })
  }
}

/** A link comes or goes, or a file goes. */
async function replaced(store: Store, absolute: string, before: FileHash | null, to: Earlier | null): Promise<void> {
  const tell = store.onWriting(absolute, 'restore')
  let after: FileHash | null = before
  try {
    if (before !== null) await unlink(absolute)
    after = null
    if (to?.kind === 'link') await symlink(Buffer.from(to.bytes), absolute)
    // In one go with what made room for it: in between nothing stands there, which is nobody's doing.
    if (to?.kind === 'file') await writeWhole(absolute, to.bytes, null)
    if (to) after = await hashOf(to.bytes)
  } finally {
    tell({ before, after, bytesBefore: null })
  }
}
