/**
 * The only place that turns words about files into paths of this machine and back. Every component is resolved through
 * links before a path counts as inside a root; what leads outside is never answered as a wire path.
 */
import { lstat, readlink, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { BelayError } from '#contract/error'
import type { AnyPath, WirePath } from '#contract/path'
import type { Root } from '#contract/workspace'
import { withHome } from '../base/with-home.ts'
import { explained, shown, systemCode } from './fault.ts'

export interface ResolvedPath {
  /** The real path of the deepest part that exists, and the rest as written. */
  readonly absolute: string
  /** Null: outside every root. */
  readonly wire: WirePath | null
  readonly exists: boolean
  readonly outside: boolean
  /** The last component itself is a link (`absolute` is where it leads). */
  readonly isLink: boolean
  /** Names this file's bytes have; above 1 a write shows elsewhere too. 0 where nothing exists, 1 for folders. */
  readonly hardLinks: number
}

export interface Paths {
  readonly roots: readonly Root[]
  /**
   * Text of a model or person: relative to the first root, absolute, `~/`, or `@name/` of a mounted root. Throws `invalid` on
   * NUL and link loops, `not_a_folder` below a file.
   */
  resolve(text: string): Promise<ResolvedPath>
  /** The real path, the last link followed; what does not exist yet is answered as it would be. Throws `outside`, `invalid`, and `not_found` for an unknown root. */
  toAbsolute(at: AnyPath): Promise<string>
  /** Like toAbsolute, but the last component is the entry itself, not where it leads: for removing, renaming, listing. */
  toEntry(at: WirePath): Promise<string>
  /** Longest root prefix wins; null outside. Expects a real path. */
  toWire(absolute: string): WirePath | null
  /** The read-only root that a real path belongs to (the innermost counts); null where nothing forbids writing. */
  readOnlyRoot(absolute: string): Root | null
  /** Relative to the first root; absolute elsewhere. `resolve(display(x))` is x. */
  display(at: AnyPath): string
  /** Throws `not_found` with words. */
  rootOf(at: WirePath): Root
}

/** Folding for comparing only: these systems hold `A` and `a` for the same name. */
const fold = (text: string, platform: NodeJS.Platform): string =>
  platform === 'win32' || platform === 'darwin' ? text.normalize('NFC').toLowerCase() : text

/** `child` relative to `folder` with this machine's separators; null when it is not below. Both absolute and normal. */
export function relativeBelow(
  folder: string,
  child: string,
  platform: NodeJS.Platform = process.platform,
): string | null {
  const { sep } = platform === 'win32' ? path.win32 : path.posix
  if (fold(child, platform) === fold(folder, platform)) return ''
  const start = folder.endsWith(sep) ? folder : folder + sep
  if (fold(child.slice(0, start.length), platform) === fold(start, platform)) return child.slice(start.length)
  return null
}

/** Roots inside a root, as paths relative to it with `/`. */
export const innerFolders = (root: Root, roots: readonly Root[]): string[] =>
  roots.flatMap(({ absolute }) => relativeBelow(root.absolute, absolute)?.split(path.sep).join('/') || [])

/** Throws `invalid` for what can never be a path on the wire: `..`, `.`, empty parts, NUL, and on Windows `\` and `:`. */
export function checkWire(wire: string, platform: NodeJS.Platform = process.platform): void {
  if (wire === '') return
  const bad = platform === 'win32' ? /[\0\\:]/ : /\0/
  if (bad.test(wire) || wire.split('/').some(part => part === '' || part === '.' || part === '..'))
    throw new BelayError('invalid', `${shown(wire)} is not a path inside a folder.`)
}

const windowsReserved = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i

/** For names about to be made. Throws `invalid`, saying which rule. Existing odd names may still be shown and used. */
export function checkNewName(name: string, platform: NodeJS.Platform = process.platform): void {
  const refuse = (why: string) => {
    throw new BelayError('invalid', `${shown(name)} cannot be a name: ${why}.`)
  }
  if (name.trim() === '') refuse('it is empty')
  if (name === '.' || name === '..') refuse('it means another folder')
  if (/[/\0]/.test(name)) refuse('a name has no / in it')
  if (/[\u0000-\u001f\u007f]/.test(name)) refuse('it holds a line break or control character')
  if (Buffer.byteLength(name) > 255) refuse('it is longer than 255 bytes')
  if (platform !== 'win32') return
  if (/[<>:"|?*\\]/.test(name)) refuse('Windows does not allow < > : " | ? * \\ in it')
  if (/[. ]$/.test(name)) refuse('Windows does not allow a dot or space at its end')
  if (windowsReserved.test(name)) refuse('Windows keeps that name for a device')
}

interface Followed {
  absolute: string
  exists: boolean
  isLink: boolean
}

/** Follows every link of an absolute path as the system would; parts that do not exist are kept as written. */
export async function follow(absolute: string, hops = 0): Promise<Followed> {
  if (hops > 40) throw new BelayError('invalid', `${shown(absolute)} is a link that leads back to itself.`)
  const parent = path.dirname(absolute)
  try {
    const [real, own] = await Promise.all([realpath(absolute), lstat(absolute)])
    return { absolute: real, exists: true, isLink: own.isSymbolicLink() }
  } catch (fault) {
    if (systemCode(fault) !== 'ENOENT') throw explained(fault, `Could not follow ${shown(absolute)}`)
    if (parent === absolute) return { absolute, exists: false, isLink: false }
  }
  const above = await follow(parent, hops)
  const here = path.join(above.absolute, path.basename(absolute))
  const dangling = above.exists ? await readlink(here).catch(() => null) : null
  if (dangling === null) return { absolute: here, exists: false, isLink: false }
  return { ...(await followTarget(above.absolute, dangling, hops + 1)), isLink: true }
}

/** Part by part, so that `..` after a link means what it means to the system. */
async function followTarget(from: string, target: string, hops: number): Promise<Followed> {
  const { root } = path.parse(target)
  let here: Followed = { absolute: root || from, exists: true, isLink: false }
  for (const part of target.slice(root.length).split(path.sep)) {
    if (part === '' || part === '.') continue
    if (part === '..') here = { ...here, absolute: path.dirname(here.absolute) }
    else here = await follow(path.join(here.absolute, part), hops)
  }
  return here
}

/** `rootsNow`: at least one; the first stays the same while the workspace is open, the others may come and go. */
export function createPaths(rootsNow: () => readonly Root[]): Paths {
  const [first] = rootsNow()
  if (!first) throw new BelayError('invalid', 'A workspace has at least one folder.')

  const rootOf = (at: WirePath): Root => {
    const root = rootsNow().find(each => each.rootId === at.rootId)
    if (!root) throw new BelayError('not_found', 'That folder is not part of this workspace (any more).')
    return root
  }

  const toWire = (absolute: string): WirePath | null => {
    let best: { root: Root; rest: string } | null = null
    for (const root of rootsNow()) {
      const rest = relativeBelow(root.absolute, absolute)
      if (rest !== null && (!best || root.absolute.length > best.root.absolute.length)) best = { root, rest }
    }
    return best && { rootId: best.root.rootId, path: best.rest.split(path.sep).join('/') }
  }

  const lexical = (at: WirePath): string => {
    checkWire(at.path)
    return path.join(rootOf(at).absolute, ...at.path.split('/'))
  }

  const inside = (real: string, at: WirePath): string => {
    if (toWire(real) === null)
      throw new BelayError(
        'outside',
        `${shown(at.path)} is a link that leads outside the opened folder. It was not followed.`,
      )
    return real
  }

  /** `@docs/x` where the first root has no entry `@docs`: that root's `x`. */
  const named = async (text: string): Promise<string | null> => {
    const [name = '', ...rest] = text.split(/[\\/]/)
    const root = name.startsWith('@') ? rootsNow().find(each => each.name === name) : undefined
    if (!root || root === rootsNow()[0] || (await isThere(path.join(first.absolute, name)))) return null
    return path.join(root.absolute, ...rest)
  }

  return {
    get roots() {
      return rootsNow()
    },
    rootOf,
    toWire,
    readOnlyRoot(absolute) {
      const wire = toWire(absolute)
      const root = wire && rootOf(wire)
      return root?.readOnly ? root : null
    },
    async resolve(text) {
      if (text.includes('\0')) throw new BelayError('invalid', 'A path cannot contain a NUL character.')
      const followed = await follow((await named(text)) ?? path.resolve(first.absolute, withHome(text)))
      const wire = toWire(followed.absolute)
      const facts = followed.exists ? await stat(followed.absolute).catch(() => null) : null
      const hardLinks = facts === null ? 0 : facts.isDirectory() ? 1 : facts.nlink
      return { ...followed, wire, outside: wire === null, hardLinks }
    },
    async toAbsolute(at) {
      if ('uri' in at) return (await follow(fromUri(at.uri))).absolute
      return inside((await follow(lexical(at))).absolute, at)
    },
    async toEntry(at) {
      const absolute = lexical(at)
      if (at.path === '') return absolute
      const parent = inside((await follow(path.dirname(absolute))).absolute, at)
      return path.join(parent, path.basename(absolute))
    },
    display(at) {
      if ('uri' in at) return fromUri(at.uri)
      if (at.rootId !== first.rootId) return path.join(rootOf(at).absolute, ...at.path.split('/'))
      if (at.path === '') return '.'
      return at.path.startsWith('~') ? `./${at.path}` : at.path
    },
  }
}

const isThere = (absolute: string): Promise<boolean> =>
  lstat(absolute).then(
    () => true,
    () => false,
  )

function fromUri(uri: string): string {
  try {
    const absolute = fileURLToPath(uri)
    if (absolute.includes('\0')) throw new TypeError('NUL')
    return absolute
  } catch (fault) {
    throw new BelayError('invalid', `${shown(uri)} does not name a file of this machine.`, { cause: fault })
  }
}
