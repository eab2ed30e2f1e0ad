/** A model behind HTTP as a `Model`: frames through a dialect, exactly one terminal event, whatever the network does. */
import { type ChatEvent, chatEvent } from '#contract/chat-event'
import type { ModelRequest } from '../agent/ports.ts'
import { anthropicBody, anthropicHeaders, createAnthropicDialect } from './anthropic.ts'
import type { Dialect } from './events.ts'
import { failure } from './failure.ts'
import { type Budgets, budgetsFor, postForFrames } from './frames.ts'
import { createOpenAiDialect, openAiBody, openAiHeaders } from './openai-chat.ts'
import type { Provider } from './provider.ts'

/** Where to send and with what key; made fresh for every call, so that a changed key counts at once. */
export interface Account {
  readonly provider: Provider
  readonly baseUrl: string
  readonly key: string | null
}

const dialects = {
  anthropic: {
    path: (base: string) => `${base.replace(/\/v1$/, '')}/v1/messages`,
    body: anthropicBody,
    headers: (key: string | null) => anthropicHeaders(key ?? ''),
    create: createAnthropicDialect,
  },
  'openai-chat': {
    path: (base: string) => `${base}/chat/completions`,
    body: openAiBody,
    headers: openAiHeaders,
    create: createOpenAiDialect,
  },
} as const

/** `budgets` are for tests; without them they follow the size of the request. */
export async function* streamRemote(
  { provider, baseUrl, key }: Account,
  request: ModelRequest,
  signal: AbortSignal,
  budgets?: Budgets,
): AsyncGenerator<ChatEvent> {
  const { path, body, headers, create } = dialects[provider.dialect]
  const text = body(request)
  const dialect: Dialect = create()
  let seq = 0
  const number = (event: ChatEvent): ChatEvent => ({ ...event, seq: seq++ })
  const make = (type: ChatEvent['type'], facts: Partial<ChatEvent> = {}) => chatEvent(type, seq++, facts)

  yield make('RESPONSE_START')
  yield make('STEP_START')
  const frames = postForFrames(
    {
      provider: provider.label,
      url: path(baseUrl.replace(/\/+$/, '')),
      headers: headers(key),
      body: text,
      budgets: budgets ?? budgetsFor(text.length),
    },
    signal,
  )
  let problem = null
  for await (const step of frames) {
    if ('failure' in step) {
      problem = step.failure
      break
    }
    for (const event of dialect.next(step.frame)) yield number(event)
    problem = dialect.failure
    if (problem) break
  }
  if (signal.aborted) return
  for (const event of dialect.close()) yield number(event)
  const { usage, finish } = dialect
  if (!problem && !dialect.complete)
    problem = failure(
      'truncated',
      `The answer of ${provider.label} broke off before it was complete. What came is kept; say "continue" to go on.`,
    )
  yield make('STEP_END', { usage, finish })
  if (problem) yield make('ERROR', { failure: problem, usage })
  else yield make('RESPONSE_END', { usage, finish })
}
