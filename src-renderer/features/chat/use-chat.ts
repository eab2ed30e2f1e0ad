/** Which mode, model and effort count now: the session's own, or those of the next new one. */

import type { ModelInfo } from '#contract/model'
import type { Effort, Mode } from '#contract/session-event'
import { modelMirror } from '../../state/mirror/model.ts'
import { useSessionFact } from '../../state/mirror/session.ts'
import { useSetting } from '../../state/mirror/settings.ts'
import { useSessionId } from '../../state/view/session.ts'
import { nextSession } from './actions.ts'

export function useMode(): Mode {
  const id = useSessionId()
  const ofSession = useSessionFact(id, 'mode')
  const next = nextSession(state => state.mode)
  const initial = useSetting('agent.mode')
  return ofSession ?? next ?? initial
}

export function useModel(): { model: string; effort: Effort; info: ModelInfo | null } {
  const id = useSessionId()
  const producer = useSessionFact(id, 'producer')
  const next = nextSession()
  const chosen = modelMirror(state => state.known?.chosen)
  const setEffort = useSetting('agent.effort')
  const setModel = useSetting('agent.model')
  const model = producer?.model ?? next.model ?? chosen ?? setModel
  const effort = producer?.effort ?? next.effort ?? setEffort
  const info = modelMirror(state => state.known?.models.find(each => each.model === model) ?? null)
  return { model, effort, info }
}

/** `anthropic/claude-x` -> `claude-x`; ids may hold slashes. */
export const shortModel = (model: string): string => model.slice(model.indexOf('/') + 1) || model
