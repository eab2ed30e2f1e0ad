/** Where the build put the parts of Belay, as seen from the running one. */
import { basename, dirname, join } from 'node:path'
import type { ChildName } from './fork.ts'

export interface BuiltFiles {
  readonly children: Readonly<Record<ChildName, string>>
  /** The command itself. */
  readonly belay: string
  readonly preload: string
  /** The folder of the window's page. */
  readonly renderer: string
  /** A PNG: of windows and notices where the system wants a file. */
  readonly icon: string
}

/** `here`: `import.meta.dirname` of any module of the main bundle, which may have become a chunk. */
export function builtFiles(here: string): BuiltFiles {
  const main = basename(here) === 'chunks' ? dirname(here) : here
  return {
    children: { sidecar: join(main, 'sidecar.js'), 'pty-host': join(main, 'pty-host.js') },
    belay: join(main, 'belay.js'),
    preload: join(main, '../preload/index.cjs'),
    renderer: join(main, '../renderer'),
    icon: join(main, 'icon.png'),
  }
}
