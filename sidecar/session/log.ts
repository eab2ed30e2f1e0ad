/**
 * The append-only file behind a session. What `append` acknowledged is on disk whole; what failed leaves no trace, and the
 * file stays appendable once space returns. A torn end is cut off on opening and kept aside, never thrown away.
 */
import { constants } from 'node:fs'
import { appendFile, type FileHandle, open } from 'node:fs/promises'
import { BelayError, ErrorCode, toFault } from '#contract/error'
import { decodeRecord, HEADER_BYTES, type LogRecord, splitLines } from '../base/record.ts'

/** Read per step: small enough that parsing one step never holds the event loop for long. */
const CHUNK_BYTES = 256 * 1024

/** The part of a file handle that writing needs; tests put a full disk behind it. */
export type LogHandle = Pick<FileHandle, 'write' | 'truncate' | 'datasync' | 'close'>

export interface LogFile {
  /** Bytes of the log that are acknowledged. */
  readonly bytes: number
  /**
   * All or nothing. `sync`: not before it is on the device. Throws `disk_full`, `read_only` or what else the system said,
   * with the file as it was. Calls must not overlap.
   */
  append(lines: Buffer, sync: boolean): Promise<void>
  /** Resolves when all of it is on the device. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** Some lines of a log, in order. `value` is null for a damaged one. */
export interface ReadStep {
  readonly records: { value: LogRecord | null; offset: number; header: string }[]
  /** Offset after the last complete line so far. */
  readonly end: number
}

/** Opens for writing at `end` (what `readLog` found). A longer file is cut there; the rest goes to `<file>.torn`. */
export async function openLog(file: string, end: number): Promise<LogFile> {
  const handle = await open(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    const { size } = await handle.stat()
    if (size > end) await cutTorn(handle, `${file}.torn`, end, size)
    return createLogFile(handle, end)
  } catch (fault) {
    await handle.close()
    throw fault
  }
}

async function cutTorn(handle: FileHandle, aside: string, end: number, size: number): Promise<void> {
  const torn = Buffer.alloc(size - end)
  await handle.read(torn, 0, torn.length, end)
  await appendFile(aside, Buffer.concat([torn, Buffer.from('\n')]), { mode: 0o600 })
  await handle.truncate(end)
}

export function createLogFile(handle: LogHandle, end: number): LogFile {
  let bytes = end
  let clean = true
  const takeBack = async (): Promise<void> => {
    await handle.truncate(bytes)
    clean = true
  }
  return {
    get bytes() {
      return bytes
    },
    async append(lines, sync) {
      try {
        if (!clean) await takeBack()
        clean = false
        let written = 0
        while (written < lines.length) {
          const step = await handle.write(lines, written, lines.length - written, bytes + written)
          written += step.bytesWritten
        }
        if (sync) await handle.datasync()
        bytes += lines.length
        clean = true
      } catch (fault) {
        await takeBack().catch(() => {})
        throw notKept(fault)
      }
    },
    sync: () => handle.datasync(),
    close: () => handle.close(),
  }
}

/** What to tell a person when the disk refused a record. */
export function notKept(cause: unknown): BelayError {
  const system = (cause as NodeJS.ErrnoException | null)?.code
  const kept = 'Everything before it is kept; this last step was not recorded and had no effect on the conversation.'
  if (system === 'ENOSPC' || system === 'EDQUOT' || system === 'EFBIG')
    return new BelayError(ErrorCode.diskFull, `The disk is full. ${kept} Free some space and try again.`, { cause })
  if (system === 'EROFS' || system === 'EACCES' || system === 'EPERM')
    return new BelayError(
      ErrorCode.readOnly,
      `Belay may not write where it keeps its conversations. ${kept} Make the folder writable and try again.`,
      { cause },
    )
  const { code, message } = toFault(cause)
  return new BelayError(code, `The conversation could not be written (${message}). ${kept}`, { cause })
}

/**
 * Reads complete lines from `from` on, up to `to`, a step at a time, giving way to other work between steps. A missing file is
 * empty.
 */
export async function* readLog(file: string, from = 0, to = Number.POSITIVE_INFINITY): AsyncGenerator<ReadStep> {
  let handle: FileHandle
  try {
    handle = await open(file, 'r')
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return
    throw fault
  }
  try {
    let rest: Buffer[] = []
    let lineStart = from
    let offset = from
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const { bytesRead } = await handle.read(chunk, 0, Math.min(CHUNK_BYTES, to - offset), offset)
      if (bytesRead === 0) return
      offset += bytesRead
      const read = chunk.subarray(0, bytesRead)
      if (!read.includes(10)) {
        rest.push(read)
        continue
      }
      const split = splitLines(Buffer.concat([...rest, read]))
      rest = [split.rest]
      const records = split.lines.map(line => {
        const record = {
          value: decodeRecord(line),
          offset: lineStart,
          header: line.toString('latin1', 0, HEADER_BYTES),
        }
        lineStart += line.length + 1
        return record
      })
      yield { records, end: lineStart }
      await new Promise(resolve => setImmediate(resolve))
    }
  } finally {
    await handle.close()
  }
}
