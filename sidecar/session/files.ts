/** Where the parts of a session lie: one folder each, and one folder with a small file per session for the list. */
import { join } from 'node:path'
import type { SessionId } from '#contract/id'

export interface SessionFiles {
  readonly folder: string
  readonly log: string
  readonly snapshot: string
  readonly blobs: string
  /** What a fork has from its parents: `inherited.json` and the logs that it speaks of. */
  readonly inherited: string
  readonly lock: string
  /** A copy for the list, written by whoever holds the lock. */
  readonly meta: string
  /** A person's marks (pinned, archived, seen); no part of the log. */
  readonly marks: string
}

export const listFolder = (folder: string): string => join(folder, 'list')
export const trashFolder = (folder: string): string => join(folder, 'trash')
/** Where a session is put together that has more than its first lines; then it goes into its place whole. */
export const formingFolder = (folder: string): string => join(folder, 'forming')

/** `own`: its folder, where that is not in its place yet. */
export function filesOf(folder: string, sessionId: SessionId, own = join(folder, sessionId)): SessionFiles {
  return {
    folder: own,
    log: join(own, 'log.jsonl'),
    snapshot: join(own, 'snapshot.jsonl'),
    blobs: join(own, 'blobs'),
    inherited: join(own, 'inherited'),
    lock: join(own, 'lock'),
    meta: join(listFolder(folder), `${sessionId}.meta.json`),
    marks: join(listFolder(folder), `${sessionId}.marks.json`),
  }
}
