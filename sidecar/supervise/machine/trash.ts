/**
 * Moves a file or folder to the platform's trash and says where it lies, so that it can be taken out again. Promise: what is not
 * in the trash is where it was. Windows' bin does not tell where a thing lies in it: there nothing is moved.
 */
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, extname, isAbsolute, join, relative } from 'node:path'
import { BelayError } from '#contract/error'

/** Throws `not_found` and `invalid`. Null: this platform has no trash for that place; nothing was touched. */
export async function moveToTrash(absolute: string, env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  if (!isAbsolute(absolute)) throw new BelayError('invalid', `Only a full path can go to the trash, not ${absolute}.`)
  const facts = await lstat(absolute).catch(() => null)
  if (!facts) throw new BelayError('not_found', `${absolute} does not exist any more.`)
  const home = env.HOME || homedir()
  if (process.platform === 'win32') return null
  if (process.platform === 'darwin') return moveInto(join(home, '.Trash'), absolute)
  const own = join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'Trash')
  if ((await deviceOf(home)) === facts.dev) return freedesktop(own, absolute, absolute)
  return onItsDisk(absolute, facts.dev)
}

const deviceOf = (absolute: string): Promise<number | null> =>
  lstat(absolute).then(
    facts => facts.dev,
    () => null,
  )

/** A disk other than the one with the home has a trash of its own at its top, with paths from there. */
async function onItsDisk(absolute: string, dev: number): Promise<string | null> {
  let top = dirname(absolute)
  for (let above = dirname(top); above !== top; above = dirname(top)) {
    if ((await deviceOf(above)) !== dev) break
    top = above
  }
  const trash = join(top, `.Trash-${process.getuid?.() ?? 0}`)
  if (
    await lstat(trash).then(
      facts => !facts.isDirectory(),
      () => false,
    )
  )
    return null
  return freedesktop(trash, absolute, relative(top, absolute))
}

/** https://specifications.freedesktop.org/trash-spec: the note is made first and exclusively, which also claims the name. */
async function freedesktop(trash: string, absolute: string, named: string): Promise<string | null> {
  await mkdir(join(trash, 'files'), { recursive: true, mode: 0o700 }).catch(() => {})
  await mkdir(join(trash, 'info'), { recursive: true, mode: 0o700 }).catch(() => {})
  const when = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
  const path = named.split('/').map(encodeURIComponent).join('/')
  for (const name of names(absolute)) {
    const note = join(trash, 'info', `${name}.trashinfo`)
    try {
      const handle = await open(note, 'wx', 0o600)
      await handle.writeFile(`[Trash Info]\nPath=${path}\nDeletionDate=${when}\n`).finally(() => handle.close())
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code === 'EEXIST') continue
      return null
    }
    const place = join(trash, 'files', name)
    try {
      await rename(absolute, place)
      return place
    } catch {
      // Another device, or not ours to move.
      await rm(note, { force: true })
      return null
    }
  }
  return null
}

async function moveInto(trash: string, absolute: string): Promise<string | null> {
  for (const name of names(absolute)) {
    const target = join(trash, name)
    if (await lstat(target).catch(() => null)) continue
    return rename(absolute, target).then(
      () => target,
      () => null,
    )
  }
  return null
}

function* names(absolute: string): Generator<string> {
  const name = basename(absolute)
  yield name
  const ending = extname(name)
  for (let count = 2; count < 10_000; count++) yield `${name.slice(0, name.length - ending.length)}.${count}${ending}`
}
