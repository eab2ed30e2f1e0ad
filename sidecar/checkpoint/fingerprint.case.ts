/** Names, bytes, bits and times of all below a folder, as one text: the same again where nothing was touched. */
import { createHash } from 'node:crypto'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export async function fingerprint(folder: string): Promise<string> {
  const hash = createHash('sha256')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries.sort((a, b) => `${a.parentPath}/${a.name}`.localeCompare(`${b.parentPath}/${b.name}`))) {
    const at = join(entry.parentPath, entry.name)
    const facts = await lstat(at)
    hash.update(`${at} ${facts.mode} ${facts.mtimeMs} `)
    if (entry.isFile()) hash.update(await readFile(at))
  }
  return hash.digest('hex')
}
