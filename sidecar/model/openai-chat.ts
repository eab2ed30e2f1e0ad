/** OpenAI Chat Completions and everything compatible with it: our history as its request, its frames as our events. */
import type { ChatEvent, ChatFailure, FinishReason } from '#contract/chat-event'
import type { Usage } from '#contract/session-event'
import { noUsage } from '#contract/session-fold'
import type { ModelMessage, ModelRequest } from '../agent/ports.ts'
import { createEvents, type Dialect } from './events.ts'
import { failure } from './failure.ts'
import { factsOf } from './price.ts'
import { splitModel } from './provider.ts'

/** The arguments text as an object, for providers that take no text; what is no JSON object is shown as it was. */
export function parseArguments(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text || '{}')
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
  } catch {
    // Told to the model as the text it wrote.
  }
  return { unreadable_arguments: text }
}

export const openAiHeaders = (key: string | null): Record<string, string> =>
  key ? { authorization: `Bearer ${key}` } : {}

export function openAiBody(request: ModelRequest): string {
  const { provider, id } = splitModel(request.model)
  const efforts = factsOf(request.model)?.efforts ?? false
  const effort = request.effort === 'max' ? 'high' : request.effort
  return JSON.stringify({
    model: id,
    stream: true,
    // Not every compatible server knows the option; those that do send usage in a last frame.
    stream_options: { include_usage: true },
    ...(efforts && effort !== 'auto' ? { reasoning_effort: effort } : {}),
    ...(request.maxOutputTokens
      ? { [provider === 'openai' ? 'max_completion_tokens' : 'max_tokens']: request.maxOutputTokens }
      : {}),
    messages: [{ role: 'system', content: request.system }, ...request.messages.flatMap(toMessage)],
    ...(request.tools.length > 0
      ? {
          tools: request.tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
        }
      : {}),
  })
}

function toMessage(message: ModelMessage): Record<string, unknown>[] {
  if (message.role === 'tool')
    return [{ role: 'tool', tool_call_id: message.callId, content: message.text || '(empty)' }]
  if (message.role === 'user') {
    if (message.images.length === 0) return [{ role: 'user', content: message.text }]
    const images = message.images.map(({ mediaType, base64 }) => ({
      type: 'image_url',
      image_url: { url: `data:${mediaType};base64,${base64}` },
    }))
    return [{ role: 'user', content: [...(message.text ? [{ type: 'text', text: message.text }] : []), ...images] }]
  }
  const text = message.parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('')
  const calls = message.parts.flatMap(part =>
    part.kind === 'call'
      ? [{ id: part.callId, type: 'function', function: { name: part.tool, arguments: part.arguments || '{}' } }]
      : [],
  )
  if (text === '' && calls.length === 0) return []
  return [{ role: 'assistant', content: text === '' ? null : text, ...(calls.length > 0 ? { tool_calls: calls } : {}) }]
}

interface WireCall {
  index?: number
  id?: string | null
  function?: { name?: string | null; arguments?: string | null }
}
interface WireFrame {
  choices?: {
    delta?: {
      content?: string | null
      refusal?: string | null
      reasoning_content?: string | null
      reasoning?: string | null
      tool_calls?: WireCall[]
    }
    finish_reason?: string | null
  }[]
  usage?: {
    prompt_tokens?: number
    completion_tokens?: number
    prompt_tokens_details?: { cached_tokens?: number } | null
    completion_tokens_details?: { reasoning_tokens?: number } | null
  } | null
  error?: { message?: string; code?: string | number | null; type?: string } | string
}

const finishes: Record<string, FinishReason> = {
  stop: 'stop',
  tool_calls: 'tool',
  function_call: 'tool',
  length: 'length',
  content_filter: 'filter',
}

export function createOpenAiDialect(): Dialect {
  const make = createEvents()
  const calls = new Map<number, { id: string | null; name: string; text: string; started: boolean }>()
  let block: 'text' | 'thinking' | null = null
  let complete = false
  let failed: ChatFailure | null = null
  let usage: Usage = { ...noUsage, known: false }
  let finish: FinishReason | null = null

  const enter = (next: typeof block): ChatEvent[] => {
    if (block === next) return []
    const ended = block === 'text' ? [make('TEXT_END')] : block === 'thinking' ? [make('THINKING_END')] : []
    block = next
    return [...ended, ...(next === 'text' ? [make('TEXT_START')] : next === 'thinking' ? [make('THINKING_START')] : [])]
  }
  const endCalls = (): ChatEvent[] => {
    const ended = [...calls].flatMap(([index, { id, name, text, started }]) =>
      started ? [make('TOOL_CALL_END', { index, blockId: id, toolCall: { id, name, arguments: text || '{}' } })] : [],
    )
    calls.clear()
    return ended
  }
  /** Some servers send no index, some send the id only once, some the name in pieces. */
  const changeCall = (wire: WireCall, place: number): ChatEvent[] => {
    const index = wire.index ?? (wire.id ? (indexOf(wire.id) ?? calls.size) : Math.max(0, calls.size - 1, place))
    const call = calls.get(index) ?? { id: null, name: '', text: '', started: false }
    calls.set(index, call)
    call.id ||= wire.id ?? null
    call.name += wire.function?.name ?? ''
    const at = { index, blockId: call.id }
    const out: ChatEvent[] = enter(null)
    if (!call.started && call.name !== '') {
      call.started = true
      out.push(make('TOOL_CALL_START', { ...at, toolCall: { id: call.id, name: call.name, arguments: '' } }))
    }
    const text = wire.function?.arguments ?? ''
    call.text += text
    if (text !== '') out.push(make('TOOL_CALL_ARGS_DELTA', { ...at, text }))
    return out
  }
  const indexOf = (id: string): number | undefined => [...calls].find(([, call]) => call.id === id)?.[0]

  return {
    next({ data }) {
      if (data.trim() === '[DONE]') {
        complete = true
        return []
      }
      let frame: WireFrame
      try {
        frame = JSON.parse(data) as WireFrame
      } catch {
        return [make('RAW', { rawType: 'unreadable', text: data.slice(0, 200) })]
      }
      if (frame.error) {
        failed = failureOf(frame.error)
        return []
      }
      const out: ChatEvent[] = []
      const choice = frame.choices?.[0]
      const { content, refusal, tool_calls, ...delta } = choice?.delta ?? {}
      const thought = delta.reasoning_content ?? delta.reasoning
      if (thought) out.push(...enter('thinking'), make('THINKING_DELTA', { text: thought }))
      if (content) out.push(...enter('text'), make('TEXT_DELTA', { text: content }))
      if (refusal) out.push(make('REFUSAL_DELTA', { text: refusal }))
      for (const [place, call] of (tool_calls ?? []).entries()) out.push(...changeCall(call, place))
      if (choice?.finish_reason) {
        finish = finishes[choice.finish_reason] ?? 'other'
        // Several servers never send [DONE]; a reason to finish is completion enough.
        complete = true
        out.push(...enter(null), ...endCalls())
      }
      if (frame.usage) {
        const cacheRead = frame.usage.prompt_tokens_details?.cached_tokens ?? 0
        usage = {
          input: Math.max(0, (frame.usage.prompt_tokens ?? 0) - cacheRead),
          output: frame.usage.completion_tokens ?? 0,
          cacheRead,
          cacheWrite: 0,
          reasoning: frame.usage.completion_tokens_details?.reasoning_tokens ?? 0,
          known: true,
        }
        out.push(make('USAGE', { usage }))
      }
      return out
    },
    close: () => [...enter(null), ...endCalls()],
    get complete() {
      return complete
    },
    get failure() {
      return failed
    },
    get usage() {
      return usage
    },
    get finish() {
      return finish
    },
  }
}

function failureOf(error: NonNullable<WireFrame['error']>): ChatFailure {
  const message = typeof error === 'string' ? error : (error.message ?? 'no reason given')
  const code = typeof error === 'string' ? '' : String(error.code ?? error.type ?? '')
  if (/context_length|too long/i.test(`${code} ${message}`))
    return failure('context_too_long', `The conversation is longer than the model can take: ${message}`)
  if (/rate_limit|429/.test(code))
    return failure('rate_limit', `The provider limits how much may be sent now: ${message}`)
  if (/overload|50[0-9]/.test(code)) return failure('overloaded', `The provider failed on its side: ${message}`)
  return failure('bad_request', `The provider broke off: ${message}`)
}
