/** Tells that a file of rules changed, for whoever shows them. Deciding does not depend on it: files are looked at again each time. */
import { watchFile } from '../base/watch-file.ts'

export interface RulesWatch {
  /** These as well from now on. */
  add(files: readonly string[]): void
  dispose(): void
}

const MAX_FILES = 100

export function watchRules(changed: () => void): RulesWatch {
  const watched = new Map<string, () => void>()
  return {
    add(files) {
      for (const file of files)
        if (!watched.has(file) && watched.size < MAX_FILES) watched.set(file, watchFile(file, changed))
    },
    dispose() {
      for (const stop of watched.values()) stop()
      watched.clear()
    },
  }
}
