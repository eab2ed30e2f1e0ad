/** Anthropic Messages: our history as its request, its frames as our events. */
import type { ChatEvent, ChatFailure, FinishReason } from '#contract/chat-event'
import type { Usage } from '#contract/session-event'
import { noUsage } from '#contract/session-fold'
import type { AssistantPart, ModelMessage, ModelRequest } from '../agent/ports.ts'
import { createEvents, type Dialect } from './events.ts'
import { failure } from './failure.ts'
import { parseArguments } from './openai-chat.ts'
import { factsOf } from './price.ts'
import { splitModel } from './provider.ts'

const DEFAULT_OUTPUT_TOKENS = 32_000
/** Tokens the model may think, by effort; `auto` leaves it to the model. */
const thinking: Record<string, number> = { low: 2048, medium: 8192, high: 16_384, max: 24_576 }
const cached = { cache_control: { type: 'ephemeral' } }

export const anthropicHeaders = (key: string): Record<string, string> => ({
  'x-api-key': key,
  'anthropic-version': '2023-06-01',
})

/** The JSON body. The prefix up to the last message is the same from step to step, and marked for the cache. */
export function anthropicBody(request: ModelRequest): string {
  const { id } = splitModel(request.model)
  const budget = factsOf(request.model)?.efforts ? thinking[request.effort] : undefined
  return JSON.stringify({
    model: id,
    max_tokens: request.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS,
    stream: true,
    ...(budget ? { thinking: { type: 'enabled', budget_tokens: budget } } : {}),
    system: [{ type: 'text', text: request.system, ...cached }],
    tools: request.tools.map(({ name, description, parameters }, i) => ({
      name,
      description,
      input_schema: parameters,
      ...(i === request.tools.length - 1 ? cached : {}),
    })),
    messages: toMessages(request.messages),
  })
}

type Block = Record<string, unknown>

/** Neighbours of one role are one message: results of parallel calls must come together. The last block carries the cache mark. */
function toMessages(messages: readonly ModelMessage[]): { role: string; content: Block[] }[] {
  const out: { role: string; content: Block[] }[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = blocksOf(message)
    const last = out.at(-1)
    if (content.length === 0) continue
    if (last?.role === role) last.content.push(...content)
    else out.push({ role, content })
  }
  const mark = out.at(-1)?.content
  const end = mark?.at(-1)
  if (mark && end && end.type !== 'thinking' && end.type !== 'redacted_thinking')
    mark[mark.length - 1] = { ...end, ...cached }
  return out
}

function blocksOf(message: ModelMessage): Block[] {
  if (message.role === 'tool')
    return [
      {
        type: 'tool_result',
        tool_use_id: message.callId,
        content: message.text === '' ? '(empty)' : message.text,
        ...(message.failed ? { is_error: true } : {}),
      },
    ]
  if (message.role === 'user')
    return [
      ...message.images.map(({ mediaType, base64 }) => ({
        type: 'image',
        source: { type: 'base64', media_type: mediaType, data: base64 },
      })),
      ...(message.text === '' ? [] : [{ type: 'text', text: message.text }]),
    ]
  return message.parts.flatMap(assistantBlock)
}

function assistantBlock(part: AssistantPart): Block[] {
  if (part.kind === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
  if (part.kind === 'call')
    return [{ type: 'tool_use', id: part.callId, name: part.tool, input: parseArguments(part.arguments) }]
  // Reasoning goes back only with the signature this provider gave it; another provider's is not for it.
  if (part.opaque?.provider !== 'anthropic') return []
  const data = part.opaque.data as { signature?: string; redacted?: string }
  if (data.redacted) return [{ type: 'redacted_thinking', data: data.redacted }]
  return data.signature ? [{ type: 'thinking', thinking: part.text, signature: data.signature }] : []
}

interface WireUsage {
  input_tokens?: number
  output_tokens?: number
  cache_read_input_tokens?: number
  cache_creation_input_tokens?: number
}
interface WireFrame {
  type?: string
  index?: number
  message?: { usage?: WireUsage }
  content_block?: { type?: string; id?: string; name?: string; data?: string; text?: string }
  delta?: {
    type?: string
    text?: string
    thinking?: string
    signature?: string
    partial_json?: string
    stop_reason?: string | null
  }
  usage?: WireUsage
  error?: { type?: string; message?: string }
}

const finishes: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
}

export function createAnthropicDialect(): Dialect {
  const make = createEvents()
  const open = new Map<
    number,
    { type: string; name: string; id: string | null; text: string; signature: string; data: string | null }
  >()
  let complete = false
  let failed: ChatFailure | null = null
  let usage: Usage = { ...noUsage, known: false }
  let finish: FinishReason | null = null

  /** Fields come in different frames: later ones win field by field. */
  const merge = (wire: WireUsage | undefined): ChatEvent[] => {
    if (!wire) return []
    usage = {
      ...usage,
      known: true,
      input: wire.input_tokens ?? usage.input,
      output: wire.output_tokens ?? usage.output,
      cacheRead: wire.cache_read_input_tokens ?? usage.cacheRead,
      cacheWrite: wire.cache_creation_input_tokens ?? usage.cacheWrite,
    }
    return [make('USAGE', { usage })]
  }
  const endBlock = (index: number): ChatEvent[] => {
    const block = open.get(index)
    if (!block) return []
    open.delete(index)
    const at = { index, blockId: block.id }
    if (block.type === 'text') return [make('TEXT_END', at)]
    if (block.type === 'tool_use')
      return [
        make('TOOL_CALL_END', { ...at, toolCall: { id: block.id, name: block.name, arguments: block.text || '{}' } }),
      ]
    if (block.type === 'redacted_thinking')
      return [make('THINKING_REDACTED', { ...at, opaque: { redacted: block.data } })]
    if (block.type !== 'thinking') return []
    return [
      ...(block.signature ? [make('THINKING_SIGNATURE', { ...at, opaque: { signature: block.signature } })] : []),
      make('THINKING_END', at),
    ]
  }
  const startBlock = (index: number, content: WireFrame['content_block']): ChatEvent[] => {
    const { type = '', id = null, name = '', data = null, text = '' } = content ?? {}
    open.set(index, { type, name, id, text: '', signature: '', data })
    const at = { index, blockId: id }
    if (type === 'text') return [make('TEXT_START', at), ...(text ? [make('TEXT_DELTA', { ...at, text })] : [])]
    if (type === 'thinking') return [make('THINKING_START', at)]
    if (type === 'tool_use') return [make('TOOL_CALL_START', { ...at, toolCall: { id, name, arguments: '' } })]
    return type === 'redacted_thinking' ? [] : [make('RAW', { ...at, rawType: type, opaque: content })]
  }
  const changeBlock = (index: number, delta: NonNullable<WireFrame['delta']>): ChatEvent[] => {
    const block = open.get(index)
    const at = { index, blockId: block?.id ?? null }
    if (delta.type === 'text_delta') return [make('TEXT_DELTA', { ...at, text: delta.text ?? '' })]
    if (delta.type === 'thinking_delta') return [make('THINKING_DELTA', { ...at, text: delta.thinking ?? '' })]
    if (delta.type === 'signature_delta' && block) {
      block.signature += delta.signature ?? ''
      return []
    }
    if (delta.type === 'input_json_delta' && block) {
      block.text += delta.partial_json ?? ''
      return [make('TOOL_CALL_ARGS_DELTA', { ...at, text: delta.partial_json ?? '' })]
    }
    return [make('RAW', { ...at, rawType: delta.type ?? null, opaque: delta })]
  }

  return {
    next({ data }) {
      let frame: WireFrame
      try {
        frame = JSON.parse(data) as WireFrame
      } catch {
        return [make('RAW', { rawType: 'unreadable', text: data.slice(0, 200) })]
      }
      const index = frame.index ?? -1
      switch (frame.type) {
        case 'message_start':
          return merge(frame.message?.usage)
        case 'content_block_start':
          return startBlock(index, frame.content_block)
        case 'content_block_delta':
          return frame.delta ? changeBlock(index, frame.delta) : []
        case 'content_block_stop':
          return endBlock(index)
        case 'message_delta':
          if (frame.delta?.stop_reason) finish = finishes[frame.delta.stop_reason] ?? 'other'
          return merge(frame.usage)
        case 'message_stop':
          complete = true
          return []
        case 'ping':
          return [make('HEARTBEAT')]
        case 'error':
          failed = failureOf(frame.error)
          return []
        default:
          return [make('RAW', { rawType: frame.type ?? null, opaque: frame })]
      }
    },
    close: () => [...open.keys()].flatMap(endBlock),
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

function failureOf(error: WireFrame['error']): ChatFailure {
  const message = error?.message ?? 'no reason given'
  if (error?.type === 'overloaded_error') return failure('overloaded', `Anthropic is overloaded: ${message}`)
  if (error?.type === 'rate_limit_error')
    return failure('rate_limit', `Anthropic limits how much may be sent now: ${message}`)
  if (error?.type === 'authentication_error') return failure('auth', `Anthropic did not accept the key: ${message}`)
  return failure('bad_request', `Anthropic broke off: ${message}`)
}
