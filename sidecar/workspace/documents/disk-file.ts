/** Whole files and slices of files, read without ever waiting on a pipe or device, with what is needed to notice a later change. */
import { createHash, webcrypto } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle, open, stat } from 'node:fs/promises'
import { basename, isAbsolute } from 'node:path'
import { EDITABLE_DOCUMENT_BYTES } from '#contract/document'
import { BelayError } from '#contract/error'
import type { FileHash } from '#contract/id'
import { explained, shown, systemCode } from '../fault.ts'

/** Tells one state of a file from a later one without reading it again. */
export interface Seen {
  readonly inode: bigint
  readonly bytes: bigint
  readonly modifiedAtNs: bigint
}

export interface DiskFile {
  readonly bytes: Buffer
  readonly hash: FileHash
  readonly mode: number
  readonly writable: boolean
  readonly seen: Seen
}

export interface FileFacts {
  readonly bytes: number
  readonly mode: number
  readonly writable: boolean
}

// Absent on Windows, where neither pipes nor links can stand in for a file this way.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)
/** Bytes above which hashing leaves the event loop. */
const SMALL_BYTES = 256 * 1024

/** SHA-256 of raw bytes. */
export async function hashOf(bytes: Uint8Array): Promise<FileHash> {
  if (bytes.length <= SMALL_BYTES) return createHash('sha256').update(bytes).digest('hex')
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')
}

const kindOf = (facts: { isDirectory(): boolean; isFIFO(): boolean; isSocket(): boolean }) =>
  facts.isDirectory() ? 'a folder' : facts.isFIFO() ? 'a pipe' : facts.isSocket() ? 'a socket' : 'a device'

function refuseOthers(facts: { isFile(): boolean } & Parameters<typeof kindOf>[0], absolute: string): void {
  if (!facts.isFile())
    throw new BelayError(
      'not_a_file',
      `${shown(basename(absolute))} is ${kindOf(facts)}, not a file. It was not opened.`,
    )
}

/** Null where nothing is there. Throws `not_a_file` for folders, pipes, sockets and devices. */
export async function factsOf(absolute: string): Promise<FileFacts | null> {
  // A text without a file.
  if (!isAbsolute(absolute)) return null
  try {
    const facts = await stat(absolute)
    refuseOthers(facts, absolute)
    const writable = await access(absolute, constants.W_OK).then(
      () => true,
      () => false,
    )
    return { bytes: facts.size, mode: facts.mode, writable }
  } catch (fault) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(fault))) return null
    throw explained(fault, `Could not look at ${shown(basename(absolute))}`)
  }
}

async function withHandle<T>(
  absolute: string,
  work: (handle: FileHandle, facts: FileFacts) => Promise<T>,
): Promise<T | null> {
  const facts = await factsOf(absolute)
  if (!facts) return null
  try {
    const handle = await open(absolute, READ_FLAGS)
    try {
      return await work(handle, facts)
    } finally {
      await handle.close()
    }
  } catch (fault) {
    if (systemCode(fault) === 'ENOENT') return null
    throw explained(fault, `Could not read ${shown(basename(absolute))}`)
  }
}

/** Null where nothing is there. Throws `not_a_file`, and `too_large` above what can be edited. */
export async function readWhole(absolute: string): Promise<DiskFile | null> {
  return withHandle(absolute, async (handle, { writable }) => {
    const facts = await handle.stat({ bigint: true })
    refuseOthers(facts, absolute)
    if (facts.size > EDITABLE_DOCUMENT_BYTES)
      throw new BelayError(
        'too_large',
        `${shown(basename(absolute))} has ${facts.size} bytes; up to ${EDITABLE_DOCUMENT_BYTES} are read whole. Read parts of it instead.`,
      )
    const bytes = await handle.readFile()
    const seen = { inode: facts.ino, bytes: facts.size, modifiedAtNs: facts.mtimeNs }
    return { bytes, hash: await hashOf(bytes), mode: Number(facts.mode) & 0o7777, writable, seen }
  })
}

/** At most `length` bytes from `offset`; fewer at the end. Throws `not_found`. */
export async function readRange(absolute: string, offset: number, length: number): Promise<Buffer> {
  const found = await withHandle(absolute, async handle => {
    const buffer = Buffer.alloc(length)
    const { bytesRead } = await handle.read(buffer, 0, length, offset)
    return buffer.subarray(0, bytesRead)
  })
  if (!found) throw new BelayError('not_found', `${shown(basename(absolute))} does not exist (any more).`)
  return found
}
