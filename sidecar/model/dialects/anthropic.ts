/** Anthropic Messages: our history as its request, its frames as our drafts. */
import type { ChatEventDraft, FinishReason } from '#contract/chat-event'
import type { Usage } from '#contract/session-event'
import type { AssistantPart, ModelMessage, ModelRequest } from '../../agent/ports.ts'
import type { ModelFacts } from '../catalog.ts'
import { type Dialect, type FrameParser, parseArguments, readFrame } from '../dialect.ts'
import { failure } from '../failure.ts'
import { splitModel } from '../provider.ts'
import { serverToolResult } from './anthropic-server-tools.ts'

/** Long enough for a large edit; models that can give less say so in the catalogue. */
const DEFAULT_OUTPUT_TOKENS = 32_000
const cached = { cache_control: { type: 'ephemeral' } }

export const anthropic: Dialect = {
  framing: 'sse',
  url: base => `${base.replace(/\/v1$/, '')}/v1/messages`,
  headers: key => ({
    ...(key === null ? {} : { 'x-api-key': key }),
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'interleaved-thinking-2025-05-14,fine-grained-tool-streaming-2025-05-14',
  }),
  body,
  parser,
}

/** The prefix up to the last message is the same from step to step, and marked for the cache. */
function body(request: ModelRequest, facts: ModelFacts | null, paused?: unknown) {
  const dropped = new Set<string>()
  const messages = toMessages(request, facts, dropped)
  if (Array.isArray(paused)) messages.push({ role: 'assistant', content: paused as Block[] })
  const tools = [
    ...request.tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
    ...(request.serverTools?.includes('web_search') ? [{ type: 'web_search_20250305', name: 'web_search' }] : []),
  ]
  const json = JSON.stringify({
    model: splitModel(request.model).id,
    max_tokens: request.maxOutputTokens ?? Math.min(DEFAULT_OUTPUT_TOKENS, facts?.outputTokens ?? Infinity),
    stream: true,
    ...thinkingOf(request, facts),
    ...(request.answer ? { output_format: { type: 'json_schema', schema: request.answer.schema } } : {}),
    system: [{ type: 'text', text: request.system, ...cached }],
    ...(tools.length > 0
      ? { tools: tools.map((tool, i) => (i === tools.length - 1 ? { ...tool, ...cached } : tool)) }
      : {}),
    messages: withMark(messages),
  })
  return { json, dropped: [...dropped] }
}

function thinkingOf({ effort, maxOutputTokens }: ModelRequest, facts: ModelFacts | null): Record<string, unknown> {
  const level = facts?.reasoning?.levels[effort]
  if (level === undefined) return {}
  if (facts?.reasoning?.control === 'effort')
    return { thinking: { type: 'adaptive' }, output_config: { effort: level } }
  const budget = Number(level)
  // What may be thought counts against what may be answered.
  return maxOutputTokens !== null && maxOutputTokens <= budget
    ? {}
    : { thinking: { type: 'enabled', budget_tokens: budget } }
}

type Block = Record<string, unknown>
interface WireMessage {
  role: string
  content: Block[]
}

/** Neighbours of one role are one message: results of parallel calls must come together. */
function toMessages(request: ModelRequest, facts: ModelFacts | null, dropped: Set<string>): WireMessage[] {
  const { provider } = splitModel(request.model)
  const out: WireMessage[] = []
  for (const message of request.messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = blocksOf(message, provider, facts, dropped)
    const last = out.at(-1)
    if (content.length === 0) continue
    if (last?.role === role) last.content.push(...content)
    else out.push({ role, content })
  }
  return out
}

/** The last block that may carry it gets the cache mark: everything before is read from the cache at the next step. */
function withMark(messages: WireMessage[]): WireMessage[] {
  const content = messages.at(-1)?.content
  const end = content?.at(-1)
  if (content && end && end.type !== 'thinking' && end.type !== 'redacted_thinking')
    content[content.length - 1] = { ...end, ...cached }
  return messages
}

function blocksOf(message: ModelMessage, provider: string, facts: ModelFacts | null, dropped: Set<string>): Block[] {
  if (message.role === 'assistant') return message.parts.flatMap(part => assistantBlock(part, provider, dropped))
  if (message.role === 'tool') {
    const { callId, text, failed } = message
    const result = { type: 'tool_result', tool_use_id: callId, content: text === '' ? '(empty)' : text }
    return [failed ? { ...result, is_error: true } : result]
  }
  const sources = [...message.images, ...(message.files ?? [])].flatMap(({ mediaType, base64 }) => {
    const kind = mediaType.startsWith('image/') ? 'image' : mediaType === 'application/pdf' ? 'pdf' : null
    if (kind && (facts === null || facts.input.includes(kind)))
      return [
        {
          type: kind === 'pdf' ? 'document' : 'image',
          source: { type: 'base64', media_type: mediaType, data: base64 },
        },
      ]
    dropped.add(`This model takes no ${mediaType}, so it was not sent.`)
    return []
  })
  return [...sources, ...(message.text === '' ? [] : [{ type: 'text', text: message.text }])]
}

function assistantBlock(part: AssistantPart, provider: string, dropped: Set<string>): Block[] {
  // What a provider signed or hid goes back to it alone.
  const own = 'opaque' in part && part.opaque?.provider === provider ? (part.opaque.data as OpaqueData) : null
  if (part.kind === 'text') {
    if (part.text.trim() === '') return []
    return [{ type: 'text', text: part.text, ...(own?.citations ? { citations: own.citations } : {}) }]
  }
  if (part.kind === 'call')
    return [{ type: 'tool_use', id: part.callId, name: part.tool, input: parseArguments(part.arguments) }]
  if (part.kind === 'server') {
    if (own?.blocks) return own.blocks
    return part.text === '' ? [] : [{ type: 'text', text: part.text }]
  }
  if (own?.redacted) return [{ type: 'redacted_thinking', data: own.redacted }]
  if (own?.signature) return [{ type: 'thinking', thinking: part.text, signature: own.signature }]
  if (part.opaque) dropped.add('Reasoning of another model cannot be sent to this one and was left out.')
  return []
}

/** What goes back unchanged: of thinking, of text with sources, of a tool that ran at the provider. */
interface OpaqueData {
  readonly signature?: string
  readonly redacted?: string
  readonly citations?: Block[]
  readonly blocks?: Block[]
}

interface WireUsage {
  input_tokens?: number
  output_tokens?: number
  cache_read_input_tokens?: number
  cache_creation_input_tokens?: number
}
interface WireCitation {
  url?: string
  title?: string | null
  document_title?: string | null
  cited_text?: string
}
interface WireBlock {
  type?: string
  id?: string
  name?: string
  data?: string
  text?: string
  thinking?: string
  signature?: string
  tool_use_id?: string
  input?: unknown
  citations?: WireCitation[] | null
}
interface WireFrame {
  type?: string
  index?: number
  message?: { id?: string; usage?: WireUsage }
  content_block?: WireBlock
  delta?: {
    type?: string
    text?: string
    thinking?: string
    signature?: string
    partial_json?: string
    citation?: WireCitation
    stop_reason?: string | null
    stop_details?: { type?: string; category?: string | null; explanation?: string | null } | null
  }
  usage?: WireUsage
  error?: { type?: string; message?: string }
}

const finishes: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  tool_use: 'tool',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
}

/** A block that streams: `wire` is what it will have been, whole, for the next request. */
interface OpenBlock {
  readonly wire: WireBlock
  args: string
}

const isServerTool = (type: string | undefined): boolean => type === 'server_tool_use' || type === 'mcp_tool_use'

function parser(): FrameParser {
  const open = new Map<number, OpenBlock>()
  /** Ended blocks, whole, in order: sent back when the provider pauses. */
  const said: WireBlock[] = []
  let complete = false
  let paused = false
  let finish: FinishReason | null = null

  const startBlock = (index: number, wire: WireBlock): ChatEventDraft[] => {
    open.set(index, { wire: { ...wire }, args: '' })
    const { type = '', id = null, name = '', text = '' } = wire
    const at = { index, blockId: id }
    if (type === 'text')
      return [
        { type: 'TEXT_START', ...at },
        ...(text ? [{ type: 'TEXT_DELTA', ...at, text } as const] : []),
        ...(wire.citations ?? []).map(citationOf(at)),
      ]
    if (type === 'thinking') return [{ type: 'THINKING_START', ...at }]
    if (type === 'redacted_thinking') return []
    const toolCall = { id, name, arguments: '' }
    if (type === 'tool_use') return [{ type: 'TOOL_CALL_START', ...at, toolCall }]
    if (isServerTool(type)) return [{ type: 'SERVER_TOOL_START', ...at, subType: name, toolCall, rawType: type }]
    if (type.endsWith('_tool_result')) return serverToolResult(wire, said, index)
    return [{ type: 'RAW', ...at, rawType: type, opaque: wire }]
  }

  const changeBlock = (index: number, delta: NonNullable<WireFrame['delta']>): ChatEventDraft[] => {
    const block = open.get(index)
    const wire = block?.wire ?? {}
    const at = { index, blockId: wire.id ?? null }
    const { text = '', thinking = '', partial_json: json = '' } = delta
    switch (delta.type) {
      case 'text_delta':
        wire.text = (wire.text ?? '') + text
        return [{ type: 'TEXT_DELTA', ...at, text }]
      case 'thinking_delta':
        wire.thinking = (wire.thinking ?? '') + thinking
        return [{ type: 'THINKING_DELTA', ...at, text: thinking }]
      case 'signature_delta':
        wire.signature = (wire.signature ?? '') + (delta.signature ?? '')
        return []
      case 'citations_delta':
        if (!delta.citation) return []
        wire.citations = [...(wire.citations ?? []), delta.citation]
        return [citationOf(at)(delta.citation)]
      case 'input_json_delta':
        if (block) block.args += json
        return [
          { type: isServerTool(wire.type) ? 'SERVER_TOOL_ARGS_DELTA' : 'TOOL_CALL_ARGS_DELTA', ...at, text: json },
        ]
      default:
        return [{ type: 'RAW', ...at, rawType: delta.type ?? null, opaque: delta }]
    }
  }

  const endBlock = (index: number): ChatEventDraft[] => {
    const block = open.get(index)
    if (!block) return []
    open.delete(index)
    const { wire, args } = block
    if (wire.type?.endsWith('tool_use')) wire.input = parseArguments(args)
    said.push(wire)
    const at = { index, blockId: wire.id ?? null }
    switch (wire.type) {
      case 'text':
        return [
          { type: 'TEXT_END', ...at, ...(wire.citations?.length ? { opaque: { citations: wire.citations } } : {}) },
        ]
      case 'tool_use':
        return [
          {
            type: 'TOOL_CALL_END',
            ...at,
            toolCall: { id: at.blockId, name: wire.name ?? '', arguments: args || '{}' },
          },
        ]
      case 'redacted_thinking':
        return [{ type: 'THINKING_REDACTED', ...at, opaque: { redacted: wire.data } }]
      case 'thinking': {
        const { signature } = wire
        const signed: ChatEventDraft[] = signature ? [{ type: 'THINKING_SIGNATURE', ...at, opaque: { signature } }] : []
        return [...signed, { type: 'THINKING_END', ...at }]
      }
      default:
        return []
    }
  }

  const endMessage = ({ delta, usage }: WireFrame): ChatEventDraft[] => {
    const reason = delta?.stop_reason
    if (reason) finish = finishes[reason] ?? 'other'
    paused = reason === 'pause_turn'
    const { category = null, explanation } = delta?.stop_details ?? {}
    const refusal: ChatEventDraft[] = explanation
      ? [{ type: 'REFUSAL_DELTA', text: explanation, subType: category }]
      : []
    return [...refusal, ...usageOf(usage)]
  }

  return {
    next(raw) {
      const read = readFrame<WireFrame>(raw)
      if ('raw' in read) return [read.raw]
      const { frame } = read
      const index = frame.index ?? -1
      switch (frame.type) {
        case 'message_start':
          return [
            { type: 'STATUS', subType: 'started', providerResponseId: frame.message?.id ?? null },
            ...usageOf(frame.message?.usage),
          ]
        case 'content_block_start':
          return startBlock(index, frame.content_block ?? {})
        case 'content_block_delta':
          return frame.delta ? changeBlock(index, frame.delta) : []
        case 'content_block_stop':
          return endBlock(index)
        case 'message_delta':
          return endMessage(frame)
        case 'message_stop':
          complete = true
          return []
        case 'ping':
          return [{ type: 'HEARTBEAT' }]
        case 'error':
          return [{ type: 'ERROR', failure: failureOf(frame.error), rawType: frame.error?.type ?? null }]
        default:
          return [{ type: 'RAW', rawType: frame.type ?? null, opaque: frame }]
      }
    },
    get complete() {
      return complete
    },
    get over() {
      return complete
    },
    get finish() {
      return finish
    },
    get paused() {
      return paused && complete ? said : undefined
    },
  }
}

/** Only what the frame names: the first frame knows the input, the last the output. */
function usageOf(wire: WireUsage | undefined): ChatEventDraft[] {
  if (!wire) return []
  const fields: [keyof Usage, number | undefined][] = [
    ['input', wire.input_tokens],
    ['output', wire.output_tokens],
    ['cacheRead', wire.cache_read_input_tokens],
    ['cacheWrite', wire.cache_creation_input_tokens],
  ]
  const usage = Object.fromEntries(fields.filter(([, count]) => typeof count === 'number')) as Partial<Usage>
  return [{ type: 'USAGE', usage }]
}

const citationOf =
  (at: { index: number; blockId: string | null }) =>
  ({ url, title, document_title, cited_text }: WireCitation): ChatEventDraft => ({
    type: 'CITATION',
    ...at,
    citation: { url: url ?? null, title: title ?? document_title ?? null, quote: cited_text ?? null },
  })

function failureOf(error: WireFrame['error']) {
  const message = error?.message ?? 'no reason given'
  if (error?.type === 'overloaded_error') return failure('overloaded', `Anthropic is overloaded: ${message}`)
  if (error?.type === 'rate_limit_error')
    return failure('rate_limit', `Anthropic limits how much may be sent now: ${message}`)
  if (error?.type === 'authentication_error') return failure('auth', `Anthropic did not accept the key: ${message}`)
  if (error?.type === 'timeout_error') return failure('timeout', `Anthropic took too long: ${message}`)
  if (error?.type === 'api_error') return failure('overloaded', `Anthropic failed on its side: ${message}`)
  return failure('bad_request', `Anthropic broke off: ${message}`)
}
