/** Which folder a server is started in for a file: the nearest one with a marker, never above the workspace's own folder. */
import { access } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'

/** Null where no folder from the file up to `top` has a marker. Both absolute and real. Never rejects. */
export async function nearestMarked(file: string, top: string, markers: readonly string[]): Promise<string | null> {
  for (let folder = dirname(file); isWithin(folder, top); folder = dirname(folder)) {
    const here = await Promise.all(markers.map(name => exists(join(folder, name))))
    if (here.includes(true)) return folder
    if (folder === top) break
  }
  return null
}

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
