/** What somebody outside wants opened, looked up on disk before any window is asked: a folder, or a file and its place. */
import { access, constants, lstat, realpath, stat } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BelayError, toFault } from '#contract/error'
import { folderArgument } from '../../sidecar/supervise/folder-argument.ts'

export type Target =
  | { readonly kind: 'folder'; readonly absolute: string }
  | {
      readonly kind: 'file'
      readonly absolute: string
      readonly line: number | null
      readonly column: number | null
      /** Where it is opened when no window shows it yet; null: beside whatever is open, to be read. */
      readonly folder: string | null
    }

const PLACE = /^(.+?):(\d{1,7})(?::(\d{1,7}))?:?$/s

/**
 * `text`: a path, `file:12`, `file:12:3` or a `file://` URI, relative to `cwd`. A file that has such a name is itself.
 * Throws in words for the person; nothing was opened then. `as` `path`: nothing else than the path of a file or folder.
 */
export async function findTarget(text: string, cwd: string, as: 'asked' | 'path' = 'asked'): Promise<Target> {
  const path = as === 'asked' && /^file:/i.test(text) ? fromUri(text) : text
  const whole = await kindOf(path, cwd)
  if (whole === 'folder') return { kind: 'folder', absolute: await folderArgument(path, cwd) }
  if (whole === 'file') return fileTarget(absoluteOf(path, cwd), null, null)
  const [, base = '', line, column] = (as === 'asked' && PLACE.exec(path)) || []
  if (base && (await kindOf(base, cwd)) === 'file')
    return fileTarget(absoluteOf(base, cwd), Number(line) || null, Number(line) ? Number(column) || null : null)
  const asked = absoluteOf(path, cwd)
  if (whole === 'none')
    throw new BelayError('not_found', `There is no file or folder ${asked}. Nothing was opened; check the path.`)
  throw new BelayError('not_a_file', `${asked} is neither a file nor a folder. Nothing was opened.`)
}

const absoluteOf = (path: string, cwd: string): string =>
  /^~(?=$|[/\\])/.test(path) ? join(homedir(), path.slice(1)) : resolve(cwd, path)

/** Throws where it may not be looked at. */
async function kindOf(path: string, cwd: string): Promise<'file' | 'folder' | 'none' | 'other'> {
  const asked = absoluteOf(path, cwd)
  try {
    const found = await stat(asked)
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other'
  } catch (fault) {
    const { code } = toFault(fault)
    if (code === 'no_permission') throw mayNot(asked, fault)
    return 'none'
  }
}

async function fileTarget(path: string, line: number | null, column: number | null): Promise<Target> {
  const absolute = await realpath(path)
  await access(absolute, constants.R_OK).catch(fault => {
    throw mayNot(absolute, fault)
  })
  return { kind: 'file', absolute, line, column, folder: await folderFor(absolute) }
}

const mayNot = (path: string, cause: unknown): BelayError =>
  new BelayError('no_permission', `You may not read ${path}. Nothing was opened; ask for access.`, { cause })

/** Of this machine only. */
function fromUri(uri: string): string {
  try {
    if (!['', 'localhost'].includes(new URL(uri).hostname)) throw new TypeError('another machine')
    return fileURLToPath(uri)
  } catch (cause) {
    throw new BelayError('invalid', `${uri.slice(0, 300)} does not name a file of this machine. Nothing was opened.`, {
      cause,
    })
  }
}

/** The repository that it lies in, else its folder; never a whole home or disk, which nobody meant. */
async function folderFor(file: string): Promise<string | null> {
  const [home, temporary] = await Promise.all([homedir(), tmpdir()].map(each => realpath(each).catch(() => each)))
  const tooWide = (folder: string) =>
    dirname(folder) === folder || folder === temporary || `${home}${sep}`.startsWith(join(folder, sep))
  for (let folder = dirname(file); !tooWide(folder); folder = dirname(folder)) {
    if (await lstat(join(folder, '.git')).catch(() => null)) return folder
  }
  const own = dirname(file)
  return tooWide(own) ? null : own
}
