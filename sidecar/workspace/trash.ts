/**
 * Where removed things go: to the system's trash where that can be undone, else to Belay's own, where they wait 30 days beside a
 * note of where they were. Only what was put into the own one is ever deleted.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { writeFileAtomic } from '../base/atomic-file.ts'
import { newId } from '../base/id.ts'
import type { Log } from '../base/log.ts'
import { systemCode } from './fault.ts'
import { moveEntry } from './place-entry.ts'

export const KEPT_MS = 30 * 24 * 3_600_000
const NOTE = 'belay-trash.json'

/** Moves a thing to the system's trash and answers where it lies now; null: it has none for that place, nothing was touched. */
export type SystemTrash = (absolute: string) => Promise<string | null>

export interface Trash {
  /** What a person removed. `place`: where it lies now. */
  remove(absolute: string): Promise<{ place: string; system: boolean }>
  /** Into Belay's own. Answers where it lies now. The entry itself is moved; a link is moved as a link. */
  put(absolute: string): Promise<string>
  /** Forget an entry of either that was taken out again. */
  emptied(inTrash: string): Promise<void>
  /** Deletes what has waited long enough. Never rejects. */
  sweep(now?: number): Promise<void>
}

export function createTrash(folder: string, log: Log, system?: SystemTrash): Trash {
  return {
    async remove(absolute) {
      const place = await system?.(absolute).catch(fault => {
        log('warn', 'the trash of the system failed', { message: String(fault) })
        return null
      })
      return place ? { place, system: true } : { place: await this.put(absolute), system: false }
    },
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
      const own = inTrash.startsWith(folder + sep)
      if (own) return rm(join(inTrash, '..', '..'), { recursive: true, force: true })
      // By the rules of freedesktop.org the note stands beside; elsewhere there is none.
      await rm(join(inTrash, '..', '..', 'info', `${basename(inTrash)}.trashinfo`), { force: true })
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
