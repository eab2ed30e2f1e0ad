/**
 * The long tail: any provider written for version 6 of the `ai` package (its models speak `LanguageModelV3`) as a model of Belay. Its
 * parts become our drafts one by one; what it hides behind `raw` stays RAW. The package itself is the person's, never ours.
 */
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider'
import type { ChatEventDraft, ChatFailure, FinishReason } from '#contract/chat-event'
import type { Usage } from '#contract/session-event'
import type { AssistantPart, ModelMessage, ModelRequest } from '../agent/ports.ts'
import type { Emitter } from '../base/emitter.ts'
import { FOREIGN_REASONING, parseArguments } from './dialect.ts'
import { failure, failureOfStatus, failureOfThrown } from './failure.ts'
import { type Budgets, budgetsFor, createPace } from './pace.ts'
import { splitModel } from './provider.ts'

export interface AiSdkOptions {
  /** By the characters of the request. */
  readonly budgetsOf?: (chars: number) => Budgets
  /** Told when this machine has slept. */
  readonly resumed?: Emitter<void> | undefined
}

/** Its own retries are ours to make, so it makes none: `doStream` is called once. It ends in time also where the package does not hear. */
export async function* draftsOfAiSdk(
  model: LanguageModelV3,
  request: ModelRequest,
  signal: AbortSignal,
  { budgetsOf = budgetsFor, resumed }: AiSdkOptions = {},
): AsyncGenerator<ChatEventDraft> {
  const translate = createTranslator()
  const dropped = new Set<string>()
  const options = optionsOf(request, dropped)
  for (const text of dropped) yield { type: 'STATUS', subType: 'dropped', text }
  const socket = new AbortController()
  const abort = () => socket.abort()
  const aborted = new Promise<never>((_, reject) => {
    socket.signal.addEventListener('abort', () => reject(socket.signal.reason), { once: true })
  })
  aborted.catch(() => {})
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  const pace = createPace(model.provider, budgetsOf(JSON.stringify(options).length), abort, resumed)
  let close = async () => {}
  try {
    const answering = Promise.resolve(model.doStream({ ...options, abortSignal: socket.signal }))
    close = async () => (await answering).stream.cancel()
    const reader = (await Promise.race([answering, aborted])).stream.getReader()
    close = () => reader.cancel()
    for (;;) {
      const next = await Promise.race([reader.read(), aborted])
      if (next.done) break
      pace.heard()
      yield* translate.next(next.value)
      if (translate.complete) pace.completed()
    }
    if (!translate.complete) yield { type: 'ERROR', failure: failure('truncated', brokeOff(model.provider)) }
  } catch (thrown) {
    // Complete is complete: how the line ended after that is nobody's concern.
    if (!signal.aborted && !translate.complete)
      yield { type: 'ERROR', failure: pace.late ?? failureOf(model.provider, thrown) }
  } finally {
    pace.end()
    signal.removeEventListener('abort', abort)
    socket.abort()
    // Closes its socket when we stop before it does, and when it answers after that.
    void close().catch(() => {})
  }
  yield { type: 'STEP_END', finish: translate.finish }
}

const brokeOff = (provider: string): string =>
  `The answer of ${provider} broke off before it was complete and may be truncated. What came is kept; say "continue" to go on.`

function optionsOf(request: ModelRequest, dropped: Set<string>): LanguageModelV3CallOptions {
  const { answer, maxOutputTokens, tools } = request
  const { provider } = splitModel(request.model)
  return {
    prompt: [
      { role: 'system', content: request.system },
      ...request.messages.flatMap(message => toMessage(message, provider, dropped)),
    ],
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      inputSchema: parameters,
    })),
    ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
    ...(answer ? { responseFormat: { type: 'json', name: answer.name, schema: answer.schema } } : {}),
    includeRawChunks: true,
  }
}

function toMessage(message: ModelMessage, provider: string, dropped: Set<string>): LanguageModelV3Message[] {
  if (message.role === 'user') {
    const files = [...message.images, ...(message.files ?? [])].map(
      ({ mediaType, base64 }) => ({ type: 'file', mediaType, data: base64 }) as const,
    )
    return [{ role: 'user', content: [...files, { type: 'text', text: message.text }] }]
  }
  if (message.role === 'tool') {
    const { callId, tool, text, failed } = message
    const output = { type: failed ? 'error-text' : 'text', value: text } as const
    return [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: callId, toolName: tool, output }] }]
  }
  const content = message.parts.flatMap(part => toPart(part, provider, dropped))
  return content.length === 0 ? [] : [{ role: 'assistant', content }]
}

type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content']

function toPart(part: AssistantPart, provider: string, dropped: Set<string>): AssistantContent {
  const own = 'opaque' in part && part.opaque?.provider === provider ? part.opaque.data : null
  const options = own ? { providerOptions: own as SharedV3ProviderMetadata } : {}
  if (part.kind === 'text' || part.kind === 'server')
    return part.text === '' ? [] : [{ type: 'text', text: part.text, ...options }]
  if (part.kind === 'reasoning') {
    if (part.opaque && !own) dropped.add(FOREIGN_REASONING)
    return own ? [{ type: 'reasoning', text: part.text, ...options }] : []
  }
  const { callId: toolCallId, tool: toolName } = part
  return [{ type: 'tool-call', toolCallId, toolName, input: parseArguments(part.arguments) }]
}

const finishes: Record<string, FinishReason> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'filter',
  'tool-calls': 'tool',
}

function createTranslator() {
  /** Ids of calls that run at the provider. */
  const served = new Map<string, string>()
  let complete = false
  let finish: FinishReason | null = null

  const draft = (part: LanguageModelV3StreamPart): ChatEventDraft[] => {
    switch (part.type) {
      case 'text-start':
        return [{ type: 'TEXT_START', blockId: part.id }]
      case 'text-delta':
        return [{ type: 'TEXT_DELTA', blockId: part.id, text: part.delta }]
      case 'text-end':
        return [{ type: 'TEXT_END', blockId: part.id, ...signed(part.providerMetadata) }]
      case 'reasoning-start':
        return [{ type: 'THINKING_START', blockId: part.id }]
      case 'reasoning-delta':
        return [{ type: 'THINKING_DELTA', blockId: part.id, text: part.delta }]
      case 'reasoning-end':
        return [
          ...(part.providerMetadata
            ? [{ type: 'THINKING_SIGNATURE', blockId: part.id, opaque: part.providerMetadata } as const]
            : []),
          { type: 'THINKING_END', blockId: part.id },
        ]
      case 'tool-input-start': {
        if (part.providerExecuted) served.set(part.id, part.toolName)
        const toolCall = { id: part.id, name: part.toolName, arguments: '' }
        return [{ type: toolType(part.id, 'START'), blockId: part.id, toolCall, subType: part.toolName }]
      }
      case 'tool-input-delta':
        return [{ type: toolType(part.id, 'ARGS_DELTA'), blockId: part.id, text: part.delta }]
      case 'tool-input-end':
        return []
      case 'tool-call':
        return called(part)
      case 'tool-result': {
        const text = typeof part.result === 'string' ? part.result : JSON.stringify(part.result, null, 2)
        const at = { blockId: part.toolCallId, subType: part.toolName }
        return part.preliminary ? [] : [{ type: 'SERVER_TOOL_RESULT', ...at, text, failed: part.isError ?? false }]
      }
      case 'file':
        return [{ type: 'MEDIA_DONE', media: { mediaType: part.mediaType, base64: base64Of(part.data), url: null } }]
      case 'source':
        return [
          {
            type: 'CITATION',
            citation: { url: part.sourceType === 'url' ? part.url : null, title: part.title ?? null, quote: null },
          },
        ]
      case 'stream-start':
        return part.warnings.map(warning => ({ type: 'STATUS', subType: 'warning', text: wordsOf(warning) }))
      case 'response-metadata':
        return [
          {
            ...{ type: 'STATUS', subType: 'started' },
            ...{ providerResponseId: part.id ?? null, providerModel: part.modelId ?? null },
          },
        ]
      case 'finish':
        complete = true
        finish = finishes[part.finishReason.unified] ?? 'other'
        return [
          ...(finish === 'filter' ? [{ type: 'CONTENT_FILTER', subType: part.finishReason.raw ?? null } as const] : []),
          { type: 'USAGE', usage: usageOf(part.usage) },
        ]
      case 'error':
        return [{ type: 'ERROR', failure: failureOf('The provider', part.error) }]
      default:
        return [{ type: 'RAW', rawType: part.type, opaque: part }]
    }
  }
  const toolType = <E extends 'START' | 'ARGS_DELTA'>(id: string, end: E) =>
    served.has(id) ? (`SERVER_TOOL_${end}` as const) : (`TOOL_CALL_${end}` as const)
  const called = (part: Extract<LanguageModelV3StreamPart, { type: 'tool-call' }>): ChatEventDraft[] => {
    const { toolCallId: id, toolName: name, input } = part
    const toolCall = { id, name, arguments: input || '{}' }
    if (!part.providerExecuted) return [{ type: 'TOOL_CALL_END', blockId: id, toolCall }]
    const isNew = !served.has(id)
    served.set(id, name)
    return isNew ? [{ type: 'SERVER_TOOL_START', blockId: id, toolCall, subType: name }] : []
  }
  return {
    next: draft,
    get complete() {
      return complete
    },
    get finish() {
      return finish
    },
  }
}

const signed = (metadata: SharedV3ProviderMetadata | undefined): { opaque?: unknown } =>
  metadata ? { opaque: metadata } : {}

const base64Of = (data: string | Uint8Array): string =>
  typeof data === 'string' ? data : Buffer.from(data).toString('base64')

const wordsOf = (warning: { type: string; message?: string; details?: string; feature?: string }): string =>
  [warning.feature, warning.message ?? warning.details].filter(Boolean).join(': ') || warning.type

function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): Partial<Usage> {
  const { total, noCache, cacheRead, cacheWrite } = inputTokens
  const fields: [keyof Usage, number | undefined][] = [
    ['input', noCache ?? (total === undefined ? undefined : total - (cacheRead ?? 0) - (cacheWrite ?? 0))],
    ['output', outputTokens.total],
    ['cacheRead', cacheRead],
    ['cacheWrite', cacheWrite],
    ['reasoning', outputTokens.reasoning],
  ]
  return Object.fromEntries(fields.filter(([, count]) => count !== undefined))
}

/** Its errors say their status and body; known by their fields, for its classes are another copy of the package. */
function failureOf(provider: string, thrown: unknown): ChatFailure {
  const { statusCode, responseBody, responseHeaders, url, message } = thrown as {
    statusCode?: number
    responseBody?: string
    responseHeaders?: Record<string, string>
    url?: string
    message?: string
  }
  if (typeof statusCode === 'number' && statusCode >= 400)
    return failureOfStatus(provider, statusCode, responseBody ?? '', new Headers(responseHeaders))
  if (url !== undefined || (thrown as { cause?: unknown }).cause)
    return failureOfThrown(provider, url ?? provider, thrown)
  return failure('protocol', `${provider} answered in a way that its package cannot read: ${message ?? String(thrown)}`)
}
