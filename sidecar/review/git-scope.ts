/** What differs from HEAD, with the same hunks. Nothing is found good here: that is what staging is for. */
import type { WorkspaceId } from '#contract/id'
import { pathKey, type WirePath } from '#contract/path'
import { hashOf } from '../workspace/documents/disk-file.ts'
import type { Workspace } from '../workspace/service.ts'
import { type Held, heldNow, nothing } from './held.ts'
import type { GitAsked } from './ports.ts'
import { moved, tracked } from './track.ts'
import { type View, viewOf } from './view.ts'

export interface GitLook {
  readonly paths: readonly WirePath[]
  readonly truncated: boolean
  view(path: WirePath): Promise<View | null>
}

export async function lookAtGit(git: GitAsked, workspace: Workspace): Promise<GitLook> {
  const { workspaceId, roots } = workspace.info
  const statuses = await Promise.all(roots.map(root => git.status(workspaceId, root.rootId)))
  const files = statuses.flatMap(status => status.files)
  const known = new Set(files.map(file => pathKey(file.path)))
  return {
    paths: files.map(file => file.path),
    truncated: statuses.some(status => status.truncated),
    async view(path) {
      if (!known.has(pathKey(path))) return null
      const track = tracked(await inHead(git, workspaceId, path))
      return viewOf(path, moved(track, await heldNow(workspace, path), 'outside'), { from: null })
    },
  }
}

async function inHead(git: GitAsked, workspaceId: WorkspaceId, path: WirePath): Promise<Held> {
  const text = await git.headText(workspaceId, path)
  if (text === null) return nothing
  return { hash: await hashOf(Buffer.from(text)), kind: 'text', text, mode: null, bytes: null }
}
