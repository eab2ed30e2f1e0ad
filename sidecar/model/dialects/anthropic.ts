/** Anthropic Messages: our history as its request. */
import type { AssistantPart, ModelMessage, ModelRequest } from '../../agent/ports.ts'
import type { ModelFacts } from '../catalog.ts'
import { acceptedFiles, type Dialect, FOREIGN_REASONING, parseArguments } from '../dialect.ts'
import { splitModel } from '../provider.ts'
import { anthropicParser } from './anthropic-parser.ts'

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
  optional: {
    'output_config.format': /output_config(?!\.effort)|structured output/i,
    thinking: /thinking|output_config|effort/i,
  },
  parser: anthropicParser,
}

/** The prefix up to the last message is the same from step to step, and marked for the cache. */
function body(
  request: ModelRequest,
  facts: ModelFacts | null,
  paused?: unknown,
  without: ReadonlySet<string> = new Set<string>(),
) {
  const dropped = new Set<string>()
  const messages = toMessages(request, facts, dropped)
  if (Array.isArray(paused)) messages.push({ role: 'assistant', content: paused as Block[] })
  const tools = [
    ...request.tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
    ...(request.serverTools?.includes('web_search') ? [{ type: 'web_search_20250305', name: 'web_search' }] : []),
  ]
  const { thinking, effort } = without.has('thinking') ? {} : thinkingOf(request, facts)
  const output = {
    ...(effort === undefined ? {} : { effort }),
    ...(request.answer && !without.has('output_config.format')
      ? { format: { type: 'json_schema', schema: request.answer.schema } }
      : {}),
  }
  const json = JSON.stringify({
    model: splitModel(request.model).id,
    max_tokens: request.maxOutputTokens ?? Math.min(DEFAULT_OUTPUT_TOKENS, facts?.outputTokens ?? Infinity),
    stream: true,
    ...(thinking ? { thinking } : {}),
    ...(Object.keys(output).length > 0 ? { output_config: output } : {}),
    system: [{ type: 'text', text: request.system, ...cached }],
    ...(tools.length > 0
      ? { tools: tools.map((tool, i) => (i === tools.length - 1 ? { ...tool, ...cached } : tool)) }
      : {}),
    messages: withMarks(messages),
  })
  return { json, dropped: [...dropped] }
}

/** How it shall think, and the effort of a model that is told one instead of a budget. */
function thinkingOf(
  { effort, maxOutputTokens }: ModelRequest,
  facts: ModelFacts | null,
): { thinking?: object; effort?: string | number } {
  const level = facts?.reasoning?.levels[effort]
  if (level === undefined) return {}
  if (facts?.reasoning?.control === 'effort') return { thinking: { type: 'adaptive' }, effort: level }
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

/**
 * The end gets a cache mark: everything before is read from the cache at the next step. So does the end of the request before, for
 * the cache is looked up only some twenty blocks behind a mark, and one step of many calls is longer.
 */
function withMarks(messages: WireMessage[]): WireMessage[] {
  const last = messages.length - 1
  const before = messages.findLastIndex(({ role }, i) => i < last && role === 'user')
  for (const content of [messages[before]?.content, messages[last]?.content]) {
    const end = content?.at(-1)
    if (content && end && end.type !== 'thinking' && end.type !== 'redacted_thinking')
      content[content.length - 1] = { ...end, ...cached }
  }
  return messages
}

function blocksOf(message: ModelMessage, provider: string, facts: ModelFacts | null, dropped: Set<string>): Block[] {
  if (message.role === 'assistant') return message.parts.flatMap(part => assistantBlock(part, provider, dropped))
  if (message.role === 'tool') {
    const { callId, text, failed } = message
    const result = { type: 'tool_result', tool_use_id: callId, content: text === '' ? '(empty)' : text }
    return [failed ? { ...result, is_error: true } : result]
  }
  const sources = acceptedFiles(message, facts, dropped).map(({ kind, file: { mediaType, base64 } }) => ({
    type: kind === 'pdf' ? 'document' : 'image',
    source: { type: 'base64', media_type: mediaType, data: base64 },
  }))
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
  if (part.opaque) dropped.add(FOREIGN_REASONING)
  return []
}

/** What goes back unchanged: of thinking, of text with sources, of a tool that ran at the provider. */
interface OpaqueData {
  readonly signature?: string
  readonly redacted?: string
  readonly citations?: Block[]
  readonly blocks?: Block[]
}
