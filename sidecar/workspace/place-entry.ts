/** Putting one entry (file, link or folder) somewhere else without ever overwriting and without ever descending a link. */
import { constants } from 'node:fs'
import { copyFile, cp, link, lstat, readdir, rename, rm, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { BelayError } from '#contract/error'
import { shown, systemCode } from './fault.ts'

const exists = (absolute: string) =>
  lstat(absolute).then(
    facts => facts,
    () => null,
  )

const taken = (to: string) =>
  new BelayError(
    'already_exists',
    `${shown(basename(to))} already exists there. Nothing was overwritten; choose another name.`,
  )

/** Throws `already_exists`. A rename that only changes the case of a name is let through where the disk holds both for one. */
export async function refuseTaken(to: string, from?: string): Promise<void> {
  const there = await exists(to)
  if (!there) return
  const here = from === undefined ? null : await exists(from)
  const same = here !== null && here.ino === there.ino && here.dev === there.dev
  const namedSo = (await readdir(dirname(to)).catch((): string[] => [])).includes(basename(to))
  if (!same || namedSo) throw taken(to)
}

/** Renames; over device borders copies first and removes after. Throws `already_exists` and what the disk says. */
export async function moveEntry(from: string, to: string): Promise<void> {
  await refuseTaken(to, from)
  const facts = await lstat(from)
  try {
    // A hard link fails where something is, a rename would replace it: closes the gap after the check above.
    if (facts.isFile() && facts.nlink === 1 && !(await exists(to))) return await relink(from, to)
    await rename(from, to)
  } catch (fault) {
    if (systemCode(fault) !== 'EXDEV') throw fault
    await copyEntry(from, to)
    await removeEntry(from)
  }
}

async function relink(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (fault) {
    const code = systemCode(fault)
    if (code === 'EEXIST') throw taken(to)
    if (code === 'EXDEV' || code === 'ENOENT') throw fault
    return await rename(from, to)
  }
  await unlink(from).catch(async fault => {
    await unlink(to)
    throw fault
  })
}

/** Keeps modes, times and links as links. What was half copied is taken away again. */
export async function copyEntry(from: string, to: string): Promise<void> {
  await refuseTaken(to)
  const facts = await lstat(from)
  try {
    if (facts.isFile()) return await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    await cp(from, to, {
      recursive: true,
      force: false,
      errorOnExist: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
    })
  } catch (fault) {
    if (systemCode(fault) === 'EEXIST') throw taken(to)
    await rm(to, { recursive: true, force: true }).catch(() => {})
    throw fault
  }
}

/** Unlinks links; never goes through one. */
export async function removeEntry(absolute: string): Promise<void> {
  const facts = await lstat(absolute)
  if (facts.isDirectory()) await rm(absolute, { recursive: true })
  else await unlink(absolute)
}

/** Whether something is still what it was: type, size and time, of a folder's whole content too (the first 20,000 entries). */
export async function fingerprint(absolute: string): Promise<string> {
  const marks: string[] = []
  const queue = [absolute]
  for (let at = 0; at < queue.length && at < 20_000; at++) {
    const here = queue[at] ?? absolute
    const facts = await exists(here)
    if (!facts) continue
    if (!facts.isDirectory()) marks.push(`${here.slice(absolute.length)}:${facts.size}:${facts.mtimeMs}`)
    else {
      marks.push(`${here.slice(absolute.length)}/`)
      for (const name of (await readdir(here).catch(() => [])).sort()) queue.push(join(here, name))
    }
  }
  return marks.join('\n')
}
