/** Which changes on disk a server asked to hear of. Of an open document it never hears so: it has that text from Belay alone. */

import { isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { matchesGlob } from './glob.ts'
import { arrayOf, objectOf, type Registrations } from './registrations.ts'

export interface FileChange {
  readonly absolute: string
  readonly change: 'created' | 'changed' | 'deleted'
}

const METHOD = 'workspace/didChangeWatchedFiles'
/** As the protocol numbers them; `bit` is what a watcher's `kind` is made of. */
export const changeTypes = { created: 1, changed: 2, deleted: 3 } as const
const bits = { created: 1, changed: 2, deleted: 4 } as const

/** `root`: what a pattern without a base starts from. */
export function wantedChanges(
  registrations: Registrations,
  root: string,
  changes: readonly FileChange[],
): FileChange[] {
  const watchers = registrations.of(METHOD).flatMap(each => arrayOf(each.options.watchers).map(objectOf))
  return changes.filter(({ absolute, change }) =>
    watchers.some(({ globPattern, kind }) => {
      if (typeof kind === 'number' && (kind & bits[change]) === 0) return false
      return matches(globPattern, root, absolute)
    }),
  )
}

/** Relative patterns are matched below their base, so that a folder may have any name. */
function matches(pattern: unknown, root: string, absolute: string): boolean {
  if (typeof pattern === 'string')
    return isAbsolute(pattern) ? matchesGlob(pattern, absolute) : isBelow(root, pattern, absolute)
  const { baseUri, pattern: below } = objectOf(pattern)
  const base = typeof baseUri === 'string' ? baseUri : objectOf(baseUri).uri
  if (typeof base !== 'string' || typeof below !== 'string') return false
  try {
    return isBelow(fileURLToPath(base), below, absolute)
  } catch {
    return false
  }
}

function isBelow(base: string, pattern: string, absolute: string): boolean {
  const path = relative(base, absolute)
  return !isAbsolute(path) && !path.startsWith('..') && matchesGlob(pattern, path)
}
