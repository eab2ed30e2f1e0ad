/**
 * One step of a profile's version, atomic whenever it is killed. What is to change is staged beside a copy of what was there;
 * then the profile's version names the stage, from when on only finishing is possible; the copy stays as a backup.
 */
import { createReadStream } from 'node:fs'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { removeUnfinished, writeFileAtomic } from '../../base/atomic-file.ts'
import type { Folders } from '../../base/folders.ts'

export interface Change {
  /** The full path. */
  readonly file: string
  /** All of it; null removes the file. */
  readonly content: string | Uint8Array | AsyncIterable<Uint8Array> | null
}

export interface Migration {
  /** The version it makes of the one below. */
  readonly to: number
  /** Reads and writes nothing else: what is not a change here is not undone by a kill. */
  changes(folders: Folders): AsyncIterable<Change>
}

const Staged = z.object({
  changes: z.array(z.object({ file: z.string(), removed: z.boolean(), mode: z.number() })),
})
const LIST = 'changes.json'

/** Where the steps are kept, each with what it replaced. */
export const upgradesFolder = (folders: Pick<Folders, 'data'>): string => join(folders.data, 'upgrades')

/** Changes nothing yet. Returns the name under which it can be finished. */
export async function stage(folders: Folders, migration: Migration): Promise<string> {
  const staging = join(upgradesFolder(folders), `staging-${migration.to}`)
  await rm(staging, { recursive: true, force: true })
  const changes: z.infer<typeof Staged>['changes'] = []
  for await (const { file, content } of migration.changes(folders)) {
    const facts = await stat(file).catch(ifMissing)
    const name = String(changes.length)
    if (facts) await writeFileAtomic(join(staging, 'old', name), createReadStream(file))
    if (content !== null) await writeFileAtomic(join(staging, 'new', name), content)
    changes.push({ file, removed: content === null, mode: (facts?.mode ?? 0o600) & 0o777 })
  }
  await writeFileAtomic(join(staging, LIST), JSON.stringify({ changes }, null, 2))
  const name = `to-${migration.to}-${new Date().toISOString().replace(/\D/g, '')}`
  await rename(staging, join(upgradesFolder(folders), name))
  return name
}

/** May be done again and again; where a kill cut it short it goes on. */
export async function finish(folders: Folders, name: string): Promise<void> {
  const staged = join(upgradesFolder(folders), name)
  const { changes } = Staged.parse(JSON.parse(await readFile(join(staged, LIST), 'utf8')))
  for (const [at, { file, removed, mode }] of changes.entries()) {
    await removeUnfinished(file)
    if (removed) await rm(file, { force: true })
    else await writeFileAtomic(file, createReadStream(join(staged, 'new', String(at))), mode)
  }
}

const ifMissing = (fault: NodeJS.ErrnoException): null => {
  if (fault.code === 'ENOENT') return null
  throw fault
}
