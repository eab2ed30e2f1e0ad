/** Nobody is there to ask: what asks is denied, and the denial names the flag that would have allowed it. */
import type { CallId } from '#contract/id'
import type { AskedCall, SessionEvent } from '#contract/session-event'
import type { Conversation } from './conversation.ts'

export interface Denial {
  readonly callId: CallId
  readonly tool: string
  /** One line for a person. */
  readonly line: string
}

/** Answers an ask, a question or a plan; anything else is passed over. Never rejects: an ask that is gone by now needs no answer. */
export async function denyUnasked(
  { client, sessionId }: Pick<Conversation, 'client' | 'sessionId'>,
  event: SessionEvent,
  allowedTools: readonly string[] | null,
): Promise<Denial[]> {
  const { session } = client
  const denials: Denial[] = []
  try {
    if (event.type === 'permission.asked') {
      const answers = event.calls.map(call => {
        const way = wayFor(call, allowedTools)
        const what = call.kind === 'command' ? call.exact.split('\n', 1)[0]?.slice(0, 80) : call.where
        denials.push({ callId: call.callId, tool: call.tool, line: `${call.tool} ${what} (${way})` })
        const words = `Nobody is there to ask in this run. ${way} Go on without it, and say so in your answer.`
        return { callId: call.callId, verdict: 'deny' as const, remember: 'once' as const, words }
      })
      await session.answerPermission({ sessionId, batchId: event.batchId, answers })
    } else if (event.type === 'question.asked') {
      await session.answerQuestion({ sessionId, askId: event.askId, answers: null })
    } else if (event.type === 'plan.proposed') {
      const words = 'Nobody is there to decide in this run. Give the plan as your answer and end.'
      await session.decidePlan({ sessionId, askId: event.askId, decision: 'rejected', words })
    }
  } catch {
    // Told by the turn's own end.
  }
  return denials
}

/** What would have let it run. The core applied the flags already: what they name and still asks, only a person may allow. */
function wayFor({ tool, kind, exact, remember }: AskedCall, allowedTools: readonly string[] | null): string {
  const named = allowedTools?.some(entry => entry.split('(')[0]?.trim().toLowerCase() === tool.toLowerCase())
  if (named || (kind === 'edit' && remember.length === 0))
    return 'A protected place: only a person may allow it, in Belay itself.'
  const simple = kind === 'command' && !/[\n,;&|<>`$()"]/.test(exact) && exact.length < 100
  const list = `--allowedTools ${simple ? `"${tool}(${exact})"` : tool}`
  return `It would run with ${list}${kind === 'edit' ? ' or --permission-mode acceptEdits' : ''}.`
}
