/**
 * The form in which a profile is kept, as a number in a file of its own. Promise: a profile that a newer Belay made is refused
 * before anything of it is read or written. Loads next to nothing: every form asks it first.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { BelayError } from '#contract/error'
import type { Folders } from './folders.ts'

/** Raised by one, with a migration, whenever an older Belay could harm what this one writes. */
export const PROFILE_VERSION = 1

const MOST_BYTES = 10_000

export interface ProfileRecord {
  readonly version: number
  /** The Belay that brought the profile to this version. */
  readonly belay: string
  /** The folder of an upgrade whose files are not all in their places yet. */
  readonly upgrading?: string | undefined
}

/** Beside what must not be lost: it goes wherever that is copied. */
export const profileFile = (folders: Pick<Folders, 'data'>): string => join(folders.data, 'profile.json')

/** Null where there is none, or none that can be read. */
export function readProfile(folders: Pick<Folders, 'data'>): ProfileRecord | null {
  try {
    const file = profileFile(folders)
    const facts = statSync(file)
    if (!facts.isFile() || facts.size > MOST_BYTES) return null
    return profileRecordOf(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Throws for what is none. */
export function profileRecordOf(value: unknown): ProfileRecord {
  const { version, belay, upgrading } = value as Record<string, unknown>
  if (!Number.isSafeInteger(version) || (version as number) < 1) throw new TypeError('A profile has a version.')
  return {
    version: version as number,
    belay: typeof belay === 'string' ? belay.replace(/[^\w.+-]/g, '').slice(0, 40) : '',
    ...(typeof upgrading === 'string' && /^[\w-]{1,60}$/.test(upgrading) ? { upgrading } : {}),
  }
}

/** Throws in words. `belay`: the version of this program; `known`: what it understands. Reads one small file. */
export function refuseNewerProfile(folders: Pick<Folders, 'data'>, belay: string, known = PROFILE_VERSION): void {
  const made = readProfile(folders)
  if (!made || made.version <= known) return
  throw new BelayError(
    'unsupported',
    `Belay ${made.belay || 'of a later version'} keeps the profile in ${folders.data} in a newer form (${made.version}) than this Belay ${belay} understands (${known}). Nothing was started and nothing was touched. Start the newer Belay, or set BELAY_HOME to another folder.`,
  )
}
