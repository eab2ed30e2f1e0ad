/** From an action to the facts that decide about it. Every path is followed to where it really leads before it is judged. */
import { lstat, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import type { Root } from '#contract/workspace'
import type { ActionRequest } from '../agent/ports.ts'
import type { Facts } from './decide.ts'
import { protectedPart, secretPart } from './places.ts'

/** `own`: Belay's own folders. Reads the disk, changes nothing; a path that cannot be followed counts as outside. */
export async function look(
  { tool, action }: ActionRequest,
  roots: readonly Root[],
  own: readonly string[],
): Promise<Facts> {
  const command = action.kind === 'command' ? action.command : null
  const nowhere = { outside: false, readOnly: false, own: false, protectedPart: null, secretPart: null, shared: false }
  const bare: Facts = { tool, kind: action.kind, command, absolute: null, inRoots: [], ...nowhere }
  if (action.kind !== 'read' && action.kind !== 'write') return bare
  const real = isAbsolute(action.path) ? await follow(resolve(action.path)) : null
  const at = real ?? resolve(action.path)
  const within = real === null ? [] : roots.filter(root => below(root.absolute, at) !== null)
  const inRoots = within.map(root => ({ root: slashed(root.absolute), path: slashed(below(root.absolute, at) ?? '') }))
  const facts = await lstat(at).catch(() => null)
  // Above its root a path may go through any folder; from the root's own name on, every part counts.
  const outermost = within.reduce<Root | null>((a, b) => (a && a.absolute.length <= b.absolute.length ? a : b), null)
  const names = outermost ? join(basename(outermost.absolute), below(outermost.absolute, at) ?? '') : at
  return {
    ...bare,
    absolute: slashed(at),
    inRoots,
    outside: within.length === 0,
    readOnly: within.some(root => root.readOnly),
    own: (await Promise.all(own.map(follow))).some(folder => folder !== null && below(folder, at) !== null),
    protectedPart: protectedPart(names) ?? (action.kind === 'write' ? await behindProtectedLink(roots, at) : null),
    secretPart: secretPart(names),
    shared: facts?.isFile() === true && facts.nlink > 1,
  }
}

/** The real path of what exists of it, and the rest as written. Null where a link leads nowhere or in circles. */
async function follow(path: string): Promise<string | null> {
  try {
    return await realpath(path)
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ENOENT') return null
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

/** A link with a protected name makes what it leads to as dangerous as the name. */
async function behindProtectedLink(roots: readonly Root[], at: string): Promise<string | null> {
  for (const { absolute } of roots) {
    for (const name of linkable) {
      const link = join(absolute, name)
      const target = await readlink(link).then(
        () => realpath(link),
        () => null,
      )
      if (target !== null && below(target, at) !== null) return name
    }
  }
  return null
}
const linkable = ['.belay', '.mcp.json', '.vscode', '.idea', '.claude', '.git', '.husky', '.envrc', '.github']

const fold = (path: string): string =>
  process.platform === 'win32' || process.platform === 'darwin' ? path.normalize('NFC').toLowerCase() : path

/** `path` as seen from `folder`; null when it is not in it. Both real. */
function below(folder: string, path: string): string | null {
  if (fold(path) === fold(folder)) return ''
  const start = folder.endsWith(sep) ? folder : folder + sep
  return fold(path).startsWith(fold(start)) ? path.slice(start.length) : null
}

const slashed = (path: string): string => (sep === '/' ? path : path.split(sep).join('/'))
