/**
 * The write ledger of one root on disk: lines that are only ever added, each with its own checksum. A line that a crash tore
 * is skipped; another process's lines are read on from where one was.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { LedgerWrite } from '#contract/ledger'
import { newId } from '../base/id.ts'
import type { ProcessStamp } from '../base/process-info.ts'
import { decodeRecord, encodeRecord, splitLines } from '../base/record.ts'
import type { Author } from './ledger.ts'

/** A change of one path below the root. */
export type Line = Omit<LedgerWrite, 'path'> & { path: string }

export type Entry =
  /** The first: names this journal until it is shortened. `seq`: of the last line that was dropped. */
  | { t: 'journal'; v: number; id: string; seq: number }
  | ({ t: 'write' } & Line)
  /** Everything was looked at, and is as the lines until here say. */
  | { t: 'checkpoint'; id: string; at: number; seq: number }
  | { t: 'open'; id: string; author: Author; owner: ProcessStamp; at: number; seq: number }
  /** From here on nobody can tell its writes from other people's. */
  | { t: 'loosened'; id: string }
  | { t: 'closed'; id: string }

export interface Journal {
  /** What was added since the last call, by whomever; `null` first where it is another journal than then: all of it follows. */
  news(): { anew: boolean; entries: Entry[] }
  append(entries: readonly Entry[]): void
  /** In place of all there is. Atomic. */
  replace(entries: readonly Entry[], seq: number): void
  close(): void
}

const VERSION = 1

export function createJournal(folder: string): Journal {
  const file = join(folder, 'journal')
  let fd = -1
  let read = 0
  let ino = 0

  const write = (entries: readonly Entry[], seq: number) => {
    const beside = `${file}.new`
    const head: Entry = { t: 'journal', v: VERSION, id: newId('jrn'), seq }
    const bytes = Buffer.concat([head, ...entries].map(encodeRecord))
    writeFileSync(beside, bytes, { mode: 0o600, flush: true })
    renameSync(beside, file)
  }
  const close = () => {
    if (fd >= 0) closeSync(fd)
    fd = -1
  }
  return {
    news() {
      if (!existsSync(file)) write([], 0)
      const anew = fd < 0 || statSync(file).ino !== ino
      if (anew) {
        close()
        fd = openSync(file, 'r+')
        ino = fstatSync(fd).ino
        read = 0
      }
      const bytes = Buffer.alloc(fstatSync(fd).size - read)
      readSync(fd, bytes, 0, bytes.length, read)
      const { lines, rest } = splitLines(bytes)
      read += bytes.length - rest.length
      return { anew, entries: lines.flatMap(line => (decodeRecord(line) as Entry | null) ?? []) }
    },
    append(entries) {
      const size = fstatSync(fd).size
      // Half a line of somebody who died: it becomes a whole one that nobody believes.
      const mend = size > read ? [Buffer.from('\n')] : []
      const bytes = Buffer.concat([...mend, ...entries.map(encodeRecord)])
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, size + done)
      fdatasyncSync(fd)
      read = size + bytes.length
    },
    replace(entries, seq) {
      write(entries, seq)
      close()
    },
    close,
  }
}
