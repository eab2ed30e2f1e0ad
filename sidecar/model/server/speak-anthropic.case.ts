/** Anthropic Messages, byte for byte as its stream is. */
import {
  argumentsOf,
  callsOf,
  finishOf,
  idOf,
  inTurn,
  type PlayedAnswer,
  piecesOf,
  type Said,
  type Speaker,
  usageOf,
  type WireFrame,
} from './script.case.ts'

type Block = Record<string, unknown>
const stops = { stop: 'end_turn', tool: 'tool_use', length: 'max_tokens' } as const

export const speakAnthropic: Speaker = {
  contentType: 'text/event-stream; charset=utf-8',
  framing: 'sse',
  frames,
  whole(answer, model) {
    const content = (answer.said ?? []).flatMap((said, at) => blocksOf(said, at).map(({ block }) => block))
    return {
      ...messageOf(model),
      content,
      stop_reason: stopOf(answer).stop_reason,
      stop_sequence: null,
      usage: wireUsage(answer),
    }
  },
  error: (_, kind, message) => ({ type: 'error', error: { type: kind, message } }),
}

const messageOf = (model: string) => ({ id: 'msg_01', type: 'message', role: 'assistant', model })
const wireUsage = (answer: PlayedAnswer) => {
  const usage = usageOf(answer)
  if (!usage) return undefined
  const { input, output, cacheRead = 0 } = usage
  return {
    input_tokens: input - cacheRead,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
  }
}

function frames(answer: PlayedAnswer, model: string): WireFrame[] {
  const out: WireFrame[] = []
  const put = (data: { type: string } & Block) => out.push({ event: data.type, data })
  const usage = wireUsage(answer)
  const message = { ...messageOf(model), content: [], stop_reason: null, stop_sequence: null }
  put({ type: 'message_start', message: usage ? { ...message, usage: { ...usage, output_tokens: 1 } } : message })
  let index = 0
  for (const [at, said] of (answer.said ?? []).entries()) {
    if ('ping' in said) put({ type: 'ping' })
    else if ('raw' in said) out.push({ data: said.raw })
    else if ('error' in said) {
      put({ type: 'error', error: { type: said.error, message: said.message } })
      return out
    } else {
      const blocks = blocksOf(said, at)
      const calls = callsOf(said)
      // Calls are played all at once; the rest comes one after another, as it does in life.
      if (calls) {
        for (const [nth, { start }] of blocks.entries())
          put({ type: 'content_block_start', index: index + nth, content_block: start })
        for (const { at: nth, piece } of inTurn(calls))
          put({
            type: 'content_block_delta',
            index: index + nth,
            delta: { type: 'input_json_delta', partial_json: piece },
          })
        for (const nth of blocks.keys()) put({ type: 'content_block_stop', index: index + nth })
      } else
        for (const [nth, { start, deltas }] of blocks.entries()) {
          put({ type: 'content_block_start', index: index + nth, content_block: start })
          for (const delta of deltas) put({ type: 'content_block_delta', index: index + nth, delta })
          put({ type: 'content_block_stop', index: index + nth })
        }
      index += blocks.length
    }
  }
  put({
    type: 'message_delta',
    delta: stopOf(answer),
    ...(usage ? { usage: { output_tokens: usage.output_tokens } } : {}),
  })
  put({ type: 'message_stop' })
  return out
}

/** A refusal is how it stops; so is a filter, for it has no other. */
function stopOf(answer: PlayedAnswer) {
  for (const said of answer.said ?? []) {
    const explanation = 'refusal' in said ? said.refusal : null
    const category = 'filter' in said ? said.filter : null
    if (explanation !== null || category !== null)
      return { stop_reason: 'refusal', stop_sequence: null, stop_details: { type: 'refusal', category, explanation } }
  }
  return { stop_reason: stops[finishOf(answer)], stop_sequence: null }
}

interface Played {
  readonly start: Block
  readonly deltas: readonly Block[]
  /** What it is when it is complete. */
  readonly block: Block
}

function blocksOf(said: Said, at: number): Played[] {
  if ('thinking' in said) {
    const { signature = 'c2lnbmVk' } = said
    const pieces = piecesOf(said.thinking)
    return [
      {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...pieces.map(thinking => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature },
        ],
        block: { type: 'thinking', thinking: pieces.join(''), signature },
      },
    ]
  }
  if ('redacted' in said) {
    const block = { type: 'redacted_thinking', data: said.redacted }
    return [{ start: block, deltas: [], block }]
  }
  if ('text' in said) {
    const citations = (said.citations ?? []).map(({ url, title, quote }) => ({
      type: 'web_search_result_location',
      cited_text: quote,
      url,
      title,
      encrypted_index: 'RW8=',
    }))
    const pieces = piecesOf(said.text)
    return [
      {
        start: { type: 'text', text: '', ...(citations.length > 0 ? { citations: [] } : {}) },
        deltas: [
          ...citations.map(citation => ({ type: 'citations_delta', citation })),
          ...pieces.map(text => ({ type: 'text_delta', text })),
        ],
        block: { type: 'text', text: pieces.join(''), ...(citations.length > 0 ? { citations } : {}) },
      },
    ]
  }
  if ('search' in said) return searchBlocks(said, at)
  return (callsOf(said) ?? []).map((call, nth) => {
    const start = { type: 'tool_use', id: idOf(call, 'toolu_', at * 10 + nth), name: call.call, input: {} }
    return { start, deltas: [], block: { ...start, input: parsed(argumentsOf(call)) } }
  })
}

function searchBlocks({ search, results }: Extract<Said, { search: string }>, at: number): Played[] {
  const id = `srvtoolu_${at}`
  const call = { type: 'server_tool_use', id, name: 'web_search', input: {} }
  const content = results.map(({ url, title }) => ({
    type: 'web_search_result',
    url,
    title,
    encrypted_content: 'RXE=',
    page_age: null,
  }))
  const result = { type: 'web_search_tool_result', tool_use_id: id, content }
  const json = JSON.stringify({ query: search })
  return [
    {
      start: call,
      deltas: [{ type: 'input_json_delta', partial_json: json }],
      block: { ...call, input: { query: search } },
    },
    { start: result, deltas: [], block: result },
  ]
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
