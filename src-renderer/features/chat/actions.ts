/** What a person does to a session: every verb goes to the core and comes back as an event; nothing here writes a mirror. */

import { create } from 'zustand'
import { BelayError } from '#contract/error'
import type { SessionId } from '#contract/id'
import type { PromptPart } from '#contract/session'
import type { Effort, Mode } from '#contract/session-event'
import { settleDocuments } from '../../client/document-pump.ts'
import { belay } from '../../client/index.ts'
import { modelMirror } from '../../state/mirror/model.ts'
import { sessionNow } from '../../state/mirror/session.ts'
import { sessionListMirror } from '../../state/mirror/session-list.ts'
import { settingNow } from '../../state/mirror/settings.ts'
import { keptPerWorkspace } from '../../state/view/per-workspace.ts'
import { currentSession } from '../../state/view/session.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { t } from '../../ui/i18n.ts'
import type { RunCommand } from '../commands.ts'

/** What the next new session will be; null where the person's defaults count. */
export interface NextSession {
  readonly mode: Mode | null
  readonly model: string | null
  readonly effort: Effort | null
}
export const nextSession = create<NextSession>(() => ({ mode: null, model: null, effort: null }))
keptPerWorkspace(nextSession)

export const defaultModel = (): string => modelMirror.getState().known?.chosen ?? settingNow('agent.model')

/** The session the panel shows, made now when there is none. Rejects with words. */
async function ensureSession(): Promise<SessionId> {
  const known = currentSession.get()
  if (known) return known
  const { workspace } = workspaceView.getState()
  if (!workspace) throw new BelayError('not_found', t('sessions.noFolder'))
  const { mode, model, effort } = nextSession.getState()
  const { sessionId } = await belay.session.create({
    workspaceId: workspace.workspaceId,
    ...(mode ? { mode } : {}),
    ...(model ? { model } : {}),
  })
  if (effort) await belay.session.setModel({ sessionId, model: model ?? defaultModel(), effort })
  nextSession.setState({ mode: null, model: null, effort: null })
  currentSession.set(sessionId)
  return sessionId
}

/** `requestId` is the caller's, so that trying again after a broken connection is the same prompt. */
export async function sendPrompt(
  requestId: string,
  parts: PromptPart[],
  whenRunning: WhenRunning,
): Promise<Awaited<ReturnType<typeof belay.session.prompt>>> {
  await settleDocuments()
  const sessionId = await ensureSession()
  return belay.session.prompt({ sessionId, requestId, parts, whenRunning })
}
export type WhenRunning = 'steer' | 'queue' | 'stop'

export async function stopSession(): Promise<void> {
  const sessionId = currentSession.get()
  if (sessionId) await belay.session.stop({ sessionId })
}

export async function setMode(mode: Mode): Promise<void> {
  const sessionId = currentSession.get()
  if (sessionId) await belay.session.setMode({ sessionId, mode })
  else nextSession.setState({ mode })
}

export async function setModel(model: string, effort: Effort): Promise<void> {
  const sessionId = currentSession.get()
  if (sessionId) await belay.session.setModel({ sessionId, model, effort })
  else nextSession.setState({ model, effort })
}

/** A branch in a worktree works in another folder: that is opened first. */
export async function openSession(sessionId: SessionId, run: RunCommand): Promise<void> {
  const { sessions } = sessionListMirror.getState()
  const home = sessions.find(each => each.sessionId === sessionId)?.roots[0]
  if (home !== undefined && home !== workspaceView.getState().workspace?.home) {
    await run('app.openFolderAt', { folder: home })
    // Where it could not be opened that was said.
    if (workspaceView.getState().workspace?.home !== home) return
  }
  currentSession.set(sessionId)
}

export function newSession(): void {
  currentSession.set(null)
}

/** The person's last own words in the shown session; null without any. */
export function lastPrompt(): string | null {
  const sessionId = currentSession.get()
  const state = sessionId && sessionNow(sessionId)?.state
  if (!state) return null
  for (let i = state.path.length - 1; i >= 0; i--) {
    const item = state.items.get(state.path[i] as (typeof state.path)[number])
    if (item?.kind === 'message' && item.role === 'user') return item.text
  }
  return null
}
