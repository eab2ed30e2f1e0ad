/**
 * Keeps the mirrors of a workspace: its tree, one level at a time, and git's word on it. One request per folder at a time;
 * a later one makes the earlier one's answer stale. What is shown stays until its replacement has come whole.
 */
import { toFault } from '#contract/error'
import type { RootId, WorkspaceId } from '#contract/id'
import { parentPath, pathKey, type WirePath } from '#contract/path'
import type { Listing, PathChange, WorkspaceInfo } from '#contract/workspace'
import { gitStore, marksOf } from '../state/mirror/git-store.ts'
import {
  applyChanges,
  emptyTree,
  entriesOf,
  listingBegan,
  listingCame,
  listingFailed,
  type Tree,
  type TreeEntry,
  unlisted,
  withCollapsed,
  withExpanded,
} from '../state/mirror/tree-model.ts'
import { treeStore } from '../state/mirror/tree-store.ts'
import { settleDocuments } from './document-pump.ts'
import { belay, follow } from './index.ts'

const AGAIN_MS = 2000
let tokens = 0
let queued: PathChange[] = []
let frame: number | null = null
/** Answers of listings by folder, for those who wait for one. */
const waiting = new Map<string, Promise<void>>()

const change = (edit: (tree: Tree) => Tree): void => {
  const { tree } = treeStore.getState()
  const next = edit(tree)
  if (next !== tree) treeStore.setState({ tree: next })
}

/** Follows a workspace until the returned function is called. `expanded`: what was open when the person was here last. */
export function followWorkspace(info: WorkspaceInfo, expanded: readonly WirePath[]): () => void {
  const { workspaceId, roots } = info
  const start = [...roots.map((root): WirePath => ({ rootId: root.rootId, path: '' })), ...expanded]
  treeStore.setState({ workspaceId, tree: start.reduce(withExpanded, emptyTree) })
  let again: ReturnType<typeof setTimeout> | undefined
  let seqs = new Map<RootId, number>()
  const tree = follow({
    async open(signal) {
      const at = await belay.workspace.changesAt({ workspaceId }, { signal })
      await Promise.all(
        roots.map(({ rootId }) => belay.workspace.stat({ workspaceId, path: { rootId, path: '' } }, { signal })),
      )
      return at
    },
    onSnapshot: at => {
      seqs = new Map(at.roots.map(({ rootId, seq }) => [rootId, seq]))
      for (const key of treeStore.getState().tree.branches.keys()) markForListing(key)
      listUnlisted()
    },
    onFailed: (fault, retrying) => {
      if (retrying) return
      for (const root of roots) failRoot({ rootId: root.rootId, path: '' }, fault.message)
      // A core that was started anew opens the folder in a moment; a folder that is gone may come back.
      again = setTimeout(() => {
        tree.reopen()
        git.reopen()
      }, AGAIN_MS)
    },
    events: {
      'workspace/changed': ({ workspaceId: of, rootId, seq, changes }) => {
        if (of !== workspaceId) return
        const before = seqs.get(rootId) ?? 0
        if (seq <= before) return
        if (seq > before + 1) return 'reopen'
        seqs.set(rootId, seq)
        queue(changes)
      },
    },
  })
  const git = follow({
    open: signal => Promise.all(roots.map(root => belay.git.status({ workspaceId, rootId: root.rootId }, { signal }))),
    onSnapshot: statuses =>
      gitStore.setState({
        statuses: Object.fromEntries(statuses.map(status => [status.rootId, status])),
        marks: marksOf(statuses),
      }),
    events: {
      'git/changed': status => {
        const { statuses } = gitStore.getState()
        if (!roots.some(root => root.rootId === status.rootId)) return
        const next = { ...statuses, [status.rootId]: status }
        gitStore.setState({ statuses: next, marks: marksOf(Object.values(next)) })
      },
    },
  })
  return () => {
    clearTimeout(again)
    tree.dispose()
    git.dispose()
    queued = []
    waiting.clear()
    treeStore.setState({ workspaceId: null, tree: emptyTree })
    gitStore.setState({ statuses: {}, marks: new Map() })
  }
}

/** Many batches within one frame are one change of the page. */
function queue(changes: readonly PathChange[]): void {
  queued.push(...changes)
  if (frame === null)
    frame = requestAnimationFrame(() => {
      frame = null
      applyQueued()
    })
  // A hidden window has no frames; its queue must not grow for ever.
  if (document.visibilityState === 'hidden' || queued.length > 5000) applyQueued()
}

function applyQueued(): void {
  const changes = queued
  queued = []
  if (changes.length === 0) return
  const { tree, relist } = applyChanges(treeStore.getState().tree, changes)
  if (tree !== treeStore.getState().tree) treeStore.setState({ tree })
  for (const path of relist) void list(path)
  // A folder that was open before it came (made by a person, restored) is shown now.
  listUnlisted()
}

/** After a break everything known may be old: shown folders list again now, the others when they are opened. */
function markForListing(key: string): void {
  change(tree => {
    const branch = tree.branches.get(key)
    if (!branch) return tree
    const branches = new Map(tree.branches).set(key, { ...branch, listing: null, fault: null })
    return { ...tree, branches, dirty: new Set(tree.dirty).add(key) }
  })
}

function failRoot(path: WirePath, message: string): void {
  tokens += 1
  const token = tokens
  change(tree => listingFailed(listingBegan(tree, path, token), path, token, message))
}

const listPage = (workspaceId: WorkspaceId, path: WirePath, page: number, signal?: AbortSignal): Promise<Listing> =>
  belay.workspace.list({ workspaceId, path, page }, { signal })

function listUnlisted(): void {
  for (const path of unlisted(treeStore.getState().tree)) void list(path)
}

/** Resolves when the folder is listed or has failed; the mirror then says which. */
function list(path: WirePath): Promise<void> {
  tokens += 1
  const token = tokens
  const key = pathKey(path)
  change(tree => listingBegan(tree, path, token))
  const work = readPages(path, token).finally(() => {
    if (waiting.get(key) === work) waiting.delete(key)
  })
  waiting.set(key, work)
  return work
}

async function readPages(path: WirePath, token: number): Promise<void> {
  const { workspaceId } = treeStore.getState()
  if (!workspaceId) return
  const isCurrent = () => treeStore.getState().tree.branches.get(pathKey(path))?.listing?.token === token
  let entries: TreeEntry[] = []
  try {
    for (let page: number | null = 0; page !== null; ) {
      const listing: Listing = await listPage(workspaceId, path, page, AbortSignal.timeout(30_000))
      if (!isCurrent()) return
      entries = page === 0 ? entriesOf(listing) : [...entries, ...entriesOf(listing)]
      page = listing.nextPage
      const done = page === null
      change(tree => listingCame(tree, path, token, entries, done))
    }
    listUnlisted()
  } catch (thrown) {
    change(tree => listingFailed(tree, path, token, toFault(thrown).message))
  }
}

/** Opens a folder; resolves when its content is there (or could not be had). */
export async function expandFolder(path: WirePath): Promise<void> {
  change(tree => withExpanded(tree, path))
  const key = pathKey(path)
  if (treeStore.getState().tree.branches.get(key)?.fault != null) await list(path)
  listUnlisted()
  await waiting.get(key)
}

export const collapseFolder = (path: WirePath): void => change(tree => withCollapsed(tree, path))

/** Closes all but the roots. */
export const collapseAll = (): void =>
  change(tree => ({ ...tree, expanded: new Set([...tree.expanded].filter(key => key.endsWith('\0'))) }))

/** Asks again for everything that is shown. */
export async function refreshTree(): Promise<void> {
  for (const key of treeStore.getState().tree.branches.keys()) markForListing(key)
  listUnlisted()
  await Promise.all(waiting.values())
}

/** Opens whatever is above a path. Resolves when its row is there, if it exists. */
export async function revealPath(path: WirePath): Promise<void> {
  const above: WirePath[] = []
  for (let at = path.path; at !== ''; ) {
    at = parentPath(at)
    above.unshift({ rootId: path.rootId, path: at })
  }
  for (const each of above) await expandFolder(each)
}

type Undoable = { undoId: string }
const open = (): WorkspaceId => {
  const { workspaceId } = treeStore.getState()
  if (!workspaceId) throw new Error('No folder is open.')
  return workspaceId
}

/** What a person does to files. Each rejects with words and answers what `undoFiles` takes; the tree follows by itself. */
export const createFile = async (path: WirePath): Promise<Undoable> =>
  belay.workspace.createFile({ workspaceId: open(), path })
export const createFolder = async (path: WirePath): Promise<Undoable> =>
  belay.workspace.createFolder({ workspaceId: open(), path })
/** Unsaved text goes along and stays unsaved; what was typed and not yet sent goes first. */
export async function moveFiles(moves: { from: WirePath; to: WirePath }[]): Promise<Undoable> {
  await settleDocuments()
  return belay.workspace.move({ workspaceId: open(), moves })
}
export const copyFiles = async (copies: { from: WirePath; to: WirePath }[]): Promise<Undoable> =>
  belay.workspace.copy({ workspaceId: open(), copies })
export const removeFiles = async (paths: WirePath[]): Promise<Undoable> =>
  belay.workspace.remove({ workspaceId: open(), paths })
export const undoFiles = async (undoId: string): Promise<{ redoId: string | null }> =>
  belay.workspace.undo({ workspaceId: open(), undoId })
