/** Keeps the mirrors of a workspace: its tree (tree-keeper.ts) and git's word on it. */
import type { RootId } from '#contract/id'
import type { WirePath } from '#contract/path'
import type { WorkspaceInfo } from '#contract/workspace'
import { gitStore, marksOf } from '../state/mirror/git-store.ts'
import { emptyTree, withExpanded } from '../state/mirror/tree-model.ts'
import { treeStore } from '../state/mirror/tree-store.ts'
import { belay, follow } from './index.ts'
import { createTreeKeeper, type TreeKeeper } from './tree-keeper.ts'

const AGAIN_MS = 2000
/** Asks git again; null while no folder is followed. */
let askGit: (() => void) | null = null

/** The roots of the workspace that is followed; none otherwise. */
let roots: readonly RootId[] = []
let keeper: TreeKeeper = keeperFor(null)

function keeperFor(workspaceId: WorkspaceInfo['workspaceId'] | null): TreeKeeper {
  return createTreeKeeper({
    list: (path, page, signal) =>
      workspaceId
        ? belay.workspace.list({ workspaceId, path, page }, { signal })
        : Promise.reject(new Error('No folder is open.')),
    read: () => treeStore.getState().tree,
    write: tree => treeStore.setState({ tree }),
    soon(run) {
      // A hidden window has no frames.
      if (document.visibilityState === 'hidden') {
        const timer = setTimeout(run)
        return () => clearTimeout(timer)
      }
      const frame = requestAnimationFrame(run)
      return () => cancelAnimationFrame(frame)
    },
  })
}

/** What was open when the person was here last. */
export interface Opened {
  readonly expanded: readonly WirePath[]
  readonly closedRoots: readonly RootId[]
}

/** Follows a workspace until the returned function is called. */
export function followWorkspace(info: WorkspaceInfo, { expanded, closedRoots }: Opened): () => void {
  const { workspaceId } = info
  roots = info.roots.map(({ rootId }) => rootId)
  const open = roots.filter(rootId => !closedRoots.includes(rootId))
  const start = [...open.map((rootId): WirePath => ({ rootId, path: '' })), ...expanded]
  treeStore.setState({ workspaceId, tree: start.reduce(withExpanded, emptyTree) })
  const mine = keeperFor(workspaceId)
  keeper = mine
  let again: ReturnType<typeof setTimeout> | undefined
  let seqs = new Map<RootId, number>()
  const tree = follow({
    open: signal => belay.workspace.changesAt({ workspaceId }, { signal }),
    onSnapshot: at => {
      seqs = new Map(at.roots.map(({ rootId, seq }) => [rootId, seq]))
      void mine.reconcile(roots)
    },
    onFailed: (fault, retrying) => {
      if (retrying) return
      for (const rootId of roots) mine.fail(rootId, fault.message)
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
        seqs.set(rootId, seq)
        mine.changed(changes)
        if (seq > before + 1) void mine.reconcile([rootId])
      },
    },
  })
  const git = follow({
    open: signal => Promise.all(roots.map(rootId => belay.git.status({ workspaceId, rootId }, { signal }))),
    onSnapshot: statuses =>
      gitStore.setState({
        statuses: Object.fromEntries(statuses.map(status => [status.rootId, status])),
        marks: marksOf(statuses),
      }),
    events: {
      'git/changed': status => {
        const { statuses } = gitStore.getState()
        if (!roots.includes(status.rootId)) return
        const next = { ...statuses, [status.rootId]: status }
        gitStore.setState({ statuses: next, marks: marksOf(Object.values(next)) })
      },
    },
  })
  askGit = git.reopen
  return () => {
    askGit = null
    clearTimeout(again)
    tree.dispose()
    git.dispose()
    mine.dispose()
    roots = []
    treeStore.setState({ workspaceId: null, tree: emptyTree })
    gitStore.setState({ statuses: {}, marks: new Map() })
  }
}

/** The workspace that is followed has these roots now. */
export function rootsChanged(now: readonly RootId[]): void {
  if (now.length === roots.length && now.every((rootId, at) => rootId === roots[at])) return
  roots = now
  keeper.setRoots(now)
  askGit?.()
}

/** Opens a folder; resolves when its content is there (or could not be had). */
export const expandFolder = (path: WirePath): Promise<void> => keeper.expand(path)
export const collapseFolder = (path: WirePath): void => keeper.collapse(path)
/** Closes all but the roots. */
export const collapseAll = (): void => keeper.collapseAll()
/** Asks again for everything that is shown. */
export const refreshTree = (): Promise<void> => keeper.reconcile(roots)

/** Asks git again for the state of every root. */
export const refreshGit = (): void => askGit?.()

/** Opens whatever is above a path. Resolves when its row is there, if it exists. */
export const revealPath = (path: WirePath): Promise<void> => keeper.reveal(path)
