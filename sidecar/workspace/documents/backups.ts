/**
 * Unsaved text, on disk within a second of being typed, so that neither a crash nor an end of Belay loses it (hot exit).
 * Also keeps what a person gave up in a conflict, for thirty days.
 */
import { createHash } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Encoding } from '#contract/document'
import { FileHash } from '#contract/id'
import { AnyPath } from '#contract/path'
import { readRegular, writeFileAtomic } from '../../base/atomic-file.ts'
import type { Log } from '../../base/log.ts'
import { createSerial } from '../../base/serial.ts'
import { setAside } from '../../base/set-aside.ts'
import { isIllFormed } from './codec.ts'

const Header = z.object({
  v: z.literal(1),
  path: AnyPath,
  absolute: z.string(),
  /** What was on disk when the text last agreed with it. */
  hash: FileHash.nullable(),
  encoding: Encoding,
  /** How the text itself is stored here: UTF-8 cannot hold half a surrogate pair. */
  stored: z.enum(['utf8', 'utf16le']),
})
export type Backup = Omit<z.infer<typeof Header>, 'v' | 'stored'> & { readonly text: string }

export interface Backups {
  /** Asks for a backup soon (a large text: within the second); `take` is called when it is written, and answers null when nothing is unsaved any more. */
  touch(absolute: string, take: () => Backup | null, large?: boolean): void
  /** Null where there is none or it cannot be read (then it is put aside, for a person). */
  read(absolute: string): Promise<Backup | null>
  list(): Promise<Backup[]>
  /** To another file's name, where the file it was of is gone and the other has none. Answers whether it is there now. */
  move(absolute: string, to: string): Promise<boolean>
  /** Puts a text aside that is about to be given up. Never throws: it must not stop what the person asked for. */
  keep(absolute: string, bytes: Uint8Array): Promise<void>
  /** Writes what is still due, once. */
  flush(): Promise<void>
  /** The same until nothing is due; what is asked for after that is not done: what is on the disk stays. */
  end(): Promise<void>
}

const DELAY_MS = 350
const LARGE_DELAY_MS = 850
/** Between two tries on a disk that refuses. */
const RETRY_MS = 3000
const KEPT_MS = 30 * 24 * 3600 * 1000
const SUFFIX = '.unsaved'
/** Above what a document that can be edited comes to, in either way of keeping it. */
const MOST_BYTES = 256_000_000

/** `onBacked` is told after each try whether what is unsaved is on disk. */
export function createBackups(
  folder: string,
  log: Log,
  onBacked: (absolute: string, backedUp: boolean) => void,
): Backups {
  const due = new Map<string, { timer: NodeJS.Timeout; take: () => Backup | null }>()
  const serial = createSerial()
  let ended = false
  const nameOf = (absolute: string) => createHash('sha256').update(absolute).digest('hex').slice(0, 32)
  const fileOf = (absolute: string) => join(folder, nameOf(absolute) + SUFFIX)

  async function write(absolute: string, take: () => Backup | null, again: boolean): Promise<void> {
    try {
      const backup = take()
      if (backup) await writeFileAtomic(fileOf(absolute), pack(backup))
      else await rm(fileOf(absolute), { force: true })
      onBacked(absolute, true)
    } catch (fault) {
      if (again && !due.has(absolute)) plan(absolute, take, RETRY_MS)
      onBacked(absolute, false)
      log('error', 'Unsaved text could not be backed up', { file: absolute, fault: String(fault) })
    }
  }

  function plan(absolute: string, take: () => Backup | null, afterMs: number): void {
    due.set(absolute, { take, timer: setTimeout(() => void run(absolute, true), afterMs) })
  }

  function run(absolute: string, again: boolean): Promise<void> {
    const entry = due.get(absolute)
    if (!entry) return Promise.resolve()
    clearTimeout(entry.timer)
    due.delete(absolute)
    return serial(() => write(absolute, entry.take, again))
  }

  async function readFrom(file: string): Promise<Backup | null> {
    try {
      return unpack(await readRegular(file, MOST_BYTES))
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return null
      log('warn', 'A backup of unsaved text could not be read and was put aside', { file, fault: String(fault) })
      await setAside(file)
      return null
    }
  }

  const flush = async (): Promise<void> => {
    await Promise.all([...due.keys()].map(absolute => run(absolute, false)))
    await serial.idle()
  }

  return {
    touch(absolute, take, large = false) {
      if (ended) return
      const known = due.get(absolute)
      if (known) known.take = take
      else plan(absolute, take, large ? LARGE_DELAY_MS : DELAY_MS)
    },
    async read(absolute) {
      // What is due is what is true: a text that was saved a moment ago is not unsaved.
      void run(absolute, true)
      return serial(() => readFrom(fileOf(absolute)))
    },
    async list() {
      const names = await readdir(folder).catch(() => [] as string[])
      const all = await Promise.all(
        names.filter(name => name.endsWith(SUFFIX)).map(name => readFrom(join(folder, name))),
      )
      return all.filter(backup => backup !== null)
    },
    move: (absolute, to) =>
      serial(async () => {
        const backup = await readFrom(fileOf(absolute))
        const isThere = (file: string) => stat(file).then(Boolean, () => false)
        if (!backup || (await isThere(absolute)) || (await isThere(fileOf(to)))) return false
        await writeFileAtomic(fileOf(to), pack({ ...backup, absolute: to }))
        await rm(fileOf(absolute), { force: true })
        return true
      }),
    async keep(absolute, bytes) {
      const kept = join(folder, 'kept')
      try {
        await writeFileAtomic(join(kept, `${nameOf(absolute)}-${Date.now()}`), bytes)
        for (const name of await readdir(kept)) {
          const file = join(kept, name)
          if (Date.now() - (await stat(file)).mtimeMs > KEPT_MS) await rm(file, { force: true })
        }
      } catch (fault) {
        log('warn', 'A text that was given up could not be kept', { file: absolute, fault: String(fault) })
      }
    },
    flush,
    async end() {
      do await flush()
      while (due.size > 0)
      ended = true
    },
  }
}

/** A line of JSON, then the text itself: nothing large is ever escaped. */
function pack({ text, ...facts }: Backup): Buffer {
  const stored = isIllFormed(text) ? 'utf16le' : 'utf8'
  return Buffer.concat([Buffer.from(`${JSON.stringify({ v: 1, ...facts, stored })}\n`), Buffer.from(text, stored)])
}

function unpack(bytes: Buffer): Backup {
  const end = bytes.indexOf(10)
  const { v: _, stored, ...facts } = Header.parse(JSON.parse(bytes.subarray(0, end).toString('utf8')))
  return { ...facts, text: bytes.subarray(end + 1).toString(stored) }
}
