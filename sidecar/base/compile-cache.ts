/** What Node made of our code is kept for the next start, where Node can do that (22.1 and later). Call before importing what is large. */
import module from 'node:module'
import { join } from 'node:path'
import { foldersOf } from './folders.ts'

/** In the person's own cache: in a shared folder somebody else could have put code there. Never throws. */
export function keepCompiled(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown }
  enableCompileCache?.(join(foldersOf().cache, 'compiled'))
}
