/** What Node made of our code is kept for the next start, where Node can do that (22.1 and later). Call before importing what is large. */
import module from 'node:module'
import { join } from 'node:path'
import { foldersOf } from './folders.ts'
import { makeFolder } from './make-folder.ts'

/** In the person's own cache: in a shared folder somebody else could have put code there. Never throws. */
export function keepCompiled(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown }
  if (!enableCompileCache) return
  const folder = join(foldersOf().cache, 'compiled')
  try {
    makeFolder(folder)
  } catch {
    // Who needs the profile will say what is wrong with it.
    return
  }
  enableCompileCache(folder)
}
