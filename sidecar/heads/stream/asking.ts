/** What a session asks, asked of the program at the other end: one control_request for each call, question or plan, answered by its id. */
import { z } from 'zod'
import type { RequestId } from '#contract/id'
import { Mode, type PermissionAnswer, QuestionAnswer, type SessionEvent } from '#contract/session-event'
import type { Conversation } from '../headless/conversation.ts'
import type { Denial } from '../headless/deny.ts'
import { inputOf, type Line } from '../headless/stream-lines.ts'

const Verdict = z.object({
  behavior: z.enum(['allow', 'deny', 'skip']),
  updatedInput: z.unknown().optional(),
  message: z.string().max(20_000).optional(),
  remember: z.enum(['once', 'session', 'here']).default('once'),
})
const Answers = z.object({ answers: z.array(QuestionAnswer).nullable() })
const Plan = z.object({
  decision: z.enum(['approved', 'rejected']),
  mode: Mode.optional(),
  message: z.string().max(20_000).optional(),
})

type Reply = { response: unknown } | { error: string } | { withdrawn: true }

export interface Asking {
  /** Asks and waits; what was answered with a no is told. Never rejects. */
  ask(event: SessionEvent): Promise<Denial[]>
  /** Another client's answer, or an end, closes what is open. */
  heard(event: SessionEvent): void
  /** False: nothing waits under this id. */
  reply(requestId: string, reply: Reply): boolean
  /** Nobody will answer any more: everything open is refused. */
  end(): void
}

export function createAsking(conversation: Conversation, write: (line: Line) => void): Asking {
  const { client, sessionId } = conversation
  const open = new Map<string, { askId: string; settle(reply: Reply): void }>()
  let ended = false

  const request = (askId: string, body: Line): Promise<Reply> => {
    if (ended) return Promise.resolve({ error: 'nobody is there to answer any more' })
    const requestId = crypto.randomUUID() as RequestId
    return new Promise(resolve => {
      open.set(requestId, { askId, settle: resolve })
      write({ type: 'control_request', request_id: requestId, session_id: sessionId, request: body })
    })
  }
  const close = (askId: string): void => {
    for (const [requestId, each] of open) {
      if (each.askId !== askId) continue
      open.delete(requestId)
      write({ type: 'control_cancel_request', request_id: requestId })
      each.settle({ withdrawn: true })
    }
  }

  const askCalls = async (event: Extract<SessionEvent, { type: 'permission.asked' }>): Promise<Denial[]> => {
    const replies = await Promise.all(
      event.calls.map(call =>
        request(event.batchId, {
          subtype: 'can_use_tool',
          tool_name: call.tool,
          tool_use_id: call.callId,
          input: call.arguments ?? inputOf(conversation.state, call.callId),
          description: call.exact,
          where: call.where,
          reason: call.reason,
          remember: ['once', ...call.remember],
        }),
      ),
    )
    if (replies.some(reply => 'withdrawn' in reply)) return []
    const denials: Denial[] = []
    const answers = event.calls.map((call, at): PermissionAnswer => {
      const reply = replies[at] ?? { error: 'no answer' }
      const verdict = Verdict.safeParse('response' in reply ? reply.response : null).data
      const { callId, tool } = call
      if (verdict?.behavior === 'allow')
        return {
          ...{ callId, verdict: 'allow', remember: verdict.remember },
          ...(verdict.updatedInput === undefined ? {} : { arguments: verdict.updatedInput }),
        }
      const words =
        verdict?.message ?? ('error' in reply ? reply.error : 'The answer was not understood, so it is a no.')
      denials.push({ callId, tool, line: `${tool} ${call.where} (${words})` })
      return { callId, verdict: verdict?.behavior ?? 'deny', remember: verdict?.remember ?? 'once', words }
    })
    await client.session.answerPermission({ sessionId, batchId: event.batchId, answers })
    return denials
  }

  const askOne = async (event: SessionEvent): Promise<Denial[]> => {
    if (event.type === 'permission.asked') return askCalls(event)
    if (event.type === 'question.asked') {
      const { askId, questions } = event
      const reply = await request(askId, { subtype: 'ask_user', questions })
      if ('withdrawn' in reply) return []
      const answers = Answers.safeParse('response' in reply ? reply.response : null).data?.answers ?? null
      await client.session.answerQuestion({ sessionId, askId, answers })
    }
    if (event.type === 'plan.proposed') {
      const { askId, markdown } = event
      const reply = await request(askId, { subtype: 'approve_plan', plan: markdown })
      if ('withdrawn' in reply) return []
      const plan = Plan.safeParse('response' in reply ? reply.response : null).data
      const { decision = 'rejected', mode, message } = plan ?? {}
      // To skip every rule is said on the command line alone.
      const next = mode === 'bypassPermissions' ? undefined : mode
      await client.session.decidePlan({ sessionId, askId, decision, mode: next, words: message })
    }
    return []
  }

  return {
    // An ask that is gone by now, or arguments that the tool refuses: told by the turn's own events.
    ask: event => askOne(event).catch(() => []),
    heard(event) {
      if (event.type === 'permission.answered') close(event.batchId)
      if (event.type === 'question.answered' || event.type === 'plan.decided') close(event.askId)
    },
    reply(requestId, reply) {
      const waiting = open.get(requestId)
      open.delete(requestId)
      waiting?.settle(reply)
      return waiting !== undefined
    },
    end() {
      ended = true
      for (const each of open.values()) each.settle({ error: 'nobody is there to answer any more' })
      open.clear()
    },
  }
}
