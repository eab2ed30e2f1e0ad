/**
 * Files as they stood at a message, put into a worktree that was just made: what was in no commit then. Promise: nothing is
 * written outside that worktree, through no link, and what cannot be had as it was is named and left as in the commit.
 */
import { constants } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, open, readlink, rm, rmdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileState } from '#contract/ledger'

export interface Bringing {
  /** The folders that are each other's counterparts: where the files lie, and where they come to. */
  readonly from: string
  readonly to: string
  /** Paths (`/`) that differ from the commit where they lie now. */
  readonly changed: readonly string[]
  /** How others were then; null: not there. */
  readonly then: ReadonlyMap<string, FileState | null>
  /** Null when it is not kept any more. */
  contentOf(state: FileState): Promise<Uint8Array | null>
}

const MOST_FILES = 50_000
const MOST_FILE_BYTES = 100_000_000
const MOST_BYTES = 2_000_000_000

/** Answers what was not brought. Rejects like the file system does where the disk is full. */
export async function bring({ from, to, changed, then, contentOf }: Bringing): Promise<string[]> {
  const paths = [...new Set([...then.keys(), ...changed])].filter(isInside)
  const notBrought = [...changed].filter(path => !isInside(path))
  const gone: string[] = []
  const there: string[] = []
  for (const path of paths) {
    const state = then.get(path)
    const facts = state === undefined ? await lstat(join(from, path)).catch(() => null) : null
    const isFolder = facts?.isDirectory() === true
    // A repository of its own.
    if (isFolder && (await lstat(join(to, path)).catch(() => null))?.isDirectory()) notBrought.push(path)
    else if (state || (facts && !isFolder)) there.push(path)
    else gone.push(path)
  }
  // What goes makes room for what comes: a file may stand where a folder was.
  for (const path of gone.sort().reverse()) if (!(await clear(to, path))) notBrought.push(path)
  let room = MOST_BYTES
  for (const path of there.sort().slice(0, MOST_FILES)) {
    const state = then.get(path)
    const bytes = state ? await put(to, path, state, contentOf) : await copy(from, to, path, room)
    if (bytes === null) notBrought.push(path)
    else room -= bytes
  }
  return [...notBrought, ...there.slice(MOST_FILES)].sort()
}

/** Whatever a log says, `.git` and what is above are not reached. */
const isInside = (path: string): boolean => {
  const names = path.split('/')
  return (
    path !== '' && names.every(name => name !== '' && name !== '.' && name !== '..' && name.toLowerCase() !== '.git')
  )
}

/** Whether every folder above is a folder, made where missing (`make`), and no link. */
async function isReal(to: string, path: string, make: boolean): Promise<boolean> {
  const names = path.split('/').slice(0, -1)
  let at = to
  for (const name of names) {
    at = join(at, name)
    const facts = await lstat(at).catch(() => null)
    if (facts?.isDirectory()) continue
    if (facts || !make) return facts === null
    await mkdir(at)
  }
  return true
}

/** Nothing stands there any more; folders that this leaves empty go too. */
async function clear(to: string, path: string): Promise<boolean> {
  if (!(await isReal(to, path, false))) return false
  const at = join(to, path)
  const facts = await lstat(at).catch(() => null)
  if (facts?.isDirectory()) return (await rmdir(at).catch(() => 'full')) !== 'full'
  if (!facts) return true
  await rm(at)
  for (let above = dirname(at); above !== to; above = dirname(above))
    if ((await rmdir(above).catch(() => 'full')) === 'full') break
  return true
}

/** Bytes; null where it could not be brought. */
async function copy(from: string, to: string, path: string, room: number): Promise<number | null> {
  const source = join(from, path)
  const facts = await lstat(source).catch(() => null)
  if (!facts || !(facts.isFile() || facts.isSymbolicLink())) return null
  if (facts.size > Math.min(room, MOST_FILE_BYTES)) return null
  if (!(await isReal(from, path, false)) || !(await isReal(to, path, true)) || !(await clear(to, path))) return null
  const at = join(to, path)
  await mkdir(dirname(at), { recursive: true })
  if (facts.isSymbolicLink()) await symlink(await readlink(source, { encoding: 'buffer' }), at)
  else {
    await copyFile(source, at, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    await chmod(at, facts.mode & 0o777)
  }
  return facts.size
}

async function put(
  to: string,
  path: string,
  state: FileState,
  contentOf: Bringing['contentOf'],
): Promise<number | null> {
  const bytes = state.kept ? await contentOf(state) : null
  if (!bytes || !(await isReal(to, path, true)) || !(await clear(to, path))) return null
  const at = join(to, path)
  await mkdir(dirname(at), { recursive: true })
  if (state.kind === 'link') {
    await symlink(Buffer.from(bytes), at)
    return bytes.length
  }
  const handle = await open(at, 'wx', state.mode & 0o777)
  try {
    await handle.writeFile(bytes)
    await handle.chmod(state.mode & 0o777)
  } finally {
    await handle.close()
  }
  return bytes.length
}
