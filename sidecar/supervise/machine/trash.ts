/** Moves a file or folder to the platform's trash, or says that it could not. Promise: what is not in the trash is where it was. */
import { execFile } from 'node:child_process'
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, extname, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { BelayError } from '#contract/error'

const run = promisify(execFile)
const TIMEOUT_MS = 10_000

/** Throws `not_found` and `invalid`. False: this platform has no trash for that place; nothing was touched. */
export async function moveToTrash(absolute: string, env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  if (!isAbsolute(absolute)) throw new BelayError('invalid', `Only a full path can go to the trash, not ${absolute}.`)
  if (!(await lstat(absolute).catch(() => null))) {
    throw new BelayError('not_found', `${absolute} does not exist any more.`)
  }
  const home = env.HOME || homedir()
  if (process.platform === 'darwin') return moveInto(join(home, '.Trash'), absolute)
  if (process.platform === 'win32') return recycle(absolute)
  return (await freedesktop(env.XDG_DATA_HOME || join(home, '.local', 'share'), absolute)) || gio(absolute, env)
}

/** https://specifications.freedesktop.org/trash-spec: the note is made first and exclusively, which also claims the name. */
async function freedesktop(dataHome: string, absolute: string): Promise<boolean> {
  const trash = join(dataHome, 'Trash')
  await mkdir(join(trash, 'files'), { recursive: true, mode: 0o700 }).catch(() => {})
  await mkdir(join(trash, 'info'), { recursive: true, mode: 0o700 }).catch(() => {})
  const when = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
  const path = absolute.split('/').map(encodeURIComponent).join('/')
  for (const name of names(absolute)) {
    const note = join(trash, 'info', `${name}.trashinfo`)
    try {
      const handle = await open(note, 'wx', 0o600)
      await handle.writeFile(`[Trash Info]\nPath=${path}\nDeletionDate=${when}\n`).finally(() => handle.close())
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code === 'EEXIST') continue
      return false
    }
    try {
      await rename(absolute, join(trash, 'files', name))
      return true
    } catch {
      // Another device, or not ours to move.
      await rm(note, { force: true })
      return false
    }
  }
  return false
}

async function moveInto(trash: string, absolute: string): Promise<boolean> {
  for (const name of names(absolute)) {
    const target = join(trash, name)
    if (await lstat(target).catch(() => null)) continue
    return rename(absolute, target).then(
      () => true,
      () => false,
    )
  }
  return false
}

async function gio(absolute: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return run('gio', ['trash', '--', absolute], { env, timeout: TIMEOUT_MS }).then(
    () => true,
    () => false,
  )
}

/** The path travels as an environment variable: no quoting can be got wrong. */
async function recycle(absolute: string): Promise<boolean> {
  const kind = (await lstat(absolute)).isDirectory() ? 'Directory' : 'File'
  const script = `Add-Type -AssemblyName Microsoft.VisualBasic; [Microsoft.VisualBasic.FileIO.FileSystem]::Delete${kind}($env:BELAY_TRASH, 'OnlyErrorDialogs', 'SendToRecycleBin')`
  const options = { env: { ...process.env, BELAY_TRASH: absolute }, timeout: TIMEOUT_MS, windowsHide: true }
  return run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], options).then(
    () => true,
    () => false,
  )
}

function* names(absolute: string): Generator<string> {
  const name = basename(absolute)
  yield name
  const ending = extname(name)
  for (let count = 2; count < 10_000; count++) yield `${name.slice(0, name.length - ending.length)}.${count}${ending}`
}
