/** Where a tool may write: inside a root that is not read-only. Said in words that a model can act on. */
import type { WirePath } from '#contract/path'
import type { Paths, ResolvedPath } from '../workspace/paths.ts'
import { refused } from './define.ts'

/** The resolved place of a file to write. Throws where writing is impossible whatever the rules say. */
export async function writableIn(paths: Paths, path: string): Promise<ResolvedPath & { wire: WirePath }> {
  const resolved = await paths.resolve(path)
  const { wire } = resolved
  if (!wire)
    throw refused(
      `${path} is outside the workspace (${paths.roots.map(root => root.absolute).join(', ')}); files are written only inside it.`,
    )
  if (wire.path === '') throw refused(`${path} is the workspace folder itself. Name a file in it.`)
  if (paths.roots.find(root => root.rootId === wire.rootId)?.readOnly)
    throw refused(`${path} is in a read-only folder of the workspace and cannot be changed.`)
  return { ...resolved, wire }
}
