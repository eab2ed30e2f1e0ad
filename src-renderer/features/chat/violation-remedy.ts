/** What a person can do about something that the jail stopped: let the host through here, let commands write to the folder, put back what was set aside. */
import type { WorkspaceId } from '#contract/id'
import type { Violation } from '#contract/sandbox'
import type { WorkspaceInfo } from '#contract/workspace'
import { belay } from '../../client/index.ts'
import { saveSetting } from '../../client/settings-pump.ts'
import { settingNow } from '../../state/mirror/settings.ts'

export interface Remedy {
  readonly kind: 'host' | 'folder' | 'aside'
  /** The host, the absolute folder, or where it stood. */
  readonly what: string
  /** Of what was set aside. */
  readonly id?: string
  readonly workspaceId: WorkspaceId
}

/** The system's own: no command of an agent has any business there, whatever it tried. */
const systemPlace =
  /^\/(?:bin|boot|dev|etc|lib\w*|proc|root|run|s?bin|sys|usr|System|Library|Applications)(?:\/|$)|^[A-Z]:\/(?:Windows|Program)/i

/** Null where nothing fits: what is protected in the folder itself is for the file tools, which ask. */
export function remedyFor({ category, target, aside }: Violation, workspace: WorkspaceInfo): Remedy | null {
  const { workspaceId, roots } = workspace
  if (typeof aside === 'string') return { kind: 'aside', what: target, workspaceId, id: aside }
  if (category === 'network') {
    const host = target.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
    return /^[\w.:-]+$/.test(host) ? { kind: 'host', what: host, workspaceId } : null
  }
  const slashed = target.replaceAll('\\', '/')
  if (category !== 'write' || !/^(\/|[A-Za-z]:\/)/.test(slashed)) return null
  const inside = roots.some(({ absolute }) => `${slashed}/`.startsWith(`${absolute.replaceAll('\\', '/')}/`))
  const folder = slashed.slice(0, slashed.lastIndexOf('/'))
  if (systemPlace.test(slashed)) return null
  return inside || folder.split('/').filter(Boolean).length < 2 ? null : { kind: 'folder', what: folder, workspaceId }
}

/** Rejects with words. */
export async function runRemedy({ kind, what, workspaceId, id }: Remedy): Promise<void> {
  if (id !== undefined) {
    await belay.sandbox.putBack({ workspaceId, id })
    return
  }
  if (kind === 'host') {
    const rule = { tool: 'network', verdict: 'allow' as const, pattern: what }
    await belay.permission.addRule({ scope: 'here', workspaceId, rule })
    return
  }
  const known = settingNow('sandbox.writableFolders')
  if (!known.includes(what)) await saveSetting('user', 'sandbox.writableFolders', [...known, what])
}
