/**
 * What a workspace is known by: the path it was first opened at, its home. It keeps that name when its folder is found again
 * elsewhere, and with it its sessions, its view, its unsaved text and the folders that were added to it.
 */
import { join, sep } from 'node:path'
import { z } from 'zod'
import { readJson, writeFileAtomic } from '../base/atomic-file.ts'
import type { Folders } from '../base/folders.ts'
import { createSerial } from '../base/serial.ts'

const Moved = z.object({ moved: z.array(z.object({ home: z.string(), folder: z.string() })) })

export interface Homes {
  /** Of a real path. A folder that stands where another workspace was first opened is not that workspace. */
  of(folder: string): Promise<string>
  /** The workspace that was at `from` is at `to` from now on. Throws where the profile cannot be written. */
  move(from: string, to: string): Promise<void>
}

export function createHomes(folders: Folders): Homes {
  const file = join(folders.data, 'homes.json')
  const serial = createSerial()
  const read = async () => (await readJson(file, value => Moved.parse(value), { moved: [] })).moved
  const homeIn = (moved: z.infer<typeof Moved>['moved'], folder: string): string => {
    const found = moved.find(each => each.folder === folder)
    if (found) return found.home
    let home = folder
    // No real path ends like this, so the name is nobody else's.
    while (moved.some(each => each.home === home)) home += `${sep}.`
    return home
  }
  return {
    of: async folder => homeIn(await read(), folder),
    move: (from, to) =>
      serial(async () => {
        const moved = await read()
        const home = homeIn(moved, from)
        const others = moved.filter(each => each.folder !== from && each.folder !== to)
        await writeFileAtomic(file, JSON.stringify({ moved: [...others, { home, folder: to }] }))
      }),
  }
}
