/**
 * A git worktree keeps its repository elsewhere. What a commit writes there is given to the jail, and nothing more: neither
 * the configuration nor the hooks, nor what other worktrees stand on.
 */
import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export interface LinkedRepository {
  /** Absolute, real, existing. */
  readonly writable: readonly string[]
  /** Inside `writable`; existing. */
  readonly readOnly: readonly string[]
  /** Places of the same kind that do not exist yet. */
  readonly absent: readonly string[]
}

const MOST_BYTES = 4096
/** In the worktree's own part of the repository: what leads git elsewhere or tells it what to run. */
const leading = ['gitdir', 'commondir', 'config.worktree']

/**
 * Null where there is nothing to give. Anybody can write a `.git` file that names a folder: the repository must name this very
 * file as well, and that is not in the hands of who only writes here.
 */
export function linkedRepositoryOf(root: string): LinkedRepository | null {
  try {
    const pointer = join(root, '.git')
    const own = realpathSync(resolve(root, lineOf(pointer, /^gitdir: (.+)$/)))
    if (realpathSync(resolve(own, lineOf(join(own, 'gitdir'), /^(.+)$/))) !== realpathSync(pointer)) return null
    const common = realpathSync(resolve(own, lineOf(join(own, 'commondir'), /^(.+)$/)))
    if (dirname(own) !== join(common, 'worktrees') || !isFolder(join(common, 'objects'))) return null
    const places = leading.map(name => join(own, name))
    return {
      writable: [own, ...['objects', 'refs', 'logs'].map(name => join(common, name)).filter(isFolder)],
      readOnly: places.filter(exists),
      absent: places.filter(path => !exists(path)),
    }
  } catch {
    return null
  }
}

/** Throws where it is no small plain file of one such line. */
function lineOf(file: string, shape: RegExp): string {
  const facts = lstatSync(file)
  const found = facts.isFile() && facts.size <= MOST_BYTES ? shape.exec(readFileSync(file, 'utf8').trimEnd()) : null
  if (found?.[1] === undefined) throw new Error(`${file} names no folder`)
  return found[1]
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined
/** A real one: a link would lead the jail elsewhere. */
const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
