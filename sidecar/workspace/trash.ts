/** Belay's own trash: what was removed waits 30 days beside a note of where it was. Only what it put there is ever deleted. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { writeFileAtomic } from '../base/atomic-file.ts'
import { newId } from '../base/id.ts'
import type { Log } from '../base/log.ts'
import { systemCode } from './fault.ts'
import { moveEntry } from './place-entry.ts'

export const KEPT_MS = 30 * 24 * 3_600_000
const NOTE = 'belay-trash.json'

export interface Trash {
  /** Answers where it lies now. The entry itself is moved; a link is moved as a link. */
  put(absolute: string): Promise<string>
  /** Forget an entry that was taken out again. */
  emptied(inTrash: string): Promise<void>
  /** Deletes what has waited long enough. Never rejects. */
  sweep(now?: number): Promise<void>
}

export function createTrash(folder: string, log: Log): Trash {
  return {
    async put(absolute) {
      const own = join(folder, newId('trash'))
      await mkdir(own, { recursive: true, mode: 0o700 })
      await writeFileAtomic(join(own, NOTE), JSON.stringify({ from: absolute, removedAt: Date.now() }))
      const inTrash = join(own, 'content', basename(absolute))
      try {
        await mkdir(join(own, 'content'), { mode: 0o700 })
        await moveEntry(absolute, inTrash)
      } catch (fault) {
        await rm(own, { recursive: true, force: true })
        throw fault
      }
      return inTrash
    },
    async emptied(inTrash) {
      await rm(join(inTrash, '..', '..'), { recursive: true, force: true })
    },
    async sweep(now = Date.now()) {
      const names = await readdir(folder).catch(() => [])
      for (const name of names.filter(each => each.startsWith('trash_'))) {
        const own = join(folder, name)
        try {
          const note = JSON.parse(await readFile(join(own, NOTE), 'utf8')) as { removedAt?: unknown }
          if (typeof note.removedAt !== 'number' || now - note.removedAt < KEPT_MS) continue
          await rm(own, { recursive: true, force: true })
        } catch (fault) {
          if (systemCode(fault) !== 'ENOENT') log('warn', 'an entry of the trash could not be swept', { name })
        }
      }
    },
  }
}
