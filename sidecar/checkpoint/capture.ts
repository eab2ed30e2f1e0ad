/** What stands at one path now, with its bytes kept. Never follows a link, never waits on a pipe, and notices a change under its hands. */
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, type Stats } from 'node:fs'
import type { FileState } from '#contract/ledger'
import { type Contents, hashOf } from './contents.ts'
import { factsAt } from './facts-at.ts'

/** Larger files are told by their size and time, and cannot be brought back. */
export const MOST_KEPT_BYTES = 16 * 1024 * 1024
/** Of what the ignore rules leave out. */
const MOST_IGNORED_BYTES = 1_000_000
/** A file that changed this shortly before it was read may change again without its times telling. */
const RACY_MS = 1000

/** A state and how to tell, without reading, that it is still the same. */
export interface Known extends FileState {
  /** The ignore rules leave it out: it is kept for its person all the same, and shown to nobody. */
  readonly ignored?: boolean
  readonly ino: number
  readonly changedMs: number
  /** Not to be believed by its times: read again. */
  readonly racy: boolean
}

// Absent on Windows, where neither pipes nor links can stand in for a file this way.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** Whatever changes a file, its mode or its times changes this time too, and nobody can set it. */
export const isUnchanged = (known: Known, facts: Stats): boolean =>
  known.changedMs === facts.ctimeMs && known.bytes === facts.size && known.ino === facts.ino && !known.racy

/** Null where neither a file nor a link stands. `onFull`: the disk did not take so many bytes. */
export function capture(
  absolute: string,
  contents: Contents,
  onFull: (bytes: number) => void,
  ignored = false,
): Known | null {
  const now = Date.now()
  const facts = factsAt(absolute)
  if (!facts || !(facts.isFile() || facts.isSymbolicLink())) return null
  const kind = facts.isFile() ? 'file' : 'link'
  const read =
    kind === 'link'
      ? readLink(absolute)
      : facts.size > (ignored ? MOST_IGNORED_BYTES : MOST_KEPT_BYTES)
        ? null
        : readFile(absolute)
  if (read === 'gone') return null
  const bytes = read?.bytes ?? null
  const torn = read !== null && (read.bytes.length !== facts.size || read.changed)
  const stamp = {
    kind,
    mode: kind === 'file' ? facts.mode & 0o7777 : 0,
    bytes: bytes?.length ?? facts.size,
    ino: facts.ino,
    changedMs: facts.ctimeMs,
    ...(ignored ? { ignored } : {}),
  } as const
  const racy = torn || Math.max(facts.mtimeMs, facts.ctimeMs) > now - RACY_MS
  if (!bytes) return { ...stamp, racy, hash: hashOf(Buffer.from(`${facts.size} ${facts.mtimeMs}`)), kept: false }
  const hash = hashOf(bytes)
  const kept = keep(contents, hash, bytes, onFull)
  return { ...stamp, hash, kept, racy }
}

/** False where the disk takes no more. */
export function keep(contents: Contents, hash: string, bytes: Uint8Array, onFull: (bytes: number) => void): boolean {
  try {
    contents.keep(hash, bytes)
    return true
  } catch {
    onFull(bytes.length)
    return false
  }
}

type Read = { bytes: Buffer; changed: boolean } | 'gone' | null

function readLink(absolute: string): Read {
  try {
    return { bytes: readlinkSync(absolute, { encoding: 'buffer' }), changed: false }
  } catch {
    return 'gone'
  }
}

/** Null where it may not be read. */
function readFile(absolute: string): Read {
  let fd: number
  try {
    fd = openSync(absolute, READ_FLAGS)
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ELOOP' || code === 'ENOTDIR' ? 'gone' : null
  }
  try {
    const before = fstatSync(fd)
    if (!before.isFile()) return 'gone'
    if (before.size > MOST_KEPT_BYTES) return null
    // One byte more than it has: what grew meanwhile is noticed.
    const buffer = Buffer.allocUnsafe(before.size + 1)
    let length = 0
    for (let got = -1; got !== 0 && length < buffer.length; length += got)
      got = readSync(fd, buffer, length, buffer.length - length, length)
    const after = fstatSync(fd)
    return { bytes: buffer.subarray(0, length), changed: after.mtimeMs !== before.mtimeMs || after.size !== length }
  } catch {
    return null
  } finally {
    closeSync(fd)
  }
}
