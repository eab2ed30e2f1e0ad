/** Where a link in the agent's words leads: a file of the workspace opens in the editor, the web outside Belay, all else nowhere. */
import { useCallback } from 'react'
import type { AnyPath } from '#contract/path'
import type { WorkspaceInfo } from '#contract/workspace'
import { host } from '../../client/index.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { useCommand } from '../commands.ts'

/** `src/a.ts#L12` or `src/a.ts:12` or an absolute path inside a root; null for what is no file of the workspace. */
export function placeOf(target: string, workspace: WorkspaceInfo): { path: AnyPath; line?: number } | null {
  const root = workspace.roots[0]
  const match = /^(.*?)(?:#L(\d+)(?:-L?\d+)?|:(\d+)(?::\d+)?)?$/.exec(target)
  if (!root || !match) return null
  const line = Number(match[2] ?? match[3]) || undefined
  const file = decode(match[1] ?? '')
  const within = workspace.roots.find(each => file === each.absolute || file.startsWith(`${each.absolute}/`))
  const path = within ? file.slice(within.absolute.length + 1) : file.replace(/^\.\//, '')
  if (path === '' || /^(?:[a-z][a-z\d+.-]*:|\/|\\|#)/i.test(path) || path.split('/').includes('..')) return null
  return { path: { rootId: (within ?? root).rootId, path }, ...(line ? { line } : {}) }
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function useOpenLink(): (href: string) => void {
  const run = useCommand()
  const workspace = useWorkspace()
  return useCallback(
    href => {
      if (/^(https?|mailto):/i.test(href)) return void host.host.openExternal({ url: href }).catch(() => {})
      const place = workspace && placeOf(href, workspace)
      if (place) void run('editor.open', { ...place, preview: true })
    },
    [run, workspace],
  )
}
