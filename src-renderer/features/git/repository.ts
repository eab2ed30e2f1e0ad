/** The repository that Source Control is about: that of the root a person chose, else of the first root that has one. */
import { BelayError } from '#contract/error'
import type { GitStatus } from '#contract/git'
import type { RootId, WorkspaceId } from '#contract/id'
import type { Root, WorkspaceInfo } from '#contract/workspace'
import { useGit } from '../../state/mirror/git.ts'
import { remembered } from '../../state/view/remember.ts'
import { useWorkspace, workspaceView } from '../../state/view/workspace.ts'
import { t } from '../../ui/i18n.ts'

export const chosenRoot = remembered<RootId | null>('gitRoot', null)

type Statuses = Readonly<Record<string, GitStatus>>

function pick(roots: readonly Root[], statuses: Statuses, chosen: RootId | null): Root | null {
  const isReady = ({ rootId }: Root) => statuses[rootId]?.standing === 'ready'
  return roots.find(root => root.rootId === chosen) ?? roots.find(isReady) ?? roots[0] ?? null
}

/** What names the repository to the core. */
export interface Here {
  readonly workspaceId: WorkspaceId
  readonly rootId: RootId
}

export interface Repository extends Here {
  readonly workspace: WorkspaceInfo
  readonly root: Root
  readonly status: GitStatus | null
}

/** Null without a folder. */
export function useRepository(): Repository | null {
  const workspace = useWorkspace()
  const chosen = chosenRoot.use()
  const statuses = useGit(mirror => mirror.statuses)
  const root = workspace && pick(workspace.roots, statuses, chosen)
  if (!workspace || !root) return null
  const { workspaceId } = workspace
  return { workspaceId, rootId: root.rootId, workspace, root, status: statuses[root.rootId] ?? null }
}

/** Roots with a repository; more than one are offered to choose from. */
export function useRepositories(): readonly Root[] {
  const workspace = useWorkspace()
  const statuses = useGit(mirror => mirror.statuses)
  return workspace?.roots.filter(root => statuses[root.rootId]?.standing === 'ready') ?? []
}

/** For commands. Throws with words where no folder is open. */
export function here(rootId?: RootId): Here {
  const { workspace } = workspaceView.getState()
  const root = workspace && pick(workspace.roots, useGit.getState().statuses, rootId ?? chosenRoot.get())
  if (!workspace || !root) throw new BelayError('not_found', t('source.noFolder'))
  return { workspaceId: workspace.workspaceId, rootId: root.rootId }
}

/** Throws with words where there is no repository to work with. */
export function statusNow(rootId?: RootId): GitStatus {
  const status = useGit.getState().statuses[here(rootId).rootId]
  if (status?.standing !== 'ready') throw new BelayError('unavailable', t('source.noRepository'))
  return status
}
