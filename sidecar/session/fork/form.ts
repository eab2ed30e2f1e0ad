/**
 * Sessions that come into being with a past: put together aside, then moved into their places whole. Ended in between there is
 * nothing of them in the list; what lies aside is removed a day later.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionId } from '#contract/id'
import type { SessionEventDraft } from '#contract/session-event'
import { filesOf, formingFolder, type SessionFiles } from '../files.ts'
import { notKept } from '../log.ts'
import { type Opening, openForWriting } from '../opened.ts'
import { writeSnapshot } from '../snapshot.ts'

export interface Part {
  readonly sessionId: SessionId
  /** Puts its past beside its log. */
  prepare(files: SessionFiles): Promise<void>
  /** The first events of its own. */
  readonly first: SessionEventDraft[]
}

export type Place = Pick<Opening, 'owner' | 'log'> & { folder: string }

const LITTER_MS = 24 * 3600 * 1000

/** All of them or none, in that order. Throws `disk_full`, `read_only`. Where one is there already, that one stays. */
export async function form({ folder, ...by }: Place, parts: readonly Part[]): Promise<void> {
  const aside = join(formingFolder(folder), randomBytes(9).toString('hex'))
  const placed: string[] = []
  try {
    await mkdir(aside, { recursive: true, mode: 0o700 })
    for (const { sessionId, prepare, first } of parts) {
      const files = filesOf(folder, sessionId, join(aside, sessionId))
      await mkdir(files.folder, { mode: 0o700 })
      await prepare(files)
      const { session, replayed } = await openForWriting({ ...by, files, sessionId }, first)
      try {
        await writeSnapshot(files.snapshot, replayed)
      } finally {
        await session.close()
      }
    }
    for (const { sessionId } of parts)
      if (await move(join(aside, sessionId), filesOf(folder, sessionId).folder)) placed.push(sessionId)
  } catch (fault) {
    for (const sessionId of placed) await rm(join(folder, sessionId), { recursive: true, force: true }).catch(() => {})
    throw fault instanceof Error && 'syscall' in fault ? notKept(fault) : fault
  } finally {
    await rm(aside, { recursive: true, force: true }).catch(() => {})
  }
}

/** False where there is one already. */
async function move(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
    throw fault
  }
}

/** Best effort; never rejects. */
export async function emptyForming(folder: string, now = Date.now()): Promise<void> {
  const forming = formingFolder(folder)
  for (const name of await readdir(forming).catch(() => [])) {
    const facts = await stat(join(forming, name)).catch(() => null)
    if (facts && now - facts.mtimeMs > LITTER_MS)
      await rm(join(forming, name), { recursive: true, force: true }).catch(() => {})
  }
}
