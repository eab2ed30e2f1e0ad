/** Decisions and violations as lines of the record. */
import type { SessionId, WorkspaceId } from '#contract/id'
import type { AuditEntry } from '#contract/permission'
import type { Violation } from '#contract/sandbox'
import type { Mode } from '#contract/session-event'
import type { Action, Settled } from '../agent/ports.ts'

/** Null for what changes nothing and was not held back: there is nothing to look up later. */
export function auditEntryOf(
  { request, authority, kind, verdict, by, rule, reason }: Settled,
  folder: string,
): AuditEntry | null {
  const { action } = request
  if ((action.kind === 'none' || action.kind === 'ask') && verdict === 'allow') return null
  return {
    at: Date.now(),
    kind,
    folder,
    sessionId: authority.sessionId,
    callId: request.callId,
    agent: authority.persona?.name ?? null,
    tool: request.tool,
    subject: subjectOf(action),
    verdict,
    by,
    rule,
    reason,
    mode: authority.mode,
  }
}

/** What it is about, never what is in it: a file's path, not its text. */
function subjectOf(action: Action): string {
  switch (action.kind) {
    case 'command':
      return action.command
    case 'read':
    case 'write':
      return action.path
    case 'fetch':
      return action.url
    case 'network':
      return `${action.host}:${action.port}`
    default:
      return ''
  }
}

const stopped: Record<Violation['category'], string> = {
  read: 'The jail stopped it from reading this.',
  write: 'The jail stopped it from writing this.',
  network: 'The jail stopped it from connecting there.',
  other: 'The jail stopped it.',
}

export const violationEntryOf = (
  { at, category, target, callId }: Violation,
  by: { sessionId: SessionId; workspaceId: WorkspaceId; mode: Mode; tool: string; agent: string | null },
  folder: string,
): AuditEntry => ({
  at,
  kind: 'violation',
  folder,
  sessionId: by.sessionId,
  callId,
  agent: by.agent,
  tool: by.tool,
  subject: target,
  verdict: 'deny',
  by: 'jail',
  rule: null,
  reason: stopped[category],
  mode: by.mode,
})
