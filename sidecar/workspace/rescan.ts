/** Everything below a folder that just came, since it may have come with content that nobody told of. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RawChange } from './coalesce.ts'
import type { LeftOut } from './left-out.ts'

/** Entries of a new folder told one by one; of more, one `overflow`. */
const MOST_RESCANNED = 500

/** Links are told, never followed. Never rejects: what cannot be read is left out. */
export async function rescanned(folder: string, leftOut: LeftOut): Promise<RawChange[]> {
  const found: RawChange[] = []
  const queue = [folder]
  for (let at = 0; at < queue.length; at++) {
    const here = queue[at] ?? folder
    const entries = await readdir(here, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (leftOut.hidden.has(entry.name)) continue
      const absolute = join(here, entry.name)
      found.push({ absolute, change: 'created', folder: entry.isDirectory() })
      if (entry.isDirectory() && !leftOut.heavy.has(entry.name)) queue.push(absolute)
    }
    if (found.length > MOST_RESCANNED) return [{ absolute: folder, change: 'overflow', folder: true }]
  }
  return found
}
