/** OpenAI Responses: its events as our drafts. Items are known by their place, for some gateways change the ids on the way. */
import type { ChatEventDraft, FinishReason } from '#contract/chat-event'
import { type FrameParser, readFrame } from '../dialect.ts'
import { failureOfFrame } from '../failure.ts'
import {
  annotationOf,
  partialImage,
  serverToolOf,
  serverToolResult,
  type WireAnnotation,
  type WireItem,
} from './openai-responses-tools.ts'
import { usageOf, type WireError, type WireFrame, type WireResponse } from './openai-responses-wire.ts'

/** An item that streams. */
interface OpenItem {
  readonly type: string
  readonly index: number
  /** Of a call its `call_id`: that is what results are told by. */
  readonly blockId: string | null
  readonly name: string
  readonly phase: string | null
  /** What was said of each part of a message; of reasoning and calls, all under 0. */
  readonly said: Map<number, string>
  cited: number
  done: boolean
}

export function responsesParser(): FrameParser {
  const items = new Map<number | string, OpenItem>()
  let called = false
  let refused = false
  let complete = false
  let over = false
  let finish: FinishReason | null = null
  let last = ''

  const find = (key: number | string | null | undefined): OpenItem | undefined =>
    key === null || key === undefined ? undefined : items.get(key)
  const itemFor = ({ output_index: index, item_id: id, item }: WireFrame): OpenItem | undefined =>
    find(index) ?? (typeof index === 'number' ? undefined : find(id ?? item?.id))
  const add = (wire: WireItem, index: number | null | undefined): OpenItem => {
    const item: OpenItem = {
      type: wire.type ?? '',
      index: index ?? -1,
      blockId: wire.call_id ?? wire.id ?? null,
      name: wire.name ?? '',
      phase: wire.phase ?? null,
      said: new Map(),
      cited: 0,
      done: false,
    }
    if (typeof index === 'number') items.set(index, item)
    else if (wire.id) items.set(wire.id, item)
    return item
  }
  const at = ({ index, blockId }: OpenItem, part = 0) => ({
    index,
    blockId: part > 0 && blockId !== null ? `${blockId}.${part}` : blockId,
  })

  /** Some servers send an item's parts without having begun it. */
  const opened = (frame: WireFrame, type: string): [OpenItem, ChatEventDraft[]] => {
    const known = itemFor(frame)
    if (known) return [known, []]
    const item = add({ type, id: frame.item_id }, frame.output_index)
    return [item, begun(item)]
  }
  const begin = (frame: WireFrame): ChatEventDraft[] =>
    !frame.item || itemFor(frame) ? [] : begun(add(frame.item, frame.output_index), frame.item)

  const begun = (item: OpenItem, wire: WireItem = {}): ChatEventDraft[] => {
    const tool = serverToolOf({ ...wire, type: item.type })
    const toolCall = { id: item.blockId, name: tool?.name ?? item.name, arguments: '' }
    if (tool) return [{ type: 'SERVER_TOOL_START', ...at(item), subType: tool.subType, toolCall, rawType: item.type }]
    if (item.type === 'message') return []
    if (item.type === 'reasoning') return [{ type: 'THINKING_START', ...at(item) }]
    if (item.type !== 'function_call') return [{ type: 'RAW', rawType: item.type, opaque: wire }]
    called = true
    return [{ type: 'TOOL_CALL_START', ...at(item), toolCall }]
  }

  const grow = (frame: WireFrame, type: string, event: ChatEventDraft['type']): ChatEventDraft[] => {
    const [item, opening] = opened(frame, type)
    const text = frame.delta ?? ''
    if (item.done || text === '') return opening
    return [...opening, ...more(item, type === 'message' ? (frame.content_index ?? 0) : 0, text, event)]
  }
  const more = (item: OpenItem, part: number, text: string, type: ChatEventDraft['type']): ChatEventDraft[] => {
    item.said.set(part, (item.said.get(part) ?? '') + text)
    refused ||= type === 'REFUSAL_DELTA'
    return [{ type, ...at(item, part), text }]
  }
  /** What the whole has beyond what was streamed: all of it where a server streams nothing. */
  const rest = (item: OpenItem, part: number, whole: string, type: ChatEventDraft['type']): ChatEventDraft[] => {
    const said = item.said.get(part) ?? ''
    return whole.length > said.length && whole.startsWith(said) ? more(item, part, whole.slice(said.length), type) : []
  }

  const cite = (item: OpenItem, part: number, annotation: WireAnnotation): ChatEventDraft => {
    item.cited++
    return { type: 'CITATION', ...at(item, part), citation: annotationOf(annotation) }
  }

  const end = (frame: WireFrame): ChatEventDraft[] => {
    const wire = frame.item ?? {}
    const opening = begin(frame)
    const item = itemFor(frame)
    if (!item || item.done) return opening
    item.done = true
    return [...opening, ...ended(item, wire)]
  }
  const ended = (item: OpenItem, wire: WireItem): ChatEventDraft[] => {
    if (item.type === 'message') return endMessage(item, wire)
    if (item.type === 'reasoning') return endReasoning(item, wire)
    if (item.type === 'function_call') {
      const whole = wire.arguments ?? item.said.get(0) ?? ''
      const toolCall = { id: item.blockId, name: wire.name ?? item.name, arguments: whole || '{}' }
      return [...rest(item, 0, whole, 'TOOL_CALL_ARGS_DELTA'), { type: 'TOOL_CALL_END', ...at(item), toolCall }]
    }
    return serverToolOf(wire) ? serverToolResult(wire, at(item), item.said.has(0)) : []
  }
  const endMessage = (item: OpenItem, wire: WireItem): ChatEventDraft[] => {
    const phase = wire.phase ?? item.phase
    const opaque = phase ? { opaque: { phase } } : {}
    const parts = wire.content ?? []
    const unsaid = parts.flatMap(({ text, refusal }, part) => [
      ...rest(item, part, text ?? '', 'TEXT_DELTA'),
      ...rest(item, part, refusal ?? '', 'REFUSAL_DELTA'),
    ])
    const sources = parts.flatMap(({ annotations }, part) => (annotations ?? []).map(each => [part, each] as const))
    const uncited = sources.slice(item.cited).map(([part, each]) => cite(item, part, each))
    const spoken = Math.max(parts.length, ...[...item.said.keys()].map(part => part + 1))
    const ends = Array.from(
      { length: spoken },
      (_, part) => ({ type: 'TEXT_END', ...at(item, part), ...opaque }) as const,
    )
    return [...unsaid, ...uncited, ...ends]
  }
  const endReasoning = (item: OpenItem, wire: WireItem): ChatEventDraft[] => {
    const { encrypted_content: secret, summary = [], content } = wire
    const whole = [...summary, ...(content ?? [])].map(({ text }) => text ?? '').join('\n\n')
    const back = { type: 'reasoning', summary, ...(content ? { content } : {}), encrypted_content: secret }
    const opaque: ChatEventDraft[] =
      secret || content?.length ? [{ type: 'THINKING_SIGNATURE', ...at(item), opaque: { item: back } }] : []
    return [
      ...(item.said.has(0) ? [] : rest(item, 0, whole, 'THINKING_DELTA')),
      ...opaque,
      { type: 'THINKING_END', ...at(item) },
    ]
  }

  const settle = (response: WireResponse): ChatEventDraft[] => {
    // What came as items is not said again; a server that streams none sends all of it here.
    const unsaid = (response.output ?? []).flatMap((item, index) =>
      items.size === 0 || find(index)?.done === false || (item.id && find(item.id)?.done === false)
        ? [[item, index] as const]
        : [],
    )
    return [...unsaid.flatMap(([item, index]) => end({ item, output_index: index })), ...usageOf(response.usage)]
  }
  const close = (kind: string, response: WireResponse): ChatEventDraft[] => {
    const drafts = settle(response)
    over = true
    if (kind === 'failed') return [...drafts, errorOf(response.error)]
    if (kind === 'cancelled') return [...drafts, { type: 'ABORT', rawType: kind }]
    complete = true
    if (kind === 'completed') {
      finish = called ? 'tool' : refused ? 'refusal' : 'stop'
      return drafts
    }
    const reason = response.incomplete_details?.reason ?? ''
    finish = reason === 'max_output_tokens' ? 'length' : reason === 'content_filter' ? 'filter' : 'other'
    return finish === 'filter'
      ? [...drafts, { type: 'CONTENT_FILTER', subType: reason, rawType: 'response.incomplete' }]
      : drafts
  }
  const errorOf = (error: WireError | null | undefined): ChatEventDraft => {
    const kind = error?.code ?? error?.type ?? ''
    return { type: 'ERROR', failure: failureOfFrame('OpenAI', kind, error?.message ?? ''), rawType: kind || null }
  }

  const take = (frame: WireFrame, kind: string): ChatEventDraft[] => {
    switch (kind) {
      case 'created':
        return [status('started', frame.response)]
      case 'queued':
      case 'in_progress':
        return [status(kind, frame.response)]
      case 'completed':
      case 'incomplete':
      case 'failed':
      case 'cancelled':
        return close(kind, frame.response ?? {})
      case 'output_item.added':
        return begin(frame)
      case 'output_item.done':
        return end(frame)
      case 'content_part.added': {
        const kindOfPart = frame.part?.type ?? 'output_text'
        const [item, opening] = opened(frame, kindOfPart === 'reasoning_text' ? 'reasoning' : 'message')
        const isText = kindOfPart === 'output_text' && !item.done && item.type === 'message'
        return isText ? [...opening, { type: 'TEXT_START', ...at(item, frame.content_index) }] : opening
      }
      case 'output_text.delta':
        return grow(frame, 'message', 'TEXT_DELTA')
      case 'refusal.delta':
        return grow(frame, 'message', 'REFUSAL_DELTA')
      case 'reasoning_summary_part.added': {
        const [item, opening] = opened(frame, 'reasoning')
        return (frame.summary_index ?? 0) > 0 && item.said.has(0)
          ? [...opening, ...more(item, 0, '\n\n', 'THINKING_DELTA')]
          : opening
      }
      case 'reasoning_summary_text.delta':
      case 'reasoning_text.delta':
        return grow(frame, 'reasoning', 'THINKING_DELTA')
      case 'function_call_arguments.delta':
        return grow(frame, 'function_call', 'TOOL_CALL_ARGS_DELTA')
      case 'code_interpreter_call_code.delta':
        return grow(frame, 'code_interpreter_call', 'SERVER_TOOL_ARGS_DELTA')
      case 'mcp_call_arguments.delta':
        return grow(frame, 'mcp_call', 'SERVER_TOOL_ARGS_DELTA')
      case 'output_text.annotation.added': {
        const [item, opening] = opened(frame, 'message')
        return frame.annotation ? [...opening, cite(item, frame.content_index ?? 0, frame.annotation)] : opening
      }
      case 'image_generation_call.partial_image': {
        const [item, opening] = opened(frame, 'image_generation_call')
        return [
          ...opening,
          { type: 'MEDIA_PARTIAL', ...at(item), media: partialImage(frame.partial_image_b64, frame.output_format) },
        ]
      }
      default:
        return known.test(kind)
          ? progressOf(kind, frame)
          : [{ type: 'RAW', rawType: frame.type ?? null, opaque: frame }]
    }
  }

  return {
    next(raw) {
      if (raw.data.trim() === '[DONE]') return []
      const read = readFrame<WireFrame>(raw)
      if ('raw' in read) return [read.raw]
      const { frame } = read
      // Frames are numbered: the same one again is a stutter of the line.
      if (typeof frame.sequence_number === 'number' && raw.data === last) return []
      last = raw.data
      if (frame.type === 'error' || (!frame.type && !frame.object && frame.error))
        return [errorOf(frame.error ?? frame)]
      if (frame.type === 'keepalive' || frame.type === 'ping') return [{ type: 'HEARTBEAT' }]
      // A server that does not stream answers with the response itself.
      const isWhole = frame.object === 'response' && !frame.type
      const started: ChatEventDraft[] = isWhole ? take({ response: frame }, 'created') : []
      return isWhole
        ? [...started, ...take({ response: frame }, frame.status ?? 'completed')]
        : take(frame, (frame.type ?? '').replace(/^response\./, ''))
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

/** Frames that say again what others say, or only that something goes on. */
const known =
  /^(content_part|output_text|refusal|reasoning_summary_text|reasoning_summary_part|reasoning_text|function_call_arguments|code_interpreter_call_code|mcp_call_arguments)\.done$|^(web_search|file_search|code_interpreter|image_generation|mcp)_call\.(in_progress|searching|interpreting|generating|completed|failed)$/

const status = (subType: string, { id = '', model = '' }: WireResponse = {}): ChatEventDraft => ({
  ...{ type: 'STATUS', subType, providerResponseId: id || null, providerModel: model || null },
})

const progressOf = (kind: string, { item_id: id, output_index: index }: WireFrame): ChatEventDraft[] => {
  const [tool = '', state = ''] = kind.split('.')
  if (!/searching|interpreting|generating/.test(state)) return []
  return [{ type: 'STATUS', subType: state, blockId: id ?? null, index: index ?? -1, rawType: tool }]
}
