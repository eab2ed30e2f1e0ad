/** OpenAI Chat Completions and everything compatible with it: our history as its request, its frames as our drafts. */
import type { ChatEventDraft, FinishReason } from '#contract/chat-event'
import type { ModelMessage, ModelRequest } from '../../agent/ports.ts'
import type { ModelFacts } from '../catalog.ts'
import { type Dialect, type FrameParser, readFrame } from '../dialect.ts'
import { failure } from '../failure.ts'
import { splitModel } from '../provider.ts'

export const openAiChat: Dialect = {
  framing: 'sse',
  url: base => `${base}/chat/completions`,
  headers: (key): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {}),
  body,
  parser,
}

function body(request: ModelRequest, facts: ModelFacts | null) {
  const { provider, id } = splitModel(request.model)
  const dropped = new Set<string>()
  const effort = facts?.reasoning?.levels[request.effort]
  const json = JSON.stringify({
    model: id,
    stream: true,
    // Not every compatible server knows the option; those that do send usage in a last frame.
    stream_options: { include_usage: true },
    ...(typeof effort === 'string' ? { reasoning_effort: effort } : {}),
    ...(request.maxOutputTokens
      ? { [provider === 'openai' ? 'max_completion_tokens' : 'max_tokens']: request.maxOutputTokens }
      : {}),
    ...(request.answer
      ? { response_format: { type: 'json_schema', json_schema: { ...request.answer, strict: false } } }
      : {}),
    messages: [
      { role: 'system', content: request.system },
      ...request.messages.flatMap(message => toMessage(message, provider, facts, dropped)),
    ],
    ...(request.tools.length > 0
      ? {
          tools: request.tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
        }
      : {}),
  })
  return { json, dropped: [...dropped] }
}

function toMessage(
  message: ModelMessage,
  provider: string,
  facts: ModelFacts | null,
  dropped: Set<string>,
): Record<string, unknown>[] {
  if (message.role === 'tool')
    return [{ role: 'tool', tool_call_id: message.callId, content: message.text || '(empty)' }]
  if (message.role === 'user') {
    const media = [...message.images, ...(message.files ?? [])].flatMap(file => mediaPart(file, facts, dropped))
    if (media.length === 0) return [{ role: 'user', content: message.text }]
    return [{ role: 'user', content: [...(message.text ? [{ type: 'text', text: message.text }] : []), ...media] }]
  }
  const text = message.parts
    .flatMap(part => (part.kind === 'text' || part.kind === 'server' ? [part.text] : []))
    .join('')
  const calls = message.parts.flatMap(part =>
    part.kind === 'call'
      ? [{ id: part.callId, type: 'function', function: { name: part.tool, arguments: part.arguments || '{}' } }]
      : [],
  )
  const thought = message.parts.flatMap((part): [string, unknown][] => {
    if (part.kind !== 'reasoning') return []
    const own = part.opaque?.provider === provider ? (part.opaque.data as Thought) : null
    if (part.opaque && !own) dropped.add('Reasoning of another model cannot be sent to this one and was left out.')
    // A provider that wants its reasoning back within a turn of tools is told it in the field that it used.
    if (calls.length === 0 || !own) return []
    return own.details ? [['reasoning_details', own.details]] : [[own.field ?? 'reasoning_content', part.text]]
  })
  if (text === '' && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...Object.fromEntries(thought),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ]
}

function mediaPart(
  { mediaType, base64, name }: { mediaType: string; base64: string; name?: string },
  facts: ModelFacts | null,
  dropped: Set<string>,
): Record<string, unknown>[] {
  const url = `data:${mediaType};base64,${base64}`
  const takes = (kind: 'image' | 'pdf') => facts === null || facts.input.includes(kind)
  if (mediaType.startsWith('image/') && takes('image')) return [{ type: 'image_url', image_url: { url } }]
  if (mediaType === 'application/pdf' && takes('pdf'))
    return [{ type: 'file', file: { filename: name ?? 'file.pdf', file_data: url } }]
  dropped.add(`This model takes no ${mediaType}, so it was not sent.`)
  return []
}

interface WireCall {
  index?: number
  id?: string | null
  function?: { name?: string | null; arguments?: string | null }
}
interface WireAnnotation {
  type?: string
  url_citation?: { url?: string; title?: string; content?: string }
}
interface WireDetail {
  readonly type?: string
  readonly index?: number
  readonly text?: string | null
  readonly summary?: string | null
}
interface WireDelta {
  /** Mistral sends parts. */
  content?: string | { type?: string; text?: string; thinking?: { text?: string }[] }[] | null
  refusal?: string | null
  reasoning_content?: string | null
  reasoning?: string | null
  reasoning_text?: string | null
  thinking?: string | null
  /** OpenRouter: signed or hidden reasoning, to be sent back as it came. */
  reasoning_details?: WireDetail[] | null
  tool_calls?: WireCall[] | null
  /** Before there were tools. */
  function_call?: { name?: string; arguments?: string } | null
  annotations?: WireAnnotation[] | null
}
interface WireUsage {
  prompt_tokens?: number
  completion_tokens?: number
  prompt_tokens_details?: { cached_tokens?: number } | null
  /** DeepSeek's word for the same. */
  prompt_cache_hit_tokens?: number
  completion_tokens_details?: { reasoning_tokens?: number } | null
}
interface WireFrame {
  id?: string
  choices?: { delta?: WireDelta; message?: WireDelta; finish_reason?: string | null; usage?: WireUsage | null }[]
  usage?: WireUsage | null
  error?: { message?: string; code?: string | number | null; type?: string } | string
  /** Perplexity's and xAI's sources. */
  citations?: string[] | null
  object?: string
}

const finishes: Record<string, FinishReason> = {
  stop: 'stop',
  eos: 'stop',
  tool_calls: 'tool',
  function_call: 'tool',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  content_filter: 'filter',
}
/** The names under which compatible servers send what the model thinks. */
const thoughtFields = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const

/** What must go back within a turn: the field that the server spoke in, or its own details. */
interface Thought {
  readonly field?: string
  readonly details?: readonly WireDetail[]
}

/** Pieces of one detail come one after another. */
function withDetails(before: readonly WireDetail[], more: readonly WireDetail[]): WireDetail[] {
  const out = [...before]
  for (const each of more) {
    const last = out.at(-1)
    const goesOn = last && last.type === each.type && last.index === each.index
    if (!goesOn) out.push(each)
    else {
      const grown = (key: 'text' | 'summary') =>
        typeof each[key] === 'string' ? { [key]: `${last[key] ?? ''}${each[key]}` } : {}
      out[out.length - 1] = { ...last, ...each, ...grown('text'), ...grown('summary') }
    }
  }
  return out
}

const citation = ({ url, title, content }: { url?: string; title?: string; content?: string }): ChatEventDraft => ({
  type: 'CITATION',
  citation: { url: url ?? null, title: title ?? null, quote: content ?? null },
})

interface OpenCall {
  /** Ours: every call has its own. */
  readonly index: number
  /** The server's: perhaps the same for all. */
  readonly place: number | undefined
  id: string | null
  name: string
  text: string
}

function parser(): FrameParser {
  const calls: OpenCall[] = []
  let count = 0
  let complete = false
  let over = false
  let finish: FinishReason | null = null
  let responseId: string | null = null
  let cited = 0
  let thought: Thought | null = null

  /** Some servers send no index, some one index for all, some the id only once, some whole calls without either. */
  const callOf = ({ id, index: place, function: said }: WireCall): OpenCall => {
    const last = place === undefined ? calls.at(-1) : calls.findLast(call => call.place === place)
    const known = (id && calls.find(call => call.id === id)) || last
    const isAnother = id ? known?.id && known.id !== id : place === undefined && said?.name && known?.name
    if (known && !isAnother) return known
    const call: OpenCall = { index: count++, place, id: null, name: '', text: '' }
    calls.push(call)
    return call
  }
  const changeCall = (wire: WireCall): ChatEventDraft[] => {
    const call = callOf(wire)
    const { name = null, arguments: text = null } = wire.function ?? {}
    const begins = call.name === '' && name
    call.id ||= wire.id ?? null
    // The name again is no piece of a name.
    if (name && name !== call.name) call.name += name
    call.text += text ?? ''
    const at = { index: call.index, blockId: call.id }
    const toolCall = { id: call.id, name: call.name, arguments: '' }
    return [
      ...(begins ? [{ type: 'TOOL_CALL_START', ...at, toolCall } as const] : []),
      ...(text ? [{ type: 'TOOL_CALL_ARGS_DELTA', ...at, text } as const] : []),
    ]
  }
  const endCalls = (): ChatEventDraft[] =>
    calls.splice(0).map(({ index, id, name, text }) => ({
      type: 'TOOL_CALL_END',
      index,
      blockId: id,
      toolCall: { id, name, arguments: text || '{}' },
    }))

  const think = (delta: WireDelta): ChatEventDraft[] => {
    const field = thoughtFields.find(name => delta[name])
    const details = delta.reasoning_details ?? []
    const out: ChatEventDraft[] = field ? [{ type: 'THINKING_DELTA', text: delta[field] ?? '' }] : []
    const before = thought
    if (details.length > 0) thought = { details: withDetails(before?.details ?? [], details) }
    else if (field && !before) thought = { field }
    return thought === before ? out : [...out, { type: 'THINKING_SIGNATURE', opaque: thought }]
  }
  const say = (delta: WireDelta): ChatEventDraft[] => {
    const { content, refusal } = delta
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
    const out = think(delta)
    for (const part of parts) {
      const hidden = part.type === 'thinking'
      const text = hidden ? (part.thinking ?? []).map(each => each.text ?? '').join('') : part.text
      if (text) out.push({ type: hidden ? 'THINKING_DELTA' : 'TEXT_DELTA', text })
    }
    if (refusal) out.push({ type: 'REFUSAL_DELTA', text: refusal })
    const called = delta.tool_calls ?? (delta.function_call ? [{ index: 0, function: delta.function_call }] : [])
    for (const call of called) out.push(...changeCall(call))
    for (const { url_citation: source } of delta.annotations ?? []) if (source) out.push(citation(source))
    return out
  }

  return {
    next(raw) {
      if (raw.data.trim() === '[DONE]') {
        complete = over = true
        return []
      }
      const read = readFrame<WireFrame>(raw)
      if ('raw' in read) return [read.raw]
      const { frame } = read
      if (frame.error) return [{ type: 'ERROR', failure: failureOf(frame.error) }]
      if (!frame.choices && !frame.usage) return [{ type: 'RAW', rawType: frame.object ?? null, opaque: frame }]
      const out: ChatEventDraft[] = []
      if (frame.id && frame.id !== responseId) {
        responseId = frame.id
        out.push({ type: 'STATUS', subType: 'started', providerResponseId: frame.id })
      }
      const choice = frame.choices?.[0]
      // A server that does not stream answers with a message at once.
      out.push(...say(choice?.delta ?? choice?.message ?? {}))
      for (const url of frame.citations?.slice(cited) ?? []) out.push(citation({ url }))
      cited = Math.max(cited, frame.citations?.length ?? 0)
      if (choice?.finish_reason) {
        finish = finishes[choice.finish_reason] ?? 'other'
        if (finish === 'filter') out.push({ type: 'CONTENT_FILTER', subType: choice.finish_reason })
        // Several servers never send [DONE]; a reason to finish is completion enough.
        complete = true
        out.push(...endCalls())
      }
      const usage = frame.usage ?? choice?.usage
      if (usage) out.push(usageOf(usage))
      return out
    },
    get complete() {
      return complete
    },
    get over() {
      return over
    },
    get finish() {
      return finish
    },
  }
}

function usageOf(wire: WireUsage): ChatEventDraft {
  const cacheRead = wire.prompt_tokens_details?.cached_tokens ?? wire.prompt_cache_hit_tokens ?? 0
  return {
    type: 'USAGE',
    usage: {
      input: Math.max(0, (wire.prompt_tokens ?? 0) - cacheRead),
      output: wire.completion_tokens ?? 0,
      cacheRead,
      reasoning: wire.completion_tokens_details?.reasoning_tokens ?? 0,
    },
  }
}

function failureOf(error: NonNullable<WireFrame['error']>) {
  const message = typeof error === 'string' ? error : (error.message ?? 'no reason given')
  const code = typeof error === 'string' ? '' : String(error.code ?? error.type ?? '')
  if (/context_length|too long/i.test(`${code} ${message}`))
    return failure('context_too_long', `The conversation is longer than the model can take: ${message}`)
  if (/rate_limit|429/.test(code))
    return failure('rate_limit', `The provider limits how much may be sent now: ${message}`)
  if (/content_filter/.test(code)) return failure('content_filter', `A filter of the provider refused this: ${message}`)
  if (/overload|50[0-9]/.test(code)) return failure('overloaded', `The provider failed on its side: ${message}`)
  return failure('bad_request', `The provider broke off: ${message}`)
}
