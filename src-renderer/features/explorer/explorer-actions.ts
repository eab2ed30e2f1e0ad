/** What the explorer does to files, each with its undo. Faults are shown by whoever runs the command. */
import { type AnyPath, baseName, joinPath, type Move, pathKey, samePath, type WirePath } from '#contract/path'
import { copyFiles, createFile, createFolder, moveFiles, removeFiles } from '../../client/file-operations.ts'
import { expandFolder, revealPath } from '../../client/workspace-pump.ts'
import { settingNow } from '../../state/mirror/settings.ts'
import { entryAt, isFolderKind, parentOf, useTree } from '../../state/mirror/tree.ts'
import { changeGroups } from '../../state/view/editor.ts'
import { allTabs, closeTab, renameTabs, textPathOf } from '../../state/view/editor-tabs.ts'
import { changeLayout } from '../../state/view/layout.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { t } from '../../ui/i18n.ts'
import { follow, placeAfter, whatFollows } from './explorer-follow.ts'
import { topmost } from './explorer-rows.ts'
import { chosen, explorerState, selectOnly } from './explorer-state.ts'
import { done, operate } from './explorer-undo.ts'
import { freeName, shownName } from './names.ts'

export const treeNow = () => useTree.getState().tree

/** The folder a new thing goes into: the focused one, or the one that holds the focused file. */
export function targetFolder(): WirePath | null {
  const { focus } = explorerState.getState()
  if (focus && isFolder(focus)) return focus
  if (focus) return parentOf(focus)
  const root = workspaceView.getState().workspace?.roots[0]
  return root ? { rootId: root.rootId, path: '' } : null
}

export const isFolder = (path: WirePath): boolean =>
  path.path === '' || isFolderKind(entryAt(treeNow(), path)?.kind ?? 'other')

export const isTaken = (parent: WirePath, name: string): boolean =>
  entryAt(treeNow(), { rootId: parent.rootId, path: joinPath(parent.path, name) }) !== null

export function showExplorer(): void {
  changeLayout({ side: true, sidePane: 'explorer' })
}
/** After the page has been drawn. */
export function focusTree(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-explorer-tree]')?.focus())
}

export async function startCreate(folder: boolean, into = targetFolder()): Promise<void> {
  if (!into) return
  showExplorer()
  await revealPath(into)
  await expandFolder(into)
  explorerState.setState({ draft: { parent: into, folder }, renaming: null })
}

export function startRename(path = explorerState.getState().focus): void {
  if (!path || path.path === '') return
  showExplorer()
  explorerState.setState({ renaming: path, draft: null })
}

/** The keyboard goes back to the tree, unless the person has taken it elsewhere while the disk was asked. */
export function stopNaming(): void {
  const at = document.activeElement
  const here = !at || at === document.body || at.closest('[data-explorer-tree]') !== null
  explorerState.setState({ draft: null, renaming: null })
  if (here) focusTree()
}

/** `name` may hold `/`: folders on the way are made. Answers the path, for opening it. */
export async function finishCreate(parent: WirePath, name: string, folder: boolean): Promise<WirePath> {
  const path = { rootId: parent.rootId, path: joinPath(parent.path, name) }
  const { undoId } = await operate(folder ? createFolder(path) : createFile(path))
  done(undoId, t(folder ? 'explorer.createdFolder' : 'explorer.createdFile', { name: shownName(name) }))
  stopNaming()
  await revealPath(path)
  selectOnly(path)
  return path
}

export async function finishRename(path: WirePath, name: string): Promise<void> {
  stopNaming()
  const to = { rootId: path.rootId, path: joinPath(parentOf(path).path, name) }
  if (!samePath(path, to)) await move([{ from: path, to }])
}

/** Moves, and the tabs with them, and what names the things that were moved. */
async function move(moves: readonly Move[]): Promise<void> {
  const texts = await whatFollows(moves)
  if (!texts) return
  const { undoId } = await operate(moveFiles([...moves]))
  followTabs(moves)
  const followed = await operate(follow(moves, texts))
  const [first] = moves
  if (!first) return
  const renamed = moves.length === 1 && samePath(parentOf(first.from), parentOf(first.to))
  const name = shownName(baseName(first.to.path))
  const said = renamed
    ? t('explorer.renamed', { name })
    : t('explorer.moved', { count: moves.length, name, folder: folderName(parentOf(first.to)) })
  done(undoId, followed?.undoId ? t('explorer.follow.done', { said, count: followed.files }) : said, {
    following: followed?.undoId ?? null,
    andThen: undone => followTabs(undone ? moves.map(({ from, to }) => ({ from: to, to: from })) : moves),
  })
  await revealPath(first.to)
  selectOnly(first.to)
}

/** A tab that stood for something gone at the new place makes room. */
function followTabs(moves: readonly Move[]): void {
  const moved = (path: AnyPath): WirePath | null => ('uri' in path ? null : placeAfter(moves, path))
  changeGroups(all => {
    const taken = new Set(
      allTabs(all)
        .flatMap(tab => (tab.path && moved(tab.path)) ?? [])
        .map(pathKey),
    )
    const stale = all.groups.flatMap(group =>
      group.tabs
        .filter(tab => {
          const path = textPathOf(tab)
          return path !== null && taken.has(pathKey(path))
        })
        .map(tab => [group.id, tab.id] as const),
    )
    return renameTabs(
      stale.reduce((now, [groupId, tabId]) => closeTab(now, groupId, tabId), all),
      moved,
    )
  })
}

/** By drag or paste. What is there already keeps its place; nothing is overwritten. */
export async function moveInto(paths: readonly WirePath[], folder: WirePath): Promise<void> {
  const moves = topmost(paths)
    .filter(path => path.path !== '' && !samePath(parentOf(path), folder) && !samePath(path, folder))
    .map(from => ({ from, to: { rootId: folder.rootId, path: joinPath(folder.path, baseName(from.path)) } }))
  if (moves.length > 0) await move(moves)
}

export async function copyInto(paths: readonly WirePath[], folder: WirePath): Promise<void> {
  await expandFolder(folder)
  const given = new Set<string>()
  const copies = topmost(paths)
    .filter(path => path.path !== '')
    .map(from => {
      const name = freeName(baseName(from.path), wanted => given.has(wanted) || isTaken(folder, wanted))
      given.add(name)
      return { from, to: { rootId: folder.rootId, path: joinPath(folder.path, name) } }
    })
  const [first] = copies
  if (!first) return
  const { undoId } = await operate(copyFiles(copies))
  done(undoId, t('explorer.copied', { count: copies.length, name: shownName(baseName(first.to.path)) }))
  await revealPath(first.to)
  selectOnly(first.to)
}

/** Each beside itself, under a name that is free. */
export async function duplicate(paths = chosen()): Promise<void> {
  const byFolder = new Map<string, WirePath[]>()
  for (const path of topmost(paths)) {
    const key = pathKey(parentOf(path))
    if (path.path !== '') byFolder.set(key, [...(byFolder.get(key) ?? []), path])
  }
  for (const some of byFolder.values()) if (some[0]) await copyInto(some, parentOf(some[0]))
}

export function toClipboard(cut: boolean): void {
  const paths = topmost(chosen()).filter(path => path.path !== '')
  if (paths.length > 0) explorerState.setState({ clipboard: { paths, cut } })
}

export async function paste(into = targetFolder()): Promise<void> {
  const { clipboard } = explorerState.getState()
  if (!clipboard || !into) return
  if (!clipboard.cut) return copyInto(clipboard.paths, into)
  await moveInto(clipboard.paths, into)
  explorerState.setState({ clipboard: null })
}

/** Asks first where the person wants to be asked. */
export async function startDelete(): Promise<void> {
  const paths = topmost(chosen()).filter(path => path.path !== '')
  if (paths.length === 0) return
  if (settingNow('files.confirmDelete')) explorerState.setState({ deleting: paths })
  else await finishDelete(paths)
}

export async function finishDelete(paths: readonly WirePath[]): Promise<void> {
  const next = neighbourAfter(paths)
  const { undoId, trash } = await operate(removeFiles([...paths]))
  const said = trash === 'system' ? 'explorer.trashed' : 'explorer.deleted'
  done(undoId, t(said, { count: paths.length, name: shownName(baseName(paths[0]?.path ?? '')) }))
  if (next) selectOnly(next)
}

/** Where the focus goes when these are gone: the next one that stays in the same folder, else the folder. */
function neighbourAfter(paths: readonly WirePath[]): WirePath | null {
  const last = paths.at(-1)
  if (!last) return null
  const parent = parentOf(last)
  const gone = new Set(paths.map(pathKey))
  const all = (treeNow().branches.get(pathKey(parent))?.entries ?? []).map(entry => ({
    rootId: parent.rootId,
    path: joinPath(parent.path, entry.name),
  }))
  const at = all.findIndex(path => samePath(path, last))
  const stays = (path: WirePath) => !gone.has(pathKey(path))
  return all.slice(at + 1).find(stays) ?? all.slice(0, Math.max(0, at)).findLast(stays) ?? parent
}

const folderName = (folder: WirePath): string =>
  folder.path === ''
    ? (workspaceView.getState().workspace?.roots.find(root => root.rootId === folder.rootId)?.name ?? '')
    : shownName(baseName(folder.path))
