/**
 * What stands in a folder that a jail must treat apart: protected places, files of secrets, and files that have another name
 * elsewhere. The first look reads the whole tree; later ones only ask each folder whether it changed, for a folder's own time
 * moves with every name that comes or goes, and nobody can set it back.
 */
import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { isProtectedName, isSecretFile, isSecretFolder, protectedPairs } from '../base/protected-places.ts'
import { createSerial } from '../base/serial.ts'

export interface Survey {
  /** Absolute, outermost only. Of a repository: what decides which programs git starts. */
  readonly protectedPaths: readonly string[]
  readonly secrets: readonly string[]
  /** Files of which a name is outside the folder. */
  readonly linkedOutside: readonly string[]
  /** Folders that there was no time to look into. */
  readonly unseen: readonly string[]
}

/** How long one look may take before what is left counts as unseen; the next look goes on there. */
const PATIENCE_MS = 3000
/** Others get a turn after so much. */
const SLICE_MS = 4
/** A folder changed so shortly before it was read may change again without its time showing it. */
const RACY_MS = 60
/** Others' code: what an editor or a shell would read there concerns nobody, and there is far too much of it. */
const dependencies = new Set(['node_modules', 'site-packages', '.venv', 'venv', '.pnpm-store'])
/** So long what was seen of them is believed, unless the outermost folder itself changed. */
const DEPENDENCIES_MS = 600_000
/** Named by their content, which git verifies; and nothing in them is ever run. */
const bulkOfGit = new Set(['objects', 'refs', 'logs', 'lfs'])
/** In the folder of a repository: what git obeys. */
const gitObeys = new Set(['config', 'config.worktree', 'hooks', 'commondir', 'gitdir'])

interface Linked {
  readonly path: string
  readonly key: string
  readonly names: number
}

interface Folder {
  ctimeMs: number
  readAt: number
  subfolders: string[]
  protectedPaths: string[]
  secrets: string[]
  linked: Linked[]
}

type Kind = 'plain' | 'git' | 'dependencies' | 'secret'

export interface Surveyor {
  /** Never rejects: what cannot be read is left out, for a command cannot read it either. */
  look(): Promise<Survey>
}

/** `skip`: placeholders of the jail's own. */
interface Task {
  readonly path: string
  readonly kind: Kind
  /** The outermost folder of dependencies that it is part of. */
  readonly within: string | null
}

export function createSurveyor(root: string, skip: (absolute: string) => boolean): Surveyor {
  let folders = new Map<string, Folder>()
  /** Of folders of dependencies: all their files with other names. */
  const memory = new Map<string, { ctimeMs: number; at: number; linked: Linked[] }>()

  const look = async (): Promise<Survey> => {
    const seen = new Map<string, Folder>()
    const parts = new Map<string, Folder[]>()
    const tasks: Task[] = [{ path: root, kind: 'plain', within: null }]
    const end = performance.now() + PATIENCE_MS
    let turn = performance.now()
    let at = 0
    for (; at < tasks.length && performance.now() < end; at++) {
      const task = tasks[at]
      const known = task && folders.get(task.path)
      const folder = task && refreshed(known, task.path, task.kind, skip)
      if (!folder) continue
      const { path, kind } = task
      const remembered = task.within === path ? memory.get(path) : undefined
      if (remembered && remembered.ctimeMs === folder.ctimeMs && Date.now() - remembered.at < DEPENDENCIES_MS) {
        seen.set(path, { ...folder, linked: remembered.linked })
        continue
      }
      seen.set(path, folder)
      if (task.within !== null) {
        const part = parts.get(task.within) ?? []
        part.push(folder)
        parts.set(task.within, part)
      }
      for (const name of folder.subfolders) tasks.push(taskOf(path, name, kind, task.within))
      if (performance.now() - turn < SLICE_MS) continue
      await breathe()
      turn = performance.now()
    }
    const unseen = tasks.slice(at).map(({ path }) => path)
    const result = summary([...seen.values()], unseen)
    // What was known of folders that this look did not reach is still good for the next.
    if (unseen.length > 0) for (const [path, folder] of folders) if (!seen.has(path)) seen.set(path, folder)
    if (unseen.length === 0)
      for (const [path, all] of parts)
        memory.set(path, { ctimeMs: all[0]?.ctimeMs ?? 0, at: Date.now(), linked: all.flatMap(each => each.linked) })
    folders = seen
    return result
  }
  const serial = createSerial()
  // One after the other, and never the answer of a look that began before one asked.
  return { look: () => serial(look) }
}

function taskOf(parent: string, name: string, kind: Kind, within: string | null): Task {
  const path = join(parent, name)
  if (within !== null) return { path, kind, within }
  if (dependencies.has(name) && kind === 'plain') return { path, kind: 'dependencies', within: path }
  return { path, kind: kindOf(kind, name), within: null }
}

const kindOf = (above: Kind, name: string): Kind => {
  if (above === 'plain' && isSecretFolder(name)) return 'secret'
  return above === 'plain' && name === '.git' ? 'git' : above
}

function refreshed(
  known: Folder | undefined,
  path: string,
  kind: Kind,
  skip: (absolute: string) => boolean,
): Folder | null {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (!facts?.isDirectory()) return null
  const readAt = Date.now()
  if (known && known.ctimeMs === facts.ctimeMs && known.ctimeMs < known.readAt - RACY_MS) return known
  const folder: Folder = { ctimeMs: facts.ctimeMs, readAt, subfolders: [], protectedPaths: [], secrets: [], linked: [] }
  let entries: Dirent[]
  try {
    entries = readdirSync(path, { withFileTypes: true })
  } catch {
    return folder
  }
  for (const entry of entries) {
    const absolute = join(path, entry.name)
    if (!skip(absolute)) take(folder, absolute, entry, kind)
  }
  return folder
}

function take(folder: Folder, absolute: string, entry: Dirent, kind: Kind): void {
  const { name } = entry
  const held =
    kind === 'git' ? gitObeys.has(name) : kind === 'plain' && isProtected(absolute, name, entry.isDirectory())
  if (held) folder.protectedPaths.push(absolute)
  if (entry.isDirectory()) {
    const looked = held ? isSecretFolder(name) : !(kind === 'git' && bulkOfGit.has(name))
    if (looked) folder.subfolders.push(name)
    return
  }
  if (!entry.isFile()) return
  if (kind === 'secret' || (kind === 'plain' && isSecretFile(name, basename(dirname(absolute)))))
    folder.secrets.push(absolute)
  const facts = factsOf(absolute)
  if (facts && facts.nlink > 1)
    folder.linked.push({ path: absolute, key: `${facts.dev} ${facts.ino}`, names: facts.nlink })
}

function isProtected(absolute: string, name: string, isFolder: boolean): boolean {
  // Commits, branches and the index are work like any other; what git obeys stands below.
  if (name === '.git' && isFolder) return false
  if (isProtectedName(name)) return true
  const parent = absolute.split(sep).at(-2) ?? ''
  return protectedPairs.has(`${parent}/${name}`)
}

function factsOf(absolute: string): Stats | undefined {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function summary(folders: readonly Folder[], unseen: string[]): Survey {
  const linked = folders.flatMap(folder => folder.linked)
  const found = new Map<string, number>()
  for (const { key } of linked) found.set(key, (found.get(key) ?? 0) + 1)
  return {
    protectedPaths: folders.flatMap(folder => folder.protectedPaths),
    secrets: folders.flatMap(folder => folder.secrets),
    // Where every name was found, writing to one touches nothing else.
    linkedOutside: linked.filter(({ key, names }) => (found.get(key) ?? 0) < names).map(({ path }) => path),
    unseen,
  }
}

/** At most `most` paths that cover all: where they are too many, the folder that holds the most of them stands for these. */
export function covered(paths: readonly string[], root: string, most: number): string[] {
  let now = [...new Set(paths)]
  while (now.length > most) {
    const byFolder = new Map<string, string[]>()
    for (const path of now) {
      const parent = path.slice(0, path.lastIndexOf(sep))
      if (relative(root, parent).startsWith('..')) continue
      byFolder.set(parent, [...(byFolder.get(parent) ?? []), path])
    }
    const [largest] = [...byFolder].sort(([, a], [, b]) => b.length - a.length)
    if (!largest) return now
    const [parent] = largest
    now = [parent, ...now.filter(path => !path.startsWith(parent + sep))]
  }
  return now
}
