/** One small real request with one tool, and none of the person's words: what of a provider was seen to work. */
import type { ChatEvent, ChatFailure } from '#contract/chat-event'
import type { ErrorCode } from '#contract/error'
import type { ModelRequest } from '../agent/ports.ts'
import { limited } from '../base/limited.ts'
import { splitModel } from './provider.ts'
import { type Account, streamRemote } from './remote.ts'

export interface Trial {
  readonly ok: boolean
  /** For a person. */
  readonly message: string
  readonly model: string
  /** As the provider calls the one that answered; null where it does not say. */
  readonly answered: string | null
  readonly firstTokenMs: number | null
  readonly streams: boolean | null
  readonly tools: boolean | null
  readonly failure: ErrorCode | null
}

const TRIAL_MS = 30_000
/** Thinking counts against it. */
const OUTPUT_TOKENS = 1024

const trialRequest = (model: string, withTool: boolean): ModelRequest => ({
  model,
  effort: 'auto',
  system: 'This is a test of a connection. Do exactly what is asked, in as few words as possible.',
  messages: [
    {
      role: 'user',
      text: withTool
        ? 'Count from one to ten in words, then call the tool `report` with "ok".'
        : 'Count from one to ten in words.',
      images: [],
    },
  ],
  tools: withTool
    ? [
        {
          name: 'report',
          description: 'Reports that the test went well.',
          parameters: { type: 'object', properties: { result: { type: 'string' } }, required: ['result'] },
        },
      ]
    : [],
  maxOutputTokens: OUTPUT_TOKENS,
})

/** Never rejects. A model that refuses tools is asked once more without. */
export async function tryProvider(account: Account, model: string, signal: AbortSignal): Promise<Trial> {
  const first = await ask(account, trialRequest(model, true), signal)
  const refusesTools = first.failure?.code === 'bad_request' && /tool|function/i.test(first.failure.message)
  if (!refusesTools) return trialOf(account, model, first, first.called || (first.failure ? null : false))
  return trialOf(account, model, await ask(account, trialRequest(model, false), signal), false)
}

interface Seen {
  answered: string | null
  firstTokenMs: number | null
  pieces: number
  called: boolean
  failure: ChatFailure | null
  ended: boolean
}

async function ask(account: Account, request: ModelRequest, signal: AbortSignal): Promise<Seen> {
  const seen: Seen = { answered: null, firstTokenMs: null, pieces: 0, called: false, failure: null, ended: false }
  const from = performance.now()
  const most = new Map<ChatEvent['type'], number>()
  for await (const event of streamRemote(account, request, limited(signal, TRIAL_MS))) {
    seen.answered = event.providerModel?.slice(0, 300) ?? null
    if (event.failure) seen.failure = event.failure
    if (event.type === 'RESPONSE_END') seen.ended = true
    if (event.type === 'TOOL_CALL_START') seen.called = true
    if (!event.type.endsWith('_DELTA') && event.type !== 'TOOL_CALL_START') continue
    seen.firstTokenMs ??= Math.round(performance.now() - from)
    most.set(event.type, (most.get(event.type) ?? 0) + 1)
  }
  seen.pieces = Math.max(0, ...most.values())
  return seen
}

function trialOf({ provider }: Account, model: string, seen: Seen, tools: boolean | null): Trial {
  const { answered, firstTokenMs, failure, ended } = seen
  const facts = { model, answered, firstTokenMs, tools }
  if (failure) return { ...facts, ok: false, message: failure.message, streams: null, failure: failure.code }
  if (!ended) {
    const message = `${provider.label} did not answer within ${TRIAL_MS / 1000} s. Check the base URL, or try again.`
    return { ...facts, ok: false, message, streams: null, failure: 'timeout' }
  }
  if (firstTokenMs === null) {
    const message = `${provider.label} answered with nothing at all. Choose another model.`
    return { ...facts, ok: false, message, streams: null, failure: 'protocol' }
  }
  return { ...facts, ok: true, message: `${splitModel(model).id} answered.`, streams: seen.pieces > 1, failure: null }
}
