/** Which workspace this window shows. Set by app alone (open, trust, close); everybody else reads. */
import { create } from 'zustand'
import type { RootId } from '#contract/id'
import type { AnyPath } from '#contract/path'
import type { WorkspaceInfo } from '#contract/workspace'

export interface WorkspaceView {
  /** Null: the welcome page. */
  readonly workspace: WorkspaceInfo | null
  /** The folder being opened; '' while it is not known yet whether there is one; null when none is. */
  readonly opening: string | null
}

export const workspaceView = create<WorkspaceView>(() => ({ workspace: null, opening: '' }))
export const useWorkspace = (): WorkspaceInfo | null => workspaceView(state => state.workspace)
export const useOpening = (): string | null => workspaceView(state => state.opening)

/** What a root is called where there are several to tell apart; null where there is one. */
export const rootNameIn = (workspace: WorkspaceInfo | null, rootId: RootId): string | null =>
  workspace && workspace.roots.length > 1 ? (workspace.roots.find(root => root.rootId === rootId)?.name ?? null) : null
export const useRootName = (rootId: RootId): string | null =>
  workspaceView(({ workspace }) => rootNameIn(workspace, rootId))

/** A full path of this machine as a place: in the innermost root that holds it, else outside of them all. */
export function pathIn({ roots }: Pick<WorkspaceInfo, 'roots'>, absolute: string): AnyPath {
  const file = slashed(absolute)
  let best: AnyPath | null = null
  let length = -1
  for (const root of roots) {
    const start = slashed(root.absolute).replace(/\/$/, '')
    if (start.length <= length || !file.startsWith(`${start}/`)) continue
    best = { rootId: root.rootId, path: file.slice(start.length + 1) }
    length = start.length
  }
  return best ?? { uri: `file://${encodeURI(file.replace(/^(?!\/)/, '/')).replace(/[?#]/g, encodeURIComponent)}` }
}

/** A path of Windows may be written either way. */
const slashed = (absolute: string): string =>
  /^[a-z]:[\\/]/i.test(absolute) ? absolute.replaceAll('\\', '/') : absolute

/** A place below a root that lies in another root, as a place of the inner one: that is the one it belongs to. */
export function asInnermost(workspace: WorkspaceInfo | null, path: AnyPath): AnyPath {
  if (!('rootId' in path)) return path
  const outer = workspace?.roots.find(root => root.rootId === path.rootId)
  let best: AnyPath = path
  for (const { rootId, absolute } of workspace?.roots ?? []) {
    const start = `${slashed(outer?.absolute ?? '')}/`
    const below = slashed(absolute).startsWith(start) ? slashed(absolute).slice(start.length) : ''
    const inside = below !== '' && (path.path === below || path.path.startsWith(`${below}/`))
    const rest = path.path.slice(below.length + 1)
    if (inside && (!('path' in best) || rest.length < best.path.length)) best = { rootId, path: rest }
  }
  return best
}
