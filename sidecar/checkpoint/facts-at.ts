/** What stands at a path, links not followed. Undefined for nothing: also where a file stands in the place of its folder. */
import { lstatSync, type Stats } from 'node:fs'

export function factsAt(absolute: string): Stats | undefined {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false })
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOTDIR') return
    throw fault
  }
}
