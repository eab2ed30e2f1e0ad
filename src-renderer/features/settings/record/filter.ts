/** Which lines of the record are shown. Kept while the window is open, and set from elsewhere ("what the jail stopped"). */
import { create } from 'zustand'
import type { SessionId, WorkspaceId } from '#contract/id'
import type { AuditEntry } from '#contract/permission'

export interface RecordFilter {
  readonly kind: AuditEntry['kind'] | 'all'
  readonly verdict: AuditEntry['verdict'] | 'all'
  readonly tool: string
  readonly of: 'session' | 'folder' | 'all'
}
export const noFilter: RecordFilter = { kind: 'all', verdict: 'all', tool: '', of: 'folder' }
export const recordFilter = create<RecordFilter>(() => noFilter)

/** Whose record, as the core takes it. */
export interface Place {
  readonly workspaceId: WorkspaceId | undefined
  readonly sessionId: SessionId | undefined
  /** Absolute roots of the folder. */
  readonly roots: readonly string[]
}

/** What is asked for: filters that say "all" are left out. */
export const asked = ({ kind, verdict, tool, of }: RecordFilter, query: string, place: Place) => ({
  ...(kind === 'all' ? {} : { kind }),
  ...(verdict === 'all' ? {} : { verdict }),
  ...(tool.trim() ? { tool: tool.trim() } : {}),
  ...(query.trim() ? { query: query.trim() } : {}),
  ...(of === 'session' && place.sessionId ? { sessionId: place.sessionId } : {}),
  ...(of === 'folder' && place.workspaceId ? { workspaceId: place.workspaceId } : {}),
})

/** Whether a line that comes while one looks belongs among those shown. */
export function belongs(entry: AuditEntry, filter: RecordFilter, query: string, place: Place): boolean {
  const { kind, verdict, tool, of } = filter
  const text = `${entry.tool}\n${entry.subject}\n${entry.rule ?? ''}\n${entry.reason}`.toLowerCase()
  return (
    (kind === 'all' || entry.kind === kind) &&
    (verdict === 'all' || entry.verdict === verdict) &&
    (tool.trim() === '' || entry.tool === tool.trim()) &&
    (query.trim() === '' || text.includes(query.trim().toLowerCase())) &&
    (of !== 'session' || entry.sessionId === place.sessionId) &&
    (of !== 'folder' || place.roots.some(root => entry.folder === root || entry.folder.startsWith(`${root}/`)))
  )
}
