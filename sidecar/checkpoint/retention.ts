/** What is kept of which folder, as it lies on the disk: read without starting a store, and so of folders that are closed too. */
import { mkdir, open, readdir, readFile, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeptFolder } from '#contract/checkpoint'
import { RootId } from '#contract/id'
import { decodeRecord, splitLines } from '../base/record.ts'
import type { Entry } from './journal.ts'

const NAME = 'root.json'
/** The first lines of a journal are in here. */
const HEAD_BYTES = 256 * 1024

/** Says of which folder this is the store: its own name is made of that and does not tell. */
export async function nameRoot(store: string, absolute: string): Promise<void> {
  if ((await nameOf(store)) === absolute) return
  await mkdir(store, { recursive: true, mode: 0o700 })
  await writeFile(join(store, NAME), JSON.stringify({ absolute }), { mode: 0o600 })
}

async function nameOf(store: string): Promise<string | null> {
  try {
    const { absolute } = JSON.parse(await readFile(join(store, NAME), 'utf8')) as { absolute?: unknown }
    return typeof absolute === 'string' ? absolute : null
  } catch {
    return null
  }
}

/** Those of which anything is kept, the largest first. */
export async function keptFolders(folder: string): Promise<Omit<KeptFolder, 'fullSince' | 'why'>[]> {
  const names = (await readdir(folder).catch((): string[] => [])).filter(name => name.startsWith('root_'))
  const found = await Promise.all(names.map(async name => keptFolder(join(folder, name), name)))
  return found.flatMap(each => each ?? []).sort((a, b) => b.bytes - a.bytes)
}

async function keptFolder(store: string, name: string): Promise<Omit<KeptFolder, 'fullSince' | 'why'> | null> {
  const rootId = RootId.safeParse(name)
  const journal = await stat(join(store, 'journal')).catch(() => null)
  if (!rootId.success || !journal) return null
  const since = await firstTime(join(store, 'journal'))
  const entries = await readdir(store, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = entries.map(entry =>
    entry.isFile()
      ? stat(join(entry.parentPath, entry.name)).then(
          facts => facts.size,
          () => 0,
        )
      : 0,
  )
  const bytes = (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0)
  if (since === null && bytes < HEAD_BYTES) return null
  return { rootId: rootId.data, folder: await nameOf(store), bytes, since, usedAt: Math.trunc(journal.mtimeMs) }
}

/** When the oldest that is kept was noticed. */
async function firstTime(journal: string): Promise<number | null> {
  const handle = await open(journal, 'r').catch(() => null)
  if (!handle) return null
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    for (const line of splitLines(buffer.subarray(0, bytesRead)).lines) {
      const entry = decodeRecord(line) as Entry | null
      if (entry && 'at' in entry) return entry.at
    }
    return null
  } finally {
    await handle.close()
  }
}

export async function freeBytesOf(folder: string): Promise<number | null> {
  const facts = await statfs(folder).catch(() => null)
  return facts && facts.bavail * facts.bsize
}
