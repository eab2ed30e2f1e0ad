/**
 * Which worktrees Belay made, where and for which session: one small file each in Belay's data, written before the worktree is.
 * What does not stand here is never removed by Belay.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { SessionId } from '#contract/id'
import { readJson, writeFileAtomic } from '../../base/atomic-file.ts'

export const MadeEntry = z.object({
  v: z.literal(1),
  sessionId: SessionId,
  /** The worktree, and what the session works in: the same part of it that was open where it branched off. */
  top: z.string(),
  folder: z.string(),
  /** Of the workspace that it was made from, and the top of that one's work tree. */
  home: z.string(),
  from: z.string(),
  /** Of the repository; the worktree's own part of it lies below. */
  commonDir: z.string(),
  branch: z.string().nullable(),
  /** What it began with; null: it was not made yet when this was written. */
  base: z.string().nullable(),
  madeAt: z.number(),
})
export type MadeEntry = z.infer<typeof MadeEntry>

export interface MadeLedger {
  all(): Promise<MadeEntry[]>
  of(sessionId: SessionId): Promise<MadeEntry | null>
  /** Throws what the file system says: what is not on the ledger is not made. */
  put(entry: MadeEntry): Promise<void>
  remove(sessionId: SessionId): Promise<void>
}

export function createMadeLedger(folder: string): MadeLedger {
  const fileOf = (sessionId: SessionId): string => join(folder, `${sessionId}.json`)
  const of = async (sessionId: SessionId): Promise<MadeEntry | null> => {
    const entry = await readJson<MadeEntry | null>(fileOf(sessionId), value => MadeEntry.parse(value), null)
    return entry?.sessionId === sessionId ? entry : null
  }
  return {
    of,
    async all() {
      const names = await readdir(folder).catch(() => [])
      const ids = names.flatMap(name => SessionId.safeParse(/^(.+)\.json$/.exec(name)?.[1]).data ?? [])
      const entries = await Promise.all(ids.map(id => of(id).catch(() => null)))
      return entries.flatMap(entry => entry ?? []).sort((a, b) => b.madeAt - a.madeAt)
    },
    put: entry => writeFileAtomic(fileOf(entry.sessionId), JSON.stringify(entry)),
    remove: sessionId => rm(fileOf(sessionId), { force: true }),
  }
}
