/** One session that is open here: for writing, under its lock and with the past put in order, or for reading along. */
import { mkdir, open as openFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BelayError, ErrorCode } from '#contract/error'
import type { BlobId, SessionId } from '#contract/id'
import type { LiveDelta, SessionEvent, SessionEventDraft } from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import { acquireLock, type Lock } from '../base/lock-file.ts'
import type { Log } from '../base/log.ts'
import { type BlobSlice, createBlobs } from './blobs.ts'
import { describeOwner } from './catalog.ts'
import type { SessionFiles } from './files.ts'
import { notKept, openLog } from './log.ts'
import { createReader, load } from './reader.ts'
import { recover } from './recover.ts'
import { logBytes, type Replayed, settle } from './replay.ts'
import { createWriter, type Happened } from './writer.ts'

export interface OpenSession {
  readonly sessionId: SessionId
  /** Read anew on each use: a session that is only read may get another one. */
  readonly state: SessionState
  /** Who writes it when it is not us, as it was on opening; then `append` throws `locked_elsewhere`. */
  readonly heldBy: string | null
  /** Damaged lines of the log that were passed over. */
  readonly damaged: number
  /** Whether an end that was torn off was set aside on opening. */
  readonly torn: boolean
  /** Resolves when the events are on disk. Throws `disk_full`, `read_only`, `locked_elsewhere`; nothing changed then. */
  append(...drafts: SessionEventDraft[]): Promise<SessionEvent[]>
  live(delta: LiveDelta): void
  readonly happened: Emitter<Happened>
  readonly lived: Emitter<LiveDelta[]>
  blob(bytes: Uint8Array): Promise<BlobId>
  readBlob(id: BlobId): Promise<Uint8Array | null>
  /** Offset and length in bytes; null when the blob is gone or damaged. */
  blobSlice(id: BlobId, offset: number, length: number): Promise<BlobSlice | null>
  /** Once per `open`; the last one lets go of the lock. Never rejects. */
  close(): Promise<void>
}

/** `session.close` ends it at once; the store puts counting in front. */
export interface Opened {
  readonly session: OpenSession
  readonly replayed: Replayed
}

export interface Opening {
  readonly files: SessionFiles
  readonly sessionId: SessionId
  readonly owner: { instanceId: string; what: string }
  readonly log: Log
}

/** Takes the lock, reads the log, and says what became of what was left running. Throws as `SessionStore.open`. */
export async function openForWriting(opening: Opening, first: SessionEventDraft[] = []): Promise<Opened> {
  const { files, sessionId, log } = opening
  const lock = await takeLock(opening)
  try {
    const replayed = await load(files, sessionId)
    settle(replayed)
    if (replayed.damaged > 0) log('warn', 'damaged records were passed over', { sessionId, count: replayed.damaged })
    const torn = (await logBytes(files.log)) > replayed.end
    const file = await openLog(files.log, replayed.end)
    const writer = createWriter({ replayed, file, snapshotFile: files.snapshot, log })
    const { happened, lived, append, live } = writer
    const close = async (): Promise<void> => {
      await writer.close()
      await lock.release()
    }
    try {
      await append(...first, ...recover(replayed.state))
      if (first.length > 0) await syncFolder(files.folder)
    } catch (fault) {
      await writer.close()
      throw fault
    }
    const { damaged, state } = replayed
    const session = {
      sessionId,
      state,
      heldBy: null,
      ...{ damaged, torn },
      append,
      live,
      happened,
      lived,
      ...blobsOf(opening),
      close,
    }
    return { session, replayed }
  } catch (fault) {
    await lock.release()
    throw fault instanceof Error && 'syscall' in fault ? notKept(fault) : fault
  }
}

/** The folder is made with the log in it or not at all. */
export async function createForWriting(opening: Opening, first: SessionEventDraft[]): Promise<Opened> {
  const { folder } = opening.files
  try {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 }).catch(() => {})
    // Not recursive: that says ENOENT where the truth is a read-only disk.
    await mkdir(folder, { mode: 0o700 })
  } catch (fault) {
    throw notKept(fault)
  }
  try {
    return await openForWriting(opening, first)
  } catch (fault) {
    await rm(folder, { recursive: true, force: true }).catch(() => {})
    throw fault
  }
}

/** `heldBy`: who writes it, in words; null: nobody, but it cannot be written. */
export async function openForReading(opening: Opening, heldBy: string | null): Promise<Opened> {
  const { files, sessionId, log } = opening
  const reader = await createReader(files, sessionId, log)
  const refuse = (): Promise<never> => Promise.reject(cannotWrite(heldBy))
  const session: OpenSession = {
    sessionId,
    get state() {
      return reader.state
    },
    heldBy,
    get damaged() {
      return reader.replayed.damaged
    },
    // What its writer has not finished yet looks the same.
    torn: false,
    append: refuse,
    live: () => {},
    happened: reader.happened,
    lived: createEmitter<LiveDelta[]>(),
    ...blobsOf(opening),
    blob: refuse,
    close: reader.close,
  }
  return {
    session,
    get replayed() {
      return reader.replayed
    },
  }
}

/** Throws `locked_elsewhere` with the holder's name, or what the file system said. */
export async function takeLock({ files, owner }: Pick<Opening, 'files' | 'owner'>): Promise<Lock> {
  const lock = await acquireLock(files.lock, owner).catch(fault => {
    throw notKept(fault)
  })
  if ('heldBy' in lock) throw cannotWrite(describeOwner(lock.heldBy))
  return lock
}

function cannotWrite(heldBy: string | null): BelayError {
  if (heldBy === null)
    return new BelayError(
      ErrorCode.readOnly,
      'This conversation can only be read: Belay may not write where it is kept.',
    )
  const words = `This conversation is open for writing in ${heldBy}. It can be read here; close it there to go on here.`
  return new BelayError(ErrorCode.lockedElsewhere, words)
}

function blobsOf({ files, log }: Opening): Pick<OpenSession, 'blob' | 'readBlob' | 'blobSlice'> {
  const blobs = createBlobs(files.blobs, log)
  return { blob: blobs.keep, readBlob: blobs.read, blobSlice: blobs.slice }
}

/** So that the new log's name survives a power cut too. Some platforms cannot; then it need not be said. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await openFile(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close().catch(() => {})
}
