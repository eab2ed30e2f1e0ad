/**
 * One model call of a turn, with retries and, where they are used up, the fallback model: each before the first word only, each
 * seen by the person. No tool runs twice for it.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { ChatFailure } from '#contract/chat-event'
import type { TurnId } from '#contract/id'
import type { RunFlags } from '#contract/session'
import type { Producer, Usage } from '#contract/session-event'
import type { StepPlace, StepResult } from './blocks.ts'
import { type Compactor, FORCED_LEVELS } from './compact/compactor.ts'
import { historyOf } from './context.ts'
import type { Model, ModelMessage, ModelRequest, SessionPort } from './ports.ts'
import { MAX_RETRIES, mayFallBack, retryDelayMs } from './retry.ts'
import { streamStep } from './step.ts'

/** Which model speaks in this turn: the producer's, until it could not. */
export interface Speaker {
  model: string
}

export interface Call {
  readonly compactor: Compactor
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
  const { session, turnId, fallbackModel, compactor } = call
  const ask = async () => {
    const messages = await historyOf(session.state, id => session.readBlob(id))
    const result = await withRetries(call, at, requestFor(call, prefix, speaker, messages))
    if (result.usage?.known) compactor.learn(messages, inputOf(result.usage))
    return result
  }
  let result = await ask()
  for (const level of FORCED_LEVELS) {
    const tooLong = result.failure?.code === 'context_too_long' && !result.begun && !call.stop.signal.aborted
    if (!tooLong) break
    if (await compactor.force(at.step, level)) result = await ask()
  }
  const { failure } = result
  if (!failure || result.begun || call.stop.signal.aborted || !mayFallBack(failure)) return result
  if (!fallbackModel || fallbackModel === speaker.model) return result
  const text = `${failure.message} ${speaker.model} is left for this turn; ${fallbackModel} goes on.`
  await session.append({ type: 'status.changed', turnId, code: 'fallback', text })
  speaker.model = fallbackModel
  return ask()
}

const requestFor = (
  { producer: { effort }, serverTools = [], flags }: Call,
  { system, tools }: Prefix,
  { model }: Speaker,
  messages: readonly ModelMessage[],
): ModelRequest => ({
  ...{ model, effort, system, messages, tools, serverTools, maxOutputTokens: null },
  ...(flags?.answerSchema ? { answer: { name: 'answer', schema: flags.answerSchema } } : {}),
})

/** What a call took in: how full the context was. */
export const inputOf = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite

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
