/** Whether a root is still the folder that was opened: it may be deleted, moved, or its disk taken away, and come back. */
import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'

export type RootState = 'same' | 'gone' | 'another'

export interface RootKeeper {
  /** `another`: a different folder stands there now, and is taken as the root from here on. */
  look(): Promise<RootState>
}

export function createRootKeeper(root: string): RootKeeper {
  let known: Stats | null = null
  return {
    async look() {
      const now = await stat(root).catch(() => null)
      if (!now?.isDirectory()) return 'gone'
      known ??= now
      if (now.dev === known.dev && now.ino === known.ino) return 'same'
      // Where a disk was mounted there is an empty folder afterwards.
      if (now.dev !== known.dev && (await readdir(root).catch(() => [])).length === 0) return 'gone'
      known = now
      return 'another'
    },
  }
}
