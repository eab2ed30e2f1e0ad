/** Bytes kept beside a log by their SHA-256: written whole or not at all, once, and believed only if they still match. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BlobId } from '#contract/id'
import { writeFileAtomic } from '../base/atomic-file.ts'
import type { Log } from '../base/log.ts'
import { notKept } from './log.ts'

export interface BlobSlice {
  readonly text: string
  /** Of the whole blob. */
  readonly bytes: number
  readonly nextOffset: number | null
}

export interface Blobs {
  /** Resolves when the bytes are on disk. Throws `disk_full` or `read_only`. */
  keep(bytes: Uint8Array): Promise<BlobId>
  /** Null when it is gone or damaged. */
  read(id: BlobId): Promise<Uint8Array | null>
  /** A piece as text, `offset` and `length` in bytes, cut at the bounds of characters. Null like `read`. */
  slice(id: BlobId, offset: number, length: number): Promise<BlobSlice | null>
}

export function createBlobs(folder: string, log: Log): Blobs {
  /** Those whose content was checked by this process; slices would otherwise read all of it every time. */
  const sound = new Set<BlobId>()
  const fileOf = (id: BlobId): string => join(folder, id.slice('blb_'.length))

  const checked = async (id: BlobId): Promise<boolean> => {
    if (sound.has(id)) return true
    const hash = createHash('sha256')
    for await (const piece of createReadStream(fileOf(id))) hash.update(piece as Buffer)
    const matches = `blb_${hash.digest('hex')}` === id
    if (matches) sound.add(id)
    else log('warn', 'a kept output no longer matches its checksum', { id })
    return matches
  }

  return {
    async keep(bytes) {
      const id = BlobId.parse(`blb_${createHash('sha256').update(bytes).digest('hex')}`)
      if (sound.has(id)) return id
      try {
        const known = await stat(fileOf(id)).then(
          found => found.size === bytes.length,
          () => false,
        )
        if (!known || !(await checked(id))) await writeFileAtomic(fileOf(id), bytes)
      } catch (fault) {
        throw notKept(fault)
      }
      sound.add(id)
      return id
    },
    async read(id) {
      const bytes = await readFile(fileOf(id)).catch(ifGone)
      if (!bytes) return null
      if (`blb_${createHash('sha256').update(bytes).digest('hex')}` === id) return bytes
      log('warn', 'a kept output no longer matches its checksum', { id })
      return null
    },
    async slice(id, offset, length) {
      if (!(await checked(id).catch(ifGone))) return null
      const handle = await open(fileOf(id), 'r')
      try {
        const { size } = await handle.stat()
        // 3 bytes more than asked, so that the last character can be finished.
        const buffer = Buffer.alloc(Math.max(0, Math.min(length + 3, size - offset)))
        await handle.read(buffer, 0, buffer.length, offset)
        const from = characterStart(buffer, 0)
        const to = characterStart(buffer, Math.max(from, Math.min(length, buffer.length)))
        const end = offset + to
        return { text: buffer.toString('utf8', from, to), bytes: size, nextOffset: end < size ? end : null }
      } finally {
        await handle.close()
      }
    },
  }
}

const ifGone = (fault: NodeJS.ErrnoException): null => {
  if (fault.code === 'ENOENT') return null
  throw fault
}

/** The first index at or after `index` that does not point into the middle of a UTF-8 character (3 steps at most). */
function characterStart(buffer: Buffer, index: number): number {
  let at = index
  while (at < buffer.length && at < index + 3 && ((buffer[at] ?? 0) & 0xc0) === 0x80) at++
  return at
}
