/**
 * A session that somebody else writes, or that may not be written: its state follows the log as it grows. It changes
 * nothing on the disk, neither the torn end nor the turns that were left open.
 */
import { type FSWatcher, watch } from 'node:fs'
import type { SessionId } from '#contract/id'
import type { SessionEvent } from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { Log } from '../base/log.ts'
import { createSerial } from '../base/serial.ts'
import type { SessionFiles } from './files.ts'
import { inherited } from './fork/inherited.ts'
import { readLog } from './log.ts'
import { foldRecord, logBytes, type Replayed, replay } from './replay.ts'
import { readSnapshot } from './snapshot.ts'
import type { Happened } from './writer.ts'

/** Where the system tells of changes this is only a second net. */
const POLL_MS = 2000

export interface Reader {
  /** Another object after the log was cut behind us; `happened` then skips a number, so that followers open again. */
  readonly state: SessionState
  readonly replayed: Replayed
  readonly happened: Emitter<Happened>
  close(): Promise<void>
}

/** The cached state where it can be trusted, and the rest of the log. */
export async function load(files: SessionFiles, sessionId: SessionId): Promise<Replayed> {
  const cached = await readSnapshot(files.snapshot, files.log, sessionId)
  return replay(files.log, cached ?? (await inherited(files, sessionId)))
}

export async function createReader(files: SessionFiles, sessionId: SessionId, log: Log): Promise<Reader> {
  let replayed = await load(files, sessionId)
  const happened = createEmitter<Happened>(fault => log('error', 'a listener failed', { fault: String(fault) }))
  const serial = createSerial()

  const catchUp = async (): Promise<void> => {
    const size = await logBytes(files.log)
    if (size === replayed.end) return
    if (size < replayed.end) {
      replayed = await replay(files.log, await inherited(files, sessionId))
      const beyond = replayed.state.facts.seq + 2
      happened.emit({ from: beyond, to: beyond, events: [] })
      return
    }
    const before = replayed.state.facts.seq
    const events: SessionEvent[] = []
    for await (const { records, end } of readLog(files.log, replayed.end)) {
      for (const record of records) {
        const event = foldRecord(replayed, record.value)
        if (event) events.push(event)
        replayed.last = { offset: record.offset, header: record.header }
      }
      replayed.end = end
    }
    if (events.length > 0) happened.emit({ from: before + 1, to: replayed.state.facts.seq, events })
  }
  const look = (): void =>
    void serial(catchUp).catch(fault => log('warn', 'a foreign log could not be followed', { fault: String(fault) }))

  const timer = setInterval(look, POLL_MS)
  timer.unref()
  let watcher: FSWatcher | null = null
  try {
    watcher = watch(files.log, { persistent: false }, look)
    watcher.on('error', () => watcher?.close())
  } catch {
    // Polling alone then.
  }

  return {
    get state() {
      return replayed.state
    },
    get replayed() {
      return replayed
    },
    happened,
    async close() {
      clearInterval(timer)
      watcher?.close()
      await serial.idle()
    },
  }
}
