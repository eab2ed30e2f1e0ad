/** Ollama's own protocol: a JSON document on each line, calls whole, thinking beside the answer. */
import type { ChatEventDraft, FinishReason } from '#contract/chat-event'
import type { ModelMessage, ModelRequest } from '../../agent/ports.ts'
import type { ModelFacts } from '../catalog.ts'
import {
  acceptedFiles,
  type Dialect,
  FOREIGN_REASONING,
  type FrameParser,
  parseArguments,
  readFrame,
} from '../dialect.ts'
import { failureOfFrame } from '../failure.ts'
import { splitModel } from '../provider.ts'
import { createThinkTags } from './think-tags.ts'

export const ollama: Dialect = {
  framing: 'lines',
  url: base => `${base.replace(/\/v1$/, '')}/api/chat`,
  headers: (key): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {}),
  body,
  optional: { think: /think/i, format: /format|grammar|schema/i, tools: /does not support tools/i },
  parser,
}

function body(
  request: ModelRequest,
  facts: ModelFacts | null,
  _paused?: unknown,
  without = new Set<string>() as ReadonlySet<string>,
) {
  const { provider, id } = splitModel(request.model)
  const dropped = new Set<string>()
  const level = facts?.reasoning?.levels[request.effort]
  const json = JSON.stringify({
    model: id,
    stream: true,
    // Rather an error than a conversation whose beginning was silently cut off.
    truncate: false,
    ...(level === undefined || without.has('think') ? {} : { think: typeof level === 'string' ? level : true }),
    ...(request.answer && request.tools.length === 0 && !without.has('format')
      ? { format: request.answer.schema }
      : {}),
    ...(request.maxOutputTokens === null ? {} : { options: { num_predict: request.maxOutputTokens } }),
    ...(request.tools.length > 0 && !without.has('tools')
      ? {
          tools: request.tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
        }
      : {}),
    messages: [
      ...(request.system === '' ? [] : [{ role: 'system', content: request.system }]),
      ...request.messages.flatMap(message => toMessage(message, provider, facts, dropped)),
    ],
  })
  return { json, dropped: [...dropped] }
}

function toMessage(message: ModelMessage, provider: string, facts: ModelFacts | null, dropped: Set<string>): object[] {
  if (message.role === 'tool') return [{ role: 'tool', tool_name: message.tool, content: message.text || '(empty)' }]
  if (message.role === 'user') {
    const images = acceptedFiles(message, facts, dropped, ['image']).map(({ file }) => file.base64)
    if (message.text === '' && images.length === 0) return []
    return [{ role: 'user', content: message.text, ...(images.length > 0 ? { images } : {}) }]
  }
  const content = message.parts
    .flatMap(part => (part.kind === 'text' || part.kind === 'server' ? [part.text] : []))
    .join('')
  const calls = message.parts.flatMap(part =>
    part.kind === 'call' ? [{ function: { name: part.tool, arguments: parseArguments(part.arguments) } }] : [],
  )
  const thinking = message.parts.flatMap(part => {
    if (part.kind !== 'reasoning') return []
    if (part.opaque && part.opaque.provider !== provider) dropped.add(FOREIGN_REASONING)
    return part.opaque?.provider === provider ? [part.text] : []
  })
  if (content === '' && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content,
      // Within a turn of tools the model goes on from what it thought.
      ...(calls.length > 0 && thinking.length > 0 ? { thinking: thinking.join('') } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ]
}

interface WireCall {
  id?: string | null
  function?: { name?: string; arguments?: unknown }
}
interface WireFrame {
  model?: string
  message?: { content?: string | null; thinking?: string | null; tool_calls?: WireCall[] | null }
  done?: boolean
  done_reason?: string
  prompt_eval_count?: number
  eval_count?: number
  error?: string | { message?: string }
}

function parser(): FrameParser {
  const tags = createThinkTags()
  let calls = 0
  let complete = false
  let finish: FinishReason | null = null
  let thought = false
  let served: string | null = null

  const think = (text: string): ChatEventDraft[] => {
    const first: ChatEventDraft[] = thought ? [] : [{ type: 'THINKING_SIGNATURE', opaque: { field: 'thinking' } }]
    thought = true
    return [{ type: 'THINKING_DELTA', text }, ...first]
  }
  const call = ({ id = null, function: said }: WireCall): ChatEventDraft[] => {
    const given = said?.arguments ?? {}
    const text = typeof given === 'string' ? given : JSON.stringify(given)
    const at = { index: calls++, blockId: id }
    const toolCall = { id, name: said?.name ?? '', arguments: text }
    return [
      { type: 'TOOL_CALL_START', ...at, toolCall: { ...toolCall, arguments: '' } },
      { type: 'TOOL_CALL_ARGS_DELTA', ...at, text },
      { type: 'TOOL_CALL_END', ...at, toolCall },
    ]
  }
  const end = ({
    done_reason: reason = 'stop',
    prompt_eval_count: input,
    eval_count: output,
  }: WireFrame): ChatEventDraft[] => {
    complete = true
    finish = reason === 'length' ? 'length' : calls > 0 ? 'tool' : reason === 'stop' ? 'stop' : 'other'
    const told = input !== undefined || output !== undefined
    return told ? [{ type: 'USAGE', usage: { input: input ?? 0, output: output ?? 0 } }] : []
  }

  return {
    next(raw) {
      const read = readFrame<WireFrame>(raw)
      if ('raw' in read) return [read.raw]
      const { frame } = read
      if (frame.error) {
        const message = typeof frame.error === 'string' ? frame.error : (frame.error.message ?? '')
        return [{ type: 'ERROR', failure: failureOfFrame('Ollama', '', message) }]
      }
      const { message } = frame
      if (!message && frame.done === undefined)
        return [{ type: 'RAW', rawType: Object.keys(frame)[0] ?? null, opaque: frame }]
      const starts = served === null && frame.model
      served ??= frame.model ?? null
      return [
        ...(starts ? [{ type: 'STATUS', subType: 'started', providerModel: served } as const] : []),
        ...(message?.thinking ? think(message.thinking) : []),
        ...(message?.content ? tags.feed(message.content) : []),
        ...(message?.tool_calls ?? []).flatMap(call),
        ...(frame.done ? [...tags.end(), ...end(frame)] : []),
      ]
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
  }
}
