/**
 * Bytes to disk for a person's file: mode bits, owner, links and other names of it stay as they were, and a write that
 * fails half-way (disk full, crash) leaves the old content whole. Expects a real path: a link in its place is refused.
 */
import { randomBytes } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { access, type FileHandle, lstat, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { BelayError } from '#contract/error'
import { explained, shown, systemCode } from '../fault.ts'
import type { Seen } from './disk-file.ts'

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0

const seenOf = (facts: BigIntStats): Seen => ({ inode: facts.ino, bytes: facts.size, modifiedAtNs: facts.mtimeNs })
const same = (a: Seen, b: Seen) => a.inode === b.inode && a.bytes === b.bytes && a.modifiedAtNs === b.modifiedAtNs

const stale = (absolute: string) =>
  new BelayError(
    'stale',
    `${shown(basename(absolute))} changed on disk at the same moment. Nothing was written; read it again.`,
  )

/**
 * `seen` is the state the caller compared with, null where nothing may be there yet; anything else throws `stale` and
 * writes nothing. Missing folders are made.
 */
export async function writeWhole(absolute: string, bytes: Uint8Array, seen: Seen | null): Promise<void> {
  try {
    if (!seen) return await writeNew(absolute, bytes)
    const facts = await lstat(absolute, { bigint: true })
    if (!facts.isFile() || !same(seen, seenOf(facts))) throw stale(absolute)
    await access(absolute, constants.W_OK)
    if (facts.nlink > 1n || !(await replace(absolute, bytes, facts))) await writeInPlace(absolute, bytes, facts)
  } catch (fault) {
    if (systemCode(fault) === 'ELOOP') throw stale(absolute)
    throw explained(fault, `Could not write ${shown(basename(absolute))}; what was on disk is unchanged`)
  }
}

async function writeNew(absolute: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(absolute), { recursive: true })
  let handle: FileHandle
  try {
    handle = await open(absolute, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o666)
  } catch (fault) {
    throw systemCode(fault) === 'EEXIST' ? stale(absolute) : fault
  }
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } catch (fault) {
    await unlink(absolute).catch(() => {})
    throw fault
  } finally {
    await handle.close()
  }
}

/** A new file renamed over the old one. False where that would lose the owner or the folder does not allow it. */
async function replace(absolute: string, bytes: Uint8Array, old: BigIntStats): Promise<boolean> {
  const beside = join(dirname(absolute), `${besideName(absolute)}${randomBytes(6).toString('hex')}.belay`)
  let handle: FileHandle
  try {
    handle = await open(beside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o600)
  } catch (fault) {
    if (['EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG'].includes(systemCode(fault))) return false
    throw fault
  }
  try {
    const kept = await writeLike(handle, bytes, old).finally(() => handle.close())
    if (!kept) return false
    if (!same(seenOf(old), seenOf(await lstat(absolute, { bigint: true })))) throw stale(absolute)
    await rename(beside, absolute)
    await syncFolder(dirname(absolute))
    return true
  } catch (fault) {
    // Windows: another program holds the old file open without sharing its name.
    if (process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(fault))) return false
    throw fault
  } finally {
    await rm(beside, { force: true })
  }
}

const besideName = (absolute: string): string => `.${basename(absolute).slice(0, 180)}.`

/** Takes away what writes of this file left beside it where their process was killed. Never rejects. */
export async function clearBeside(absolute: string): Promise<void> {
  const folder = dirname(absolute)
  const start = besideName(absolute)
  const left = (name: string) => name.startsWith(start) && /^[0-9a-f]{12}\.belay$/.test(name.slice(start.length))
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter(left)) await rm(join(folder, name), { force: true }).catch(() => {})
}

async function writeLike(handle: FileHandle, bytes: Uint8Array, old: BigIntStats): Promise<boolean> {
  await handle.writeFile(bytes)
  const now = await handle.stat({ bigint: true })
  try {
    if (now.uid !== old.uid || now.gid !== old.gid) await handle.chown(Number(old.uid), Number(old.gid))
    // After chown, which clears set-id bits.
    await handle.chmod(Number(old.mode) & 0o7777)
  } catch {
    return false
  }
  await handle.sync()
  return true
}

/** For files with several names. The part that needs new space goes first: a full disk is found out before a byte is replaced. */
async function writeInPlace(absolute: string, bytes: Uint8Array, old: BigIntStats): Promise<void> {
  const handle = await open(absolute, constants.O_RDWR | NO_FOLLOW)
  try {
    const facts = await handle.stat({ bigint: true })
    if (!same(seenOf(old), seenOf(facts))) throw stale(absolute)
    const oldBytes = Number(facts.size)
    try {
      if (bytes.length > oldBytes) await writeAt(handle, bytes.subarray(oldBytes), oldBytes)
    } catch (fault) {
      await handle.truncate(oldBytes)
      throw fault
    }
    await writeAt(handle, bytes.subarray(0, oldBytes), 0)
    await handle.truncate(bytes.length)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}

/** So that the rename survives a power cut. Not every system can do it; none needs it for anything else. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
