/** A folder becomes a root: its real path, a name that stays the same after a restart, and whether it can be written. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, normalize, sep } from 'node:path'
import { BelayError } from '#contract/error'
import { RootId, WorkspaceId } from '#contract/id'
import type { Mount, Root, RootKind, WorkspaceInfo } from '#contract/workspace'
import { withHome } from '../base/with-home.ts'
import { explained, shown, systemCode } from './fault.ts'
import { missingWords } from './presence.ts'

const digest = (real: string) => createHash('sha256').update(real).digest('hex').slice(0, 20)
export const rootIdOf = (real: string): RootId => RootId.parse(`root_${digest(real)}`)
/** `home`: see homes.ts. */
export const workspaceIdOf = (home: string): WorkspaceId => WorkspaceId.parse(`wsp_${digest(home)}`)

/** Of the same folder at another place: what its workspace is known by stays (homes.ts). */
export const atHome = (root: Root, home: string): Root => ({ ...root, rootId: rootIdOf(home) })

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

/** What a person added to a workspace, as it is remembered. */
export interface AddedFolder {
  readonly folder: string
  readonly kind: RootKind
  readonly alias: string | null
  readonly readOnly: boolean
}

/** Throws where the folder that was opened is away. `so`: what did not happen. */
export function refuseAway({ roots: [root] }: WorkspaceInfo, so: string): void {
  if (root?.missing) throw new BelayError('not_found', `${root.absolute} is not there, so ${so}. ${root.missing}`)
}

/** Away or back. */
export function here(root: Root, missing: string | null): Root {
  const { missing: _, ...rest } = root
  return missing === null ? rest : { ...rest, missing }
}

/** All that a workspace is made of, after its first root. Never rejects: what is not there is marked as missing. */
export async function foldersOf(
  first: Root,
  added: readonly AddedFolder[],
): Promise<{ roots: Root[]; mounts: Mount[] }> {
  const roots = [first]
  const mounts: Mount[] = []
  const found = await Promise.all(added.map(async each => ({ each, ...(await openedOrMissing(each.folder)) })))
  for (const { each, root, missing } of found) {
    const { absolute } = root
    const rootId = freeRootId([...roots, ...mounts], absolute)
    const { kind, alias } = each
    const readOnly = root.readOnly || each.readOnly
    if (kind !== 'files') mounts.push({ rootId, kind, alias: alias ?? '', absolute, readOnly, missing })
    else {
      const name = alias === null ? nameBeside(roots, root) : `@${alias}`
      roots.push(here({ ...root, rootId, name, readOnly }, missing))
    }
  }
  return { roots, mounts }
}

/** A workspace that was found elsewhere keeps its root's id: a folder that stands in its old place has another. */
function freeRootId(taken: readonly { rootId: RootId }[], absolute: string): RootId {
  let key = absolute
  while (taken.some(({ rootId }) => rootId === rootIdOf(key))) key += `${sep}.`
  return rootIdOf(key)
}

async function openedOrMissing(folder: string): Promise<{ root: Root; missing: string | null }> {
  const root = await openRoot(folder).catch(fault => goneRoot(folder, fault))
  return { root, missing: root.missing ?? null }
}

/** A folder that is known and cannot be opened now. `fault`: what `openRoot` threw. */
export const goneRoot = (folder: string, fault: unknown): Root => ({
  rootId: rootIdOf(folder),
  absolute: folder,
  name: basename(folder) || folder,
  readOnly: false,
  missing: missingWords((fault as BelayError).cause ?? fault),
})

/** Its own name, with its parent's where another has the same. */
function nameBeside(roots: readonly Root[], { name, absolute }: Root): string {
  const taken = new Set(roots.map(root => root.name.toLowerCase()))
  const longer = `${name} (${basename(dirname(absolute)) || dirname(absolute)})`
  return [name, longer].find(each => !taken.has(each.toLowerCase())) ?? absolute
}
