/** OpenAI Chat Completions and everything compatible with it: our history as its request. */
import type { ModelMessage, ModelRequest } from '../../agent/ports.ts'
import type { ModelFacts } from '../catalog.ts'
import { acceptedFiles, type Dialect, FOREIGN_REASONING } from '../dialect.ts'
import { splitModel } from '../provider.ts'
import { openAiChatParser, type Thought } from './openai-chat-parser.ts'

export const openAiChat: Dialect = {
  framing: 'sse',
  url: base => `${base}/chat/completions`,
  headers: (key): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {}),
  body,
  optional: {
    stream_options: /stream_options|include_usage/,
    reasoning_effort: /reasoning[_.]effort/i,
    response_format: /response_format|json_schema/i,
    max_tokens: /max_(completion_)?tokens/,
  },
  parser: openAiChatParser,
}

function body(
  request: ModelRequest,
  facts: ModelFacts | null,
  _paused?: unknown,
  without: ReadonlySet<string> = new Set<string>(),
) {
  const { provider, id } = splitModel(request.model)
  const dropped = new Set<string>()
  const effort = facts?.reasoning?.levels[request.effort]
  const json = JSON.stringify({
    model: id,
    stream: true,
    // Not every compatible server knows the option; those that do send usage in a last frame.
    ...(without.has('stream_options') ? {} : { stream_options: { include_usage: true } }),
    ...(typeof effort === 'string' && !without.has('reasoning_effort') ? { reasoning_effort: effort } : {}),
    ...(request.maxOutputTokens && !without.has('max_tokens')
      ? { [provider === 'openai' ? 'max_completion_tokens' : 'max_tokens']: request.maxOutputTokens }
      : {}),
    ...(request.answer && !without.has('response_format')
      ? { response_format: { type: 'json_schema', json_schema: { ...request.answer, strict: false } } }
      : {}),
    ...(request.tools.length > 0
      ? {
          tools: request.tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
        }
      : {}),
    messages: [
      { role: 'system', content: request.system },
      ...request.messages.flatMap(message => toMessage(message, provider, facts, dropped)),
    ],
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
    const media = acceptedFiles(message, facts, dropped).map(({ kind, file: { mediaType, base64, name } }) => {
      const url = `data:${mediaType};base64,${base64}`
      return kind === 'image'
        ? { type: 'image_url', image_url: { url } }
        : { type: 'file', file: { filename: name ?? 'file.pdf', file_data: url } }
    })
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
    if (part.opaque && !own) dropped.add(FOREIGN_REASONING)
    // A provider that wants its reasoning back within a turn of tools is told it in the field that it used.
    if (calls.length === 0 || !own) return []
    if (own.details) return [['reasoning_details', own.details]]
    return own.field ? [[own.field, part.text]] : []
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
