/** What differs from HEAD, with the same hunks. Nothing is found good here: that is what staging is for. */
import { join } from 'node:path'
import type { GitFile } from '#contract/git'
import type { WorkspaceId } from '#contract/id'
import { pathKey, type WirePath } from '#contract/path'
import { hashOf } from '../workspace/documents/disk-file.ts'
import type { Workspace } from '../workspace/service.ts'
import { type Held, type HeldNow, heldFrom, nothing } from './held.ts'
import { createLatest } from './latest.ts'
import type { GitAsked, InHead } from './ports.ts'
import { moved, tracked } from './track.ts'
import { submoduleView, type View, viewOf } from './view.ts'

export interface GitLook {
  readonly paths: readonly WirePath[]
  readonly truncated: boolean
  view(path: WirePath): Promise<View | null>
}

/** Files that are compared: each of them is a question to git. */
const MOST_FILES = 300

export type LookAtGit = (workspace: Workspace) => Promise<GitLook>

export function createGitScope(git: GitAsked, heldNow: HeldNow): LookAtGit {
  const heads = createLatest<InHead>(MOST_FILES)
  const headOf = async (workspaceId: WorkspaceId, commit: string | null, path: WirePath): Promise<InHead> => {
    const key = `${workspaceId} ${commit} ${pathKey(path)}`
    return heads.get(key) ?? heads.set(key, await git.head(workspaceId, path))
  }
  return async workspace => {
    const { paths } = workspace
    const { workspaceId, roots } = workspace.info
    const statuses = await Promise.all(roots.map(root => git.status(workspaceId, root.rootId)))
    // Of a folder inside another both statuses tell.
    const isInnermost = ({ path }: GitFile) =>
      paths.toWire(join(paths.rootOf(path).absolute, path.path))?.rootId === path.rootId
    const all = statuses.flatMap(({ files, head }) =>
      files.filter(isInnermost).map(file => [pathKey(file.path), { file, head }] as const),
    )
    const known = new Map(all.slice(0, MOST_FILES))
    return {
      paths: [...known.values()].map(({ file }) => file.path),
      truncated: all.length > MOST_FILES || statuses.some(status => status.truncated),
      async view(path) {
        const found = known.get(pathKey(path))
        if (!found) return null
        const { file, head } = found
        if (file.submodule) return submoduleView(path, await git.commits(workspaceId, path))
        const from = renamedFrom(file)
        const now = await heldNow(workspace, path)
        const track = tracked(await heldIn(await headOf(workspaceId, head, from ?? path), now))
        return viewOf(path, moved(track, now, 'outside'), { from })
      },
    }
  }
}

const renamedFrom = ({ path, from, state }: GitFile): WirePath | null =>
  state === 'renamed' && from ? { rootId: path.rootId, path: from } : null

/** Of the bits git knows one: whether it can be run. */
async function heldIn(found: InHead, now: Held): Promise<Held> {
  if (found.kind === 'missing') return nothing
  if (found.kind !== 'bytes') return { hash: '', kind: 'large', text: null, mode: null, bytes: null }
  const hash = await hashOf(found.bytes)
  if (found.mode === '120000') return heldFrom(hash, found.bytes, { kind: 'link' })
  const runs = found.mode === '100755'
  const same = now.mode !== null && Boolean(now.mode & 0o100) === runs
  return heldFrom(hash, found.bytes, { mode: same ? now.mode : runs ? 0o755 : 0o644 })
}
