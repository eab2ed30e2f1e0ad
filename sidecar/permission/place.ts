/** Where a path really leads: every link on the way is followed before it is compared with the opened folders. */
import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import type { Root } from '#contract/workspace'
import { protectedPart, secretPart } from './places.ts'

export interface Where {
  readonly roots: readonly Root[]
  /** Belay's own folders. */
  readonly own: readonly string[]
}

export interface Place {
  /** Null where a link leads nowhere or in circles. */
  readonly real: string | null
  readonly outside: boolean
  readonly own: boolean
  readonly protected: string | null
  readonly secret: string | null
}

/** `absolute`: resolved, but not followed yet. */
export async function placeOf(absolute: string, { roots, own }: Where): Promise<Place> {
  const real = await follow(absolute)
  const at = real ?? absolute
  const within = real === null ? [] : roots.filter(root => below(root.absolute, at) !== null)
  const names = namesFrom(within, at)
  const inOwn = (await Promise.all(own.map(follow))).some(folder => folder !== null && below(folder, at) !== null)
  return { real, outside: within.length === 0, own: inOwn, protected: protectedPart(names), secret: secretPart(names) }
}

/** Above its root a path may go through any folder; from the root's own name on, every part counts. */
export function namesFrom(within: readonly Root[], at: string): string {
  const outermost = within.reduce<Root | null>((a, b) => (a && a.absolute.length <= b.absolute.length ? a : b), null)
  return outermost ? join(basename(outermost.absolute), below(outermost.absolute, at) ?? '') : at
}

/** The real path of what exists of it, and the rest as written. Null where a link leads nowhere or in circles. */
export async function follow(path: string): Promise<string | null> {
  try {
    return await realpath(path)
  } catch (fault) {
    // Below a file there is nothing; a name that is too long names nothing.
    const { code } = fault as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ENAMETOOLONG') return null
  }
  const dangling = await readlink(path).then(
    () => true,
    () => false,
  )
  if (dangling) return null
  const above = dirname(path)
  if (above === path) return path
  const parent = await follow(above)
  return parent === null ? null : join(parent, basename(path))
}

const fold = (path: string): string =>
  process.platform === 'win32' || process.platform === 'darwin' ? path.normalize('NFC').toLowerCase() : path

/** `path` as seen from `folder`; null when it is not in it. Both real. */
export function below(folder: string, path: string): string | null {
  if (fold(path) === fold(folder)) return ''
  const start = folder.endsWith(sep) ? folder : folder + sep
  return fold(path).startsWith(fold(start)) ? path.slice(start.length) : null
}

export const slashed = (path: string): string => (sep === '/' ? path : path.split(sep).join('/'))
