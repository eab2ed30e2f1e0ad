/** Which other branch to compare with: asked of a person where a command did not say. */
import { create } from 'zustand'
import { BelayError } from '#contract/error'
import type { SessionId } from '#contract/id'
import type { SessionSummary } from '#contract/session'
import { sessionListMirror } from '../../../state/mirror/session-list.ts'
import { keptPerWorkspace } from '../../../state/view/per-workspace.ts'
import { currentSession } from '../../../state/view/session.ts'
import { t } from '../../../ui/i18n.ts'
import type { RunCommand } from '../../commands.ts'
import { comparePage } from './argument.ts'

/** The first of two, while the second is asked for. */
export const comparing = create<{ readonly a: SessionId | null }>(() => ({ a: null }))
keptPerWorkspace(comparing)

export async function compareBranches(asked: { a: SessionId; b?: SessionId } | void, run: RunCommand): Promise<void> {
  const a = asked?.a ?? currentSession.get()
  if (!a) throw new BelayError('not_found', t('sessions.noSession'))
  if (asked?.b) return run('editor.openPage', comparePage({ a, b: asked.b }))
  const { sessions } = sessionListMirror.getState()
  if (sessions.length < 2) throw new BelayError('not_found', t('sessions.noOther'))
  comparing.setState({ a })
}

/** The other sessions, those of the same tree first. */
export function othersOf(
  a: SessionId,
  sessions: readonly SessionSummary[],
): { family: SessionSummary[]; rest: SessionSummary[] } {
  const byId = new Map(sessions.map(each => [each.sessionId, each]))
  const rootOf = (id: SessionId): SessionId => {
    const parent = byId.get(id)?.forkedFrom?.sessionId
    return parent && byId.has(parent) ? rootOf(parent) : id
  }
  const others = sessions.filter(each => each.sessionId !== a)
  const root = rootOf(a)
  const isFamily = ({ sessionId }: SessionSummary) => rootOf(sessionId) === root
  return { family: others.filter(isFamily), rest: others.filter(each => !isFamily(each)) }
}
