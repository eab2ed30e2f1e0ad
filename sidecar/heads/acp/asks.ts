/** What a session asks, as ACP's one reverse call: a request for permission. Whoever answers first counts; the others are withdrawn. */
import type { AgentContext, PermissionOption, RequestPermissionRequest, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { Client } from '#contract/client'
import type { SessionId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import type { AskedCall, PermissionAnswer, QuestionAnswer, SessionEvent, SessionEventOf } from '#contract/session-event'
import type { Ask } from '#contract/session-state'
import { modeOf } from './choices.ts'
import { kindOf, text } from './tool-calls.ts'

export interface Asks {
  /** An ask, or what ends one; anything else is passed over. Never rejects. */
  heard(event: SessionEvent): void
  /** What waited already when the session was opened. Never rejects. */
  again(ask: Ask): void
  /** The client has gone: what is open stays open in the session, for another one. */
  end(): void
}

const once: PermissionOption = { optionId: 'once', kind: 'allow_once', name: 'Allow once' }
const deny: PermissionOption = { optionId: 'deny', kind: 'reject_once', name: 'Deny' }
const always: Record<AskedCall['remember'][number], PermissionOption> = {
  session: { optionId: 'session', kind: 'allow_always', name: 'Allow for this session' },
  here: { optionId: 'here', kind: 'allow_always', name: 'Always allow here' },
}
const never: PermissionOption = { optionId: 'never', kind: 'reject_always', name: 'Never here' }
const approvals: PermissionOption[] = [
  { optionId: 'acceptEdits', kind: 'allow_always', name: 'Approve, and accept edits' },
  { optionId: 'default', kind: 'allow_once', name: 'Approve, and ask for each edit' },
  { optionId: 'reject', kind: 'reject_once', name: 'Keep planning' },
]

type Asked<T extends SessionEvent['type'], K extends keyof SessionEventOf<T>> = Pick<SessionEventOf<T>, K>

export function createAsks(client: Client<BelayContract>, sessionId: SessionId, acp: AgentContext): Asks {
  const open = new Map<string, AbortController>()

  /** The chosen option; null: the client cancelled it, or somebody else answered. Rejects where the client has gone. */
  const request = async (
    askId: string,
    toolCall: ToolCallUpdate,
    options: PermissionOption[],
  ): Promise<string | null> => {
    const withdrawn = open.get(askId) ?? new AbortController()
    open.set(askId, withdrawn)
    const asked: RequestPermissionRequest = { sessionId, toolCall, options }
    const { outcome } = await acp.request('session/request_permission', asked, { cancellationSignal: withdrawn.signal })
    return outcome.outcome === 'selected' && !withdrawn.signal.aborted ? outcome.optionId : null
  }

  const askCalls = async ({ batchId, calls }: Asked<'permission.asked', 'batchId' | 'calls'>): Promise<void> => {
    const chosen = await Promise.all(
      calls.map(call => {
        const toolCall: ToolCallUpdate = {
          ...{ toolCallId: call.callId, title: call.exact.split('\n', 1)[0] ?? call.tool, kind: kindOf(call.tool) },
          content: [text([call.exact, call.reason, call.where].filter(Boolean).join('\n'))],
        }
        const remembered = call.remember.map(scope => always[scope])
        const no = call.remember.includes('here') ? [deny, never] : [deny]
        return request(batchId, toolCall, [once, ...remembered, ...no])
      }),
    )
    // A cancelled ask is no answer: its turn is being stopped, or somebody else has answered.
    if (chosen.includes(null)) return
    const answers = calls.map(({ callId }, at): PermissionAnswer => {
      const option = chosen[at]
      if (option === 'once' || option === 'session' || option === 'here')
        return { callId, verdict: 'allow', remember: option }
      return { callId, verdict: 'deny', remember: option === 'never' ? 'here' : 'once' }
    })
    await client.session.answerPermission({ sessionId, batchId, answers })
  }

  const askQuestions = async (asked: Asked<'question.asked', 'askId' | 'callId' | 'questions'>): Promise<void> => {
    const { askId, callId, questions } = asked
    const answers: QuestionAnswer[] = []
    for (const { text: title, choices } of questions) {
      const options = choices.map(
        ({ label, description }, at): PermissionOption => ({
          ...{ optionId: `${at}`, kind: 'allow_once' },
          name: description ? `${label}: ${description}` : label,
        }),
      )
      // A request for permission takes no free words: what has no choices is left to the talk itself.
      if (options.length === 0) return void (await client.session.answerQuestion({ sessionId, askId, answers: null }))
      const skip: PermissionOption = { optionId: 'skip', kind: 'reject_once', name: 'No answer' }
      const chosen = await request(askId, { toolCallId: callId, title, kind: 'other' }, [...options, skip])
      if (chosen === null) return
      const label = choices[Number(chosen)]?.label
      if (label === undefined) return void (await client.session.answerQuestion({ sessionId, askId, answers: null }))
      answers.push({ chosen: [label] })
    }
    await client.session.answerQuestion({ sessionId, askId, answers })
  }

  const askPlan = async ({ askId, callId, markdown }: Asked<'plan.proposed', 'askId' | 'callId' | 'markdown'>) => {
    const toolCall: ToolCallUpdate = {
      ...{ toolCallId: callId, title: 'Ready to carry out this plan?', kind: 'switch_mode' },
      content: [text(markdown)],
    }
    const chosen = await request(askId, toolCall, approvals)
    if (chosen === null) return
    const mode = modeOf(chosen)
    const decision = mode ? 'approved' : 'rejected'
    await client.session.decidePlan({ sessionId, askId, decision, ...(mode ? { mode } : {}) })
  }

  const close = (askId: string): void => {
    open.get(askId)?.abort()
    open.delete(askId)
  }
  const ask = async (event: SessionEvent): Promise<void> => {
    if (event.type === 'permission.asked') await askCalls(event)
    if (event.type === 'question.asked') await askQuestions(event)
    if (event.type === 'plan.proposed') await askPlan(event)
  }

  return {
    heard(event) {
      if (event.type === 'permission.answered') close(event.batchId)
      if (event.type === 'question.answered' || event.type === 'plan.decided') close(event.askId)
      // An ask that nobody can be shown stays open, and the turn's own end tells of it.
      void ask(event).catch(() => {})
    },
    again(ask) {
      if (ask.answer !== null) return
      const asked =
        ask.kind === 'permission'
          ? askCalls({ batchId: ask.askId, calls: ask.calls })
          : ask.kind === 'question'
            ? askQuestions(ask)
            : askPlan(ask)
      void asked.catch(() => {})
    },
    end() {
      for (const askId of [...open.keys()]) close(askId)
    },
  }
}
