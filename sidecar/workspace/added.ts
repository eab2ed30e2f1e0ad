/** Which folders a workspace may be given, and what taking one away must not lose. Decides; keeps nothing. */
import { stat } from 'node:fs/promises'
import { basename, parse } from 'node:path'
import { BelayError } from '#contract/error'
import type { RootId } from '#contract/id'
import type { Mount, Root, RootKind, WorkspaceInfo } from '#contract/workspace'
import { shown } from './fault.ts'
import { type AddedFolder, openRoot } from './roots.ts'
import type { Workspace } from './workspace.ts'

const MOST_FOLDERS = 50

interface Folders {
  readonly roots: readonly Root[]
  readonly mounts: readonly Mount[]
}

/** Real paths of all folders of a workspace, those of its mounts among them. */
export const foldersIn = ({ roots, mounts }: Folders): string[] => [...roots, ...mounts].map(({ absolute }) => absolute)

/** Those that are there: trusting a workspace means trusting each. What nobody has seen cannot be trusted. */
export const presentIn = ({ roots, mounts }: Folders): string[] =>
  [...roots, ...mounts].flatMap(({ absolute, missing }) => (missing ? [] : [absolute]))

export interface Wanted {
  folder: string
  kind: RootKind
  alias: string | null
  readOnly: boolean
}

/** As it is to be remembered. Throws words: not there, a folder twice, an alias twice, none where one is needed. */
export async function addedTo(info: Folders, { folder, kind, alias, readOnly }: Wanted): Promise<AddedFolder> {
  const { absolute } = await openRoot(folder)
  if (parse(absolute).root === absolute)
    throw new BelayError('invalid', 'A whole disk is too much to add. Choose a folder in it; nothing was added.')
  const name = aliasOf(alias ?? (kind === 'files' ? null : basename(absolute)))
  const there = [...info.roots, ...info.mounts]
  if (there.length >= MOST_FOLDERS)
    throw new BelayError('invalid', `This workspace has ${MOST_FOLDERS} folders, which is the most. Remove one first.`)
  for (const each of there)
    if (each.absolute === absolute || (await isSameFolder(each.absolute, absolute)))
      throw new BelayError('already_exists', `${shown(folder)} is in this workspace already. Nothing was added.`)
  const names = [...info.roots.map(root => root.name), ...info.mounts.map(mount => `@${mount.alias}`)]
  if (name !== null && names.some(each => each.toLowerCase() === `@${name}`.toLowerCase()))
    throw new BelayError(
      'already_exists',
      `Something in this workspace is called @${name} already. Choose another name; nothing was added.`,
    )
  return { folder: absolute, kind, alias: name, readOnly }
}

function aliasOf(text: string | null): string | null {
  const alias = text?.trim().replace(/^@/, '') ?? ''
  if (alias === '') return null
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(alias))
    throw new BelayError(
      'invalid',
      `@${alias} cannot be a name: use letters, digits, “.”, “_” and “-”, and begin with a letter or digit. Nothing was added.`,
    )
  return alias
}

/** Two names of one folder, as on disks that hold “A” and “a” for the same. */
const isSameFolder = (a: string, b: string): Promise<boolean> =>
  Promise.all([stat(a), stat(b)]).then(
    ([one, other]) => one.dev === other.dev && one.ino === other.ino && one.ino !== 0,
    () => false,
  )

/** Without one. Throws `busy` while a text in it is unsaved: it could not be saved after. */
export async function removedFrom(
  { info, documents, paths }: Pick<Workspace, 'info' | 'documents' | 'paths'>,
  added: readonly AddedFolder[],
  rootId: RootId,
): Promise<AddedFolder[]> {
  const { absolute } = placeOf(info, rootId)
  const unsaved = await Promise.all(documents.dirtyPaths().map(path => paths.toAbsolute(path).catch(() => '')))
  const count = unsaved.filter(file => paths.toWire(file)?.rootId === rootId).length
  if (count > 0)
    throw new BelayError(
      'busy',
      `${count === 1 ? 'A file' : `${count} files`} in ${shown(basename(absolute))} ${count === 1 ? 'has' : 'have'} unsaved changes. Save or revert first; nothing was removed.`,
    )
  return added.filter(each => each.folder !== absolute)
}

export function readOnlySet(
  info: WorkspaceInfo,
  added: readonly AddedFolder[],
  { rootId, readOnly }: { rootId: RootId; readOnly: boolean },
): AddedFolder[] {
  const { absolute } = placeOf(info, rootId)
  return added.map(each => (each.folder === absolute ? { ...each, readOnly } : each))
}

/** Throws `invalid` for the folder that was opened: it is what the workspace is. */
function placeOf(info: WorkspaceInfo, rootId: RootId): { absolute: string } {
  if (info.roots[0]?.rootId === rootId)
    throw new BelayError('invalid', 'This is the folder the workspace was opened with. Close the workspace instead.')
  const found = [...info.roots, ...info.mounts].find(each => each.rootId === rootId)
  if (!found) throw new BelayError('not_found', 'That folder is not part of this workspace (any more).')
  return found
}
