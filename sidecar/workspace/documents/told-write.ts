/** A write of Belay's own is told before it happens and after, so that it is never taken for somebody else's. */
import type { FileHash } from '#contract/id'
import type { Writer } from '#contract/ledger'
import type { DiskFile } from './disk-file.ts'
import { writeWhole } from './write-file.ts'

export interface Replaced {
  readonly before: FileHash | null
  readonly after: FileHash | null
  /** What is no more: nobody may have seen it until now. */
  readonly bytesBefore: Uint8Array | null
}

/** The agent's call; null: a person, in words of theirs; `restore`: what was there before comes back. */
export type WrittenBy = Writer | 'restore' | null

/** What it answers is told what came of it, or null: nothing. */
export type OnWriting = (absolute: string, by: WrittenBy) => (written: Replaced | null) => void

export interface ToldWrite {
  readonly bytes: Uint8Array
  /** Of `bytes`. */
  readonly hash: FileHash
  /** What is there, as the caller compared with it; null where nothing may be. */
  readonly disk: Pick<DiskFile, 'bytes' | 'hash' | 'seen'> | null
  readonly writer: WrittenBy
}

/** Throws what `writeWhole` throws. */
export async function writeTold(
  { onWriting }: { onWriting: OnWriting },
  absolute: string,
  { bytes, hash, disk, writer }: ToldWrite,
): Promise<void> {
  const tell = onWriting(absolute, writer)
  try {
    await writeWhole(absolute, bytes, disk?.seen ?? null)
  } catch (fault) {
    tell(null)
    throw fault
  }
  tell({ before: disk?.hash ?? null, after: hash, bytesBefore: disk?.bytes ?? null })
}
