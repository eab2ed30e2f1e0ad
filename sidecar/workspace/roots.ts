/** A folder becomes a root: its real path, a name that stays the same after a restart, and whether it can be written. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, isAbsolute, normalize, sep } from 'node:path'
import { BelayError } from '#contract/error'
import { RootId, WorkspaceId } from '#contract/id'
import type { Root } from '#contract/workspace'
import { explained, shown, systemCode } from './fault.ts'

const digest = (real: string) => createHash('sha256').update(real).digest('hex').slice(0, 20)
export const rootIdOf = (real: string): RootId => RootId.parse(`root_${digest(real)}`)
export const workspaceIdOf = (real: string): WorkspaceId => WorkspaceId.parse(`wsp_${digest(real)}`)

/** `~` and `~/x` as the person's own folder. Everything else is left alone. */
export const withHome = (typed: string): string =>
  typed === '~' || typed.startsWith('~/') || (sep === '\\' && typed.startsWith('~\\'))
    ? homedir() + typed.slice(1)
    : typed

/** Throws a fault with words where there is no such folder, it is a file, or it may not be read. */
export async function openRoot(folder: string): Promise<Root> {
  const typed = withHome(folder)
  if (typed.includes('\0')) throw new BelayError('invalid', 'A path cannot contain a NUL character.')
  if (!isAbsolute(typed))
    throw new BelayError(
      'invalid',
      `${shown(folder)} is not an absolute path. Type the whole path, or start it with ~/.`,
    )
  const real = await realpath(normalize(typed)).catch(fault => {
    if (systemCode(fault) === 'ENOENT')
      throw new BelayError(
        'not_found',
        `There is no folder ${shown(folder)}. Nothing was opened; check the spelling or choose another folder.`,
      )
    throw explained(fault, `Could not open ${shown(folder)}`)
  })
  const facts = await stat(real).catch(fault => {
    throw explained(fault, `Could not open ${shown(folder)}`)
  })
  if (!facts.isDirectory())
    throw new BelayError('not_a_folder', `${shown(folder)} is a file, not a folder. Open the folder that holds it.`)
  await access(real, constants.R_OK | constants.X_OK).catch(fault => {
    throw explained(fault, `Could not open ${shown(folder)}`)
  })
  const writable = await access(real, constants.W_OK).then(
    () => true,
    () => false,
  )
  return { rootId: rootIdOf(real), absolute: real, name: basename(real) || real, readOnly: !writable }
}
