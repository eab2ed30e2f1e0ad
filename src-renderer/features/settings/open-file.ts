/** A file by its absolute path: one of the folder opens as itself, any other as text to read. */
import type { AnyPath } from '#contract/path'
import type { WorkspaceInfo } from '#contract/workspace'
import { useWorkspace } from '../../state/view/workspace.ts'
import { useCommand } from '../commands.ts'

export function pathOf(absolute: string, workspace: WorkspaceInfo | null): AnyPath {
  const file = absolute.replaceAll('\\', '/')
  for (const { absolute: root, rootId } of workspace?.roots ?? []) {
    const start = `${root.replaceAll('\\', '/').replace(/\/$/, '')}/`
    if (file.startsWith(start)) return { rootId, path: file.slice(start.length) }
  }
  const escaped = file.split('/').map(encodeURIComponent).join('/')
  return { uri: `file://${escaped.startsWith('/') ? '' : '/'}${escaped.replace(/^([A-Za-z])%3A/, '$1:')}` }
}

export function useOpenFile(): (absolute: string, line?: number | null) => void {
  const run = useCommand()
  const workspace = useWorkspace()
  return (absolute, line) => void run('editor.open', { path: pathOf(absolute, workspace), ...(line ? { line } : {}) })
}

/** The last parts of a path, for a line that has little room; the whole stands in its title. */
export const shortPath = (absolute: string): string => absolute.split(/[\\/]/).slice(-2).join('/')
