/**
 * Which advice of the folder the model still has before it: told once with a result, known from the log, and told again when
 * that result is no longer on the path (rewound) or before it (compacted).
 */
import type { CallId, TurnId } from '#contract/id'
import type { Preview, SessionEventDraft } from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'
import { adviceIn } from './context.ts'
import type { Advice, SessionPort, Surroundings } from './ports.ts'

/** What a call that still runs is about to tell, by session. */
const underWay = new WeakMap<SessionPort, Map<string, CallId>>()

/** Of `ids`, those the model was not told; they are this call's to tell. */
export function untold(session: SessionPort, callId: CallId, ids: readonly string[]): string[] {
  const { state } = session
  const told = adviceIn(state)
  const claimed = underWay.get(session) ?? new Map<string, CallId>()
  underWay.set(session, claimed)
  for (const [id, by] of claimed) {
    const at = state.calls.get(by)
    const item = at && state.items.get(at)
    const runs = item && item.kind === 'tool' && (item.state === 'running' || item.state === 'requested')
    if (!runs) claimed.delete(id)
  }
  const fresh = ids.filter(id => !told.has(id) && !claimed.has(id))
  for (const id of fresh) claimed.set(id, callId)
  return fresh
}

/** Behind the output, whole, however much of that was cut. */
export const withAdvice = (preview: Preview, advice: readonly Advice[]): Preview =>
  advice.length === 0 ? preview : { ...preview, text: [preview.text, ...advice.map(({ text }) => text)].join('\n\n') }

/** For the card, and for the log to tell later what was told. */
export const adviceDetail = (advice: readonly Advice[]): Record<string, unknown> =>
  advice.length === 0 ? {} : { advice: advice.map(({ id, path }) => ({ id, path })) }

const ADVICE = 'advice'

/** For the person: which files of the folder speak in the system prompt. Only where that is not what was last said. */
export function adviceNotice(state: SessionState, place: Surroundings, turnId: TurnId): SessionEventDraft[] {
  const names = place.instructions.map(({ path }) => path)
  const text = names.length > 0 ? `Advice of the folder that was read: ${names.join(', ')}` : 'No advice of the folder.'
  const last = [...state.turns.values()].flatMap(({ notices }) => notices).findLast(({ code }) => code === ADVICE)
  if ((last?.text ?? 'No advice of the folder.') === text) return []
  return [{ type: 'status.changed', turnId, code: ADVICE, text }]
}
