/**
 * What a trusted folder tells an agent: AGENTS.md, or CLAUDE.md where there is none, at the top of a root and in the folders
 * below it. Its words are the repository's, not the person's: read as they are, imports in them are not followed.
 */
import { constants } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import type { InstructionFile, InstructionState } from '#contract/knowledge'
import type { Root } from '#contract/workspace'
import { relativeBelow } from './paths.ts'

/** Bytes of one file that are read; more is cut, and said so. */
const MAX_ROOT_BYTES = 32 * 1024
const MAX_NESTED_BYTES = 8 * 1024
/** Of all that one touched file brings. */
const MAX_TOTAL_BYTES = 24 * 1024
/** Folders below a root that are looked at. */
const MAX_DEPTH = 20
/** The first of them that exists in a folder counts. */
const names = ['AGENTS.md', 'CLAUDE.md']
/** Others' code: what its authors tell their agents is nothing to ours. */
const foreignFolders = new Set(['node_modules', 'bower_components', 'vendor', 'site-packages', '.venv', 'venv', '.git'])

export interface Instructions {
  /** As a person and a model name it: relative to its root, with the root's name where there are several. */
  readonly path: string
  readonly text: string
}

/** Of the roots themselves. Never rejects: what cannot be read is not told. */
export async function readInstructions(roots: readonly Root[]): Promise<Instructions[]> {
  const found = await Promise.all(roots.map(root => instructionsIn(root, '', MAX_ROOT_BYTES, roots.length > 1)))
  return found.filter(each => each !== null)
}

/** Of the folders between a root and `absolute` (a real path), outermost first, without the root's own. Never rejects. */
export async function nestedInstructions(roots: readonly Root[], absolute: string): Promise<Instructions[]> {
  const [inner] = roots
    .flatMap(root => {
      const below = relativeBelow(root.absolute, absolute)
      return below === null || below === '' ? [] : [{ root, parts: below.split(sep) }]
    })
    .sort((a, b) => a.parts.length - b.parts.length)
  if (!inner) return []
  const { root, parts } = inner
  const own = parts.findIndex(part => foreignFolders.has(part))
  const depth = Math.min(own < 0 ? parts.length : own, MAX_DEPTH)
  const folders = Array.from({ length: depth }, (_, i) => parts.slice(0, i + 1).join(sep))
  const found = await Promise.all(folders.map(at => instructionsIn(root, at, MAX_NESTED_BYTES, roots.length > 1)))
  const kept: Instructions[] = []
  let left = MAX_TOTAL_BYTES
  // The nearest counts most, so it is the last to be left out.
  for (const each of found.reverse()) {
    left -= each ? Buffer.byteLength(each.text) : 0
    if (each && left >= 0) kept.unshift(each)
  }
  return kept
}

async function instructionsIn(root: Root, at: string, most: number, several: boolean): Promise<Instructions | null> {
  for (const name of names) {
    const text = await headOf(root.absolute, join(root.absolute, at, name), most)
    if (text.trim() === '') continue
    const below = join(at, name).split(sep).join('/')
    return { path: several ? `${root.name}: ${below}` : below, text }
  }
  return null
}

/** Where it really is; null for what is no regular file, or a link to anything but another such file of the same root. */
async function readablePlace(root: string, file: string): Promise<string | null> {
  const own = await lstat(file)
  const real = own.isSymbolicLink() ? await realpath(file) : file
  if (real !== file && (relativeBelow(root, real) === null || !names.includes(basename(real)))) return null
  if (relativeBelow(root, await realpath(dirname(real))) === null) return null
  // Asked before opening: a pipe of that name would wait for a writer.
  return (await lstat(real)).isFile() ? real : null
}

/** '' for what is not there or may not be read. */
async function headOf(root: string, file: string, most: number): Promise<string> {
  try {
    const real = await readablePlace(root, file)
    if (real === null) return ''
    const handle = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(most + 1), 0, most + 1, 0)
      const text = buffer.subarray(0, Math.min(bytesRead, most)).toString('utf8')
      return bytesRead > most ? `${text.replace(/\ufffd+$/, '')}\n(cut after ${most / 1024} KB)` : text
    } finally {
      await handle.close()
    }
  } catch {
    return ''
  }
}

/** All such files of a workspace, those that do not count with them. `below`: files below each root, relative with `/`. */
export async function surveyInstructions(
  roots: readonly Root[],
  trusted: boolean,
  below: (root: Root) => Promise<string[]>,
): Promise<InstructionFile[]> {
  const found = await Promise.all(
    roots.map(async root => {
      const named = (await below(root)).filter(path => names.includes(basename(path)) && isOurs(path.split('/')))
      const folders = [...new Set(['', ...named.map(path => dirname(path)).filter(at => at !== '.')])].sort()
      const of = (at: string) => surveyFolder(root, at, { trusted, several: roots.length > 1 })
      return (await Promise.all(folders.map(of))).flat()
    }),
  )
  return found.flat()
}

const isOurs = (parts: readonly string[]): boolean =>
  parts.length <= MAX_DEPTH + 1 && !parts.some(part => foreignFolders.has(part))

async function surveyFolder(
  root: Root,
  at: string,
  { trusted, several }: { trusted: boolean; several: boolean },
): Promise<InstructionFile[]> {
  const kind = at === '' ? ('root' as const) : ('nested' as const)
  const mostBytes = at === '' ? MAX_ROOT_BYTES : MAX_NESTED_BYTES
  const factsOf = (name: string): Omit<InstructionFile, 'state' | 'bytes'> => {
    const below = at === '' ? name : `${at}/${name}`
    return { file: join(root.absolute, below), name: several ? `${root.name}: ${below}` : below, kind, mostBytes }
  }
  const files: InstructionFile[] = []
  let counts = false
  for (const name of names) {
    const file = factsOf(name)
    const bytes = await lstat(file.file).then(
      ({ size }) => size,
      () => null,
    )
    if (bytes === null) continue
    const state: InstructionState = counts ? 'shadowed' : await stateOf(root, file.file, { trusted, kind })
    counts ||= state === 'told' || state === 'near' || state === 'untrusted'
    files.push({ ...file, state, bytes })
  }
  const [first = ''] = names
  const missing = kind === 'root' && files.length === 0 && !root.readOnly && !root.missing
  return missing ? [{ ...factsOf(first), state: 'missing', bytes: 0 }] : files
}

async function stateOf(
  root: Root,
  file: string,
  { trusted, kind }: { trusted: boolean; kind: 'root' | 'nested' },
): Promise<InstructionState> {
  if ((await readablePlace(root.absolute, file).catch(() => null)) === null) return 'unreadable'
  if ((await headOf(root.absolute, file, MAX_NESTED_BYTES)).trim() === '') return 'empty'
  if (!trusted) return 'untrusted'
  return kind === 'root' ? 'told' : 'near'
}
