/** OpenAI Chat Completions and everything compatible with it: its frames as our drafts, however freely they are compatible. */
import type { ChatEventDraft, ChatMedia, FinishReason } from '#contract/chat-event'
import { type FrameParser, readFrame } from '../dialect.ts'
import { failureOfFrame } from '../failure.ts'
import { createThinkTags } from './think-tags.ts'

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
  images?: { image_url?: { url?: string } }[] | null
}
interface WireUsage {
  prompt_tokens?: number
  completion_tokens?: number
  prompt_tokens_details?: { cached_tokens?: number } | null
  /** DeepSeek's word for the same. */
  prompt_cache_hit_tokens?: number
  completion_tokens_details?: { reasoning_tokens?: number } | null
}
type WireError = { message?: string; code?: string | number | null; type?: string } | string
interface WireFrame {
  id?: string
  model?: string
  choices?: {
    delta?: WireDelta
    message?: WireDelta
    finish_reason?: string | null
    usage?: WireUsage | null
    error?: WireError
  }[]
  usage?: WireUsage | null
  error?: WireError | null
  /** Groq's place for it. */
  x_groq?: { usage?: WireUsage | null } | null
  /** vLLM's errors are frames themselves. */
  message?: string
  code?: string | number | null
  type?: string
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
export interface Thought {
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

export function openAiChatParser(): FrameParser {
  const calls: OpenCall[] = []
  const tags = createThinkTags()
  let count = 0
  let complete = false
  let over = false
  let refused = false
  let finish: FinishReason | null = null
  let responseId: string | undefined
  let model: string | undefined
  let cited = 0
  let thought: Thought | null = null

  /** Some servers send no index, some one index for all, some one id for all, some the id only once, some another id each time. */
  const callOf = ({ id, index: place, function: said }: WireCall): OpenCall => {
    const here = place === undefined ? calls : calls.filter(call => call.place === place)
    const known = (id && here.find(call => call.id === id)) || here.at(-1)
    if (known && !isAnother(known, id, place, said?.name)) return known
    const call: OpenCall = { index: count++, place, id: null, name: '', text: '' }
    calls.push(call)
    return call
  }
  const changeCall = (wire: WireCall): ChatEventDraft[] => {
    const call = callOf(wire)
    const { name = null, arguments: text = null } = wire.function ?? {}
    const begins = call.name === '' && name
    call.id ||= wire.id && !calls.some(({ id }) => id === wire.id) ? wire.id : null
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
    const text = field ? delta[field] : details.map(each => each.text ?? each.summary ?? '').join('')
    const out: ChatEventDraft[] = text ? [{ type: 'THINKING_DELTA', text }] : []
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
      if (text) out.push(...(hidden ? [{ type: 'THINKING_DELTA', text } as const] : tags.feed(text)))
    }
    refused ||= Boolean(refusal)
    if (refusal) out.push({ type: 'REFUSAL_DELTA', text: refusal })
    for (const { image_url: image } of delta.images ?? [])
      if (image?.url) out.push({ type: 'MEDIA_DONE', media: mediaOf(image.url) })
    const called = delta.tool_calls ?? (delta.function_call ? [{ index: 0, function: delta.function_call }] : [])
    for (const call of called) out.push(...changeCall(call))
    for (const { url_citation: source } of delta.annotations ?? []) if (source) out.push(citation(source))
    return out
  }

  return {
    next(raw) {
      if (raw.data.trim() === '[DONE]') {
        complete = over = true
        return [...tags.end(), ...endCalls()]
      }
      const read = readFrame<WireFrame>(raw)
      if ('raw' in read) return [read.raw]
      const { frame } = read
      const error = frame.error ?? frame.choices?.[0]?.error ?? (frame.object === 'error' ? frame : null)
      if (error) return [{ type: 'ERROR', failure: failureOf(error) }]
      if (!frame.choices && !frame.usage) return [{ type: 'RAW', rawType: frame.object ?? null, opaque: frame }]
      const out: ChatEventDraft[] = []
      if ((frame.id && frame.id !== responseId) || (frame.model && frame.model !== model)) {
        responseId = frame.id ?? responseId
        model = frame.model ?? model
        const told = { providerResponseId: responseId ?? null, providerModel: model ?? null }
        out.push({ type: 'STATUS', subType: 'started', ...told })
      }
      const choice = frame.choices?.[0]
      // A server that does not stream answers with a message at once.
      out.push(...say(choice?.delta ?? choice?.message ?? {}))
      for (const url of frame.citations?.slice(cited) ?? []) out.push(citation({ url }))
      cited = Math.max(cited, frame.citations?.length ?? 0)
      if (choice?.finish_reason) {
        finish = finishes[choice.finish_reason] ?? 'other'
        // Many stop for a call without saying so.
        if (finish === 'stop') finish = count > 0 ? 'tool' : refused ? 'refusal' : 'stop'
        if (finish === 'filter') out.push({ type: 'CONTENT_FILTER', subType: choice.finish_reason })
        // Several servers never send [DONE]; a reason to finish is completion enough.
        complete = true
        out.push(...tags.end(), ...endCalls())
      }
      const usage = frame.usage ?? choice?.usage ?? frame.x_groq?.usage
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

/** A name begins another call, but not where a server says it with every piece. */
function isAnother(
  known: OpenCall,
  id: string | null | undefined,
  place: number | undefined,
  name: string | null | undefined,
) {
  if (!name || known.name === '') return false
  if (id && known.id) return id !== known.id
  return place === undefined && (name !== known.name || isObject(known.text))
}

function isObject(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

const mediaOf = (url: string): ChatMedia => {
  const [, mediaType = 'image/png', base64 = null] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  return { mediaType, base64, url: base64 === null ? url : null }
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

function failureOf(error: WireError) {
  const { message = '', code, type } = typeof error === 'string' ? { message: error } : error
  return failureOfFrame('The provider', [code, type].filter(Boolean).join(' '), message)
}
