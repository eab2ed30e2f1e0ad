/** Anthropic Messages: its frames as our drafts. */
import type { ChatEventDraft, FinishReason } from '#contract/chat-event'
import type { Usage } from '#contract/session-event'
import { type FrameParser, parseArguments, readFrame } from '../dialect.ts'
import { failureOfFrame } from '../failure.ts'
import { serverToolResult } from './anthropic-server-tools.ts'

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
  message?: { id?: string; model?: string; usage?: WireUsage }
  id?: string
  model?: string
  content?: WireBlock[]
  stop_reason?: string | null
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
  error?: { type?: string; message?: string } | string
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

export function anthropicParser(): FrameParser {
  const open = new Map<number, OpenBlock>()
  /** Ended blocks, whole, in order: sent back when the provider pauses. */
  const said: WireBlock[] = []
  let complete = false
  let paused = false
  let finish: FinishReason | null = null

  const startBlock = (index: number, wire: WireBlock): ChatEventDraft[] => {
    if (open.has(index)) return []
    open.set(index, { wire: { ...wire }, args: '' })
    const { type = '', id = null, name = '', text = '' } = wire
    const at = { index, blockId: id }
    if (type === 'text')
      return [
        { type: 'TEXT_START', ...at },
        ...(text ? [{ type: 'TEXT_DELTA', ...at, text } as const] : []),
        ...(wire.citations ?? []).map(citationOf(at)),
      ]
    if (type === 'thinking') {
      const thought: ChatEventDraft[] = wire.thinking ? [{ type: 'THINKING_DELTA', ...at, text: wire.thinking }] : []
      return [{ type: 'THINKING_START', ...at }, ...thought]
    }
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
    const { wire } = block
    const at = { index, blockId: wire.id ?? null }
    // What does not stream has its whole input from the start.
    const args = block.args || wholeInput(wire.input)
    const unsaid: ChatEventDraft[] =
      args !== block.args
        ? [{ type: isServerTool(wire.type) ? 'SERVER_TOOL_ARGS_DELTA' : 'TOOL_CALL_ARGS_DELTA', ...at, text: args }]
        : []
    if (wire.type?.endsWith('tool_use')) wire.input = parseArguments(args)
    said.push(wire)
    switch (wire.type) {
      case 'text':
        return [
          { type: 'TEXT_END', ...at, ...(wire.citations?.length ? { opaque: { citations: wire.citations } } : {}) },
        ]
      case 'tool_use':
        return [
          ...unsaid,
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
        return unsaid
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

  /** Of a server that does not stream. */
  const wholeMessage = (frame: WireFrame): ChatEventDraft[] => {
    const blocks = (frame.content ?? []).flatMap((block, index) => [...startBlock(index, block), ...endBlock(index)])
    const ending = endMessage({ delta: { stop_reason: frame.stop_reason ?? null }, usage: frame.usage })
    complete = true
    return [started(frame), ...blocks, ...ending]
  }

  return {
    next(raw) {
      const read = readFrame<WireFrame>(raw)
      if ('raw' in read) return [read.raw]
      const { frame } = read
      const index = frame.index ?? -1
      switch (frame.type) {
        case 'message_start':
          return [started(frame.message ?? {}), ...usageOf(frame.message?.usage)]
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
        case 'message':
          return wholeMessage(frame)
        case 'ping':
          return [{ type: 'HEARTBEAT' }]
        case 'error':
          return [errorOf(frame.error)]
        default:
          return frame.error ? [errorOf(frame.error)] : [{ type: 'RAW', rawType: frame.type ?? null, opaque: frame }]
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

const started = ({ id = '', model = '' }: { id?: string; model?: string }): ChatEventDraft => ({
  ...{ type: 'STATUS', subType: 'started', providerResponseId: id || null, providerModel: model || null },
})

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

/** '' for nothing: while it streams, a call begins with an empty input. */
const wholeInput = (input: unknown): string =>
  typeof input === 'object' && input !== null && Object.keys(input).length > 0 ? JSON.stringify(input) : ''

const errorOf = (error: WireFrame['error']): ChatEventDraft => {
  const { type = '', message = '' } = typeof error === 'string' ? { message: error } : (error ?? {})
  return { type: 'ERROR', failure: failureOfFrame('Anthropic', type, message), rawType: type || null }
}
