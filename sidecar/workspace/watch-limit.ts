/** Whether the system has no watch left to give: on Linux the watcher is refused one for a new folder and does not tell. */
import { watch } from 'node:fs'

/** Asks for one more, on `folder`, and gives it back. False elsewhere, and where the folder is gone. */
export function watchesRunOut(folder: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    watch(folder, { persistent: false }).close()
    return false
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === 'ENOSPC'
  }
}
