/** A profile is opened before anything of it is used: a newer one is refused, an older one is brought up to date, a new one is stamped. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { BelayError } from '#contract/error'
import { readJson, removeUnfinished, writeFileAtomic } from '../../base/atomic-file.ts'
import type { Folders } from '../../base/folders.ts'
import { awaitLock, type Lock } from '../../base/lock-file.ts'
import { makeFolder } from '../../base/make-folder.ts'
import {
  PROFILE_VERSION,
  type ProfileRecord,
  profileFile,
  profileRecordOf,
  readProfile,
  refuseNewerProfile,
} from '../../base/profile.ts'
import { inWordsOf, livingInstances } from '../instance.ts'
import { finish, type Migration, stage } from './upgrade.ts'

/** One for each version above the first, in their order. */
const migrations: readonly Migration[] = []
const LOCK_TIMEOUT_MS = 30_000

/**
 * Throws in words: `unsupported` for a newer profile (nothing was touched), `busy` while a Belay runs on one that has to be
 * brought up to date, and where the profile cannot be written. `known` and `through` are other than usual in tests alone.
 */
export async function openProfile(
  folders: Folders,
  belay: string,
  { known = PROFILE_VERSION, through = migrations }: { known?: number; through?: readonly Migration[] } = {},
): Promise<void> {
  refuseNewerProfile(folders, belay, known)
  if (isCurrent(readProfile(folders), known)) return
  try {
    for (const each of [folders.data, folders.state, folders.config]) makeFolder(each)
    const lock = await lockFor(folders)
    try {
      // Whoever held the lock may have done it all, or be of a later version.
      refuseNewerProfile(folders, belay, known)
      await bringUpToDate(folders, belay, known, through)
    } finally {
      await lock.release()
    }
  } catch (fault) {
    throw inWordsOf(fault, folders.data)
  }
}

const isCurrent = (made: ProfileRecord | null, known: number) => made?.version === known && !made.upgrading

async function bringUpToDate(
  folders: Folders,
  belay: string,
  known: number,
  through: readonly Migration[],
): Promise<void> {
  const write = async (record: ProfileRecord) => {
    await removeUnfinished(profileFile(folders))
    await writeFileAtomic(profileFile(folders), `${JSON.stringify(record, null, 2)}\n`)
  }
  // Before there was a version every profile was of the first. One that cannot be read was written by a Belay that had versions.
  const unversioned = !existsSync(profileFile(folders)) && (await isUsed(folders))
  let made = await readJson(profileFile(folders), profileRecordOf, null)
  made ??= { version: unversioned ? 1 : known, belay }
  if (!isCurrent(made, known)) await refuseWhileInUse(folders)
  for (;;) {
    if (made.upgrading) {
      await finish(folders, made.upgrading)
      made = { version: made.version, belay: made.belay }
      await write(made)
    }
    if (made.version >= known) break
    const next: number = made.version + 1
    const migration = through.find(({ to }) => to === next)
    if (!migration) throw new BelayError('internal', `This Belay has no way from version ${made.version} of a profile.`)
    // From this write on an older Belay refuses the profile, and any newer one finishes what is staged.
    made = { version: next, belay, upgrading: await stage(folders, migration) }
    await write(made)
  }
  await write(made)
}

async function isUsed(folders: Folders): Promise<boolean> {
  const names = await Promise.all([folders.config, folders.data].map(each => readdir(each).catch(() => [])))
  return names.flat().some(name => !name.startsWith('profile.'))
}

async function refuseWhileInUse(folders: Folders): Promise<void> {
  const [other] = await livingInstances(folders.state)
  if (!other) return
  throw new BelayError(
    'busy',
    `This profile has to be brought up to date first, and Belay ${other.version} (process ${other.pid}) works on it. Nothing was touched; end that one, then start again.`,
  )
}

async function lockFor(folders: Folders): Promise<Lock> {
  const owner = { instanceId: 'profile', what: 'opening the profile' }
  const lock = await awaitLock(join(folders.data, 'profile.lock'), owner, LOCK_TIMEOUT_MS)
  if ('release' in lock) return lock
  throw new BelayError(
    'busy',
    `Belay (process ${lock.heldBy.pid}) is bringing this profile up to date and does not come to an end. Nothing was started; try again.`,
  )
}
