/**
 * One model call of a turn, with retries and, where they are used up, the fallback model: each before the first word only, each
 * seen by the person. No tool runs twice for it.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { ChatFailure } from '#contract/chat-event'
import type { TurnId } from '#contract/id'
import type { RunFlags } from '#contract/session'
import type { Producer } from '#contract/session-event'
import type { StepPlace, StepResult } from './blocks.ts'
import { historyOf } from './context.ts'
import type { Model, ModelRequest, SessionPort } from './ports.ts'
import { MAX_RETRIES, mayFallBack, retryDelayMs } from './retry.ts'
import { streamStep } from './step.ts'

/** Which model speaks in this turn: the producer's, until it could not. */
export interface Speaker {
  model: string
}

export interface Call {
  readonly session: SessionPort
  readonly turnId: TurnId
  readonly producer: Producer
  readonly fallbackModel?: string | null | undefined
  readonly serverTools?: ModelRequest['serverTools'] | undefined
  readonly flags?: RunFlags | null | undefined
  readonly model: Model
  readonly retryBaseMs?: number | undefined
  readonly stop: AbortController
}

/** What every call of the session says alike. */
export interface Prefix {
  readonly system: string
  readonly tools: ModelRequest['tools']
}

/** The last failure is the result's. A fallback speaks for the rest of the turn: `speaker` says so. */
export async function callModel(call: Call, at: StepPlace, prefix: Prefix, speaker: Speaker): Promise<StepResult> {
  const { session, turnId, producer, fallbackModel, serverTools = [] } = call
  const schema = call.flags?.answerSchema
  const answer = schema ? { answer: { name: 'answer', schema } } : {}
  const messages = await historyOf(session.state, id => session.readBlob(id))
  const { system, tools } = prefix
  const { effort } = producer
  const ask = () =>
    withRetries(call, at, {
      model: speaker.model,
      effort,
      system,
      messages,
      tools,
      serverTools,
      maxOutputTokens: null,
      ...answer,
    })
  const result = await ask()
  const { failure } = result
  if (!failure || result.begun || call.stop.signal.aborted || !mayFallBack(failure)) return result
  if (!fallbackModel || fallbackModel === speaker.model) return result
  const text = `${failure.message} ${speaker.model} is left for this turn; ${fallbackModel} goes on.`
  await session.append({ type: 'status.changed', turnId, code: 'fallback', text })
  speaker.model = fallbackModel
  return ask()
}

async function withRetries(call: Call, at: StepPlace, request: ModelRequest): Promise<StepResult> {
  const { signal } = call.stop
  for (let attempt = 0; ; attempt++) {
    const result = await streamStep(at, call.model, request, signal)
    if (!result.failure || result.begun || signal.aborted) return result
    const delayMs = retryDelayMs(result.failure, attempt, call.retryBaseMs)
    if (delayMs === null) return result
    await tellRetry(call, result.failure, attempt, delayMs)
    await wait(delayMs, undefined, { signal }).catch(() => {})
  }
}

async function tellRetry({ session, turnId }: Call, failure: ChatFailure, attempt: number, delayMs: number) {
  const seconds = Math.max(1, Math.round(delayMs / 1000))
  const text = `${failure.message} Trying again in ${seconds} s (${attempt + 1} of ${MAX_RETRIES}).`
  await session.append({ type: 'status.changed', turnId, code: `retry.${failure.code}`, text })
}
