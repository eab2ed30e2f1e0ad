/** Removed sessions lie in a folder of Belay's own for 30 days; only after that are they gone. */
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionId } from '#contract/id'
import { filesOf, trashFolder } from './files.ts'

const KEPT_MS = 30 * 24 * 3600 * 1000

/** Rejects like the file system does; the session is then where it was. */
export async function moveToTrash(folder: string, sessionId: SessionId, now = Date.now()): Promise<void> {
  const trash = trashFolder(folder)
  await mkdir(trash, { recursive: true, mode: 0o700 })
  await rename(filesOf(folder, sessionId).folder, join(trash, `${now}-${sessionId}`))
}

/** Best effort; never rejects. Only names that `moveToTrash` gave are touched. */
export async function emptyTrash(folder: string, now = Date.now()): Promise<void> {
  const trash = trashFolder(folder)
  for (const name of await readdir(trash).catch(() => [])) {
    const [, at] = /^(\d+)-ses_[0-9A-Za-z_-]+$/.exec(name) ?? []
    if (at && now - Number(at) > KEPT_MS) await rm(join(trash, name), { recursive: true, force: true }).catch(() => {})
  }
}
