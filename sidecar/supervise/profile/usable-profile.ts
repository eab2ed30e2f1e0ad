/** For a program that writes into a profile by itself as it starts (Electron): whether it may, asked before it is let at it. */
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Folders } from '../../base/folders.ts'
import { makeFolder } from '../../base/make-folder.ts'
import { refuseNewerProfile } from '../../base/profile.ts'
import { inWordsOf } from '../instance.ts'

/** Throws in words. A profile of a newer Belay is not touched; any other has its folder for state afterwards. */
export function refuseUnusableProfile(folders: Folders, belay: string): void {
  refuseNewerProfile(folders, belay)
  const probe = join(folders.state, `.probe-${randomBytes(6).toString('hex')}`)
  try {
    makeFolder(folders.state)
    // Rights say little: a disk may be full, or mounted for reading alone.
    try {
      writeFileSync(probe, 'x', { mode: 0o600, flag: 'wx' })
    } finally {
      rmSync(probe, { force: true })
    }
  } catch (fault) {
    throw inWordsOf(fault, folders.state)
  }
}
