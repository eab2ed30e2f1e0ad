/** OpenAI Responses: numbered events, items with parts, encrypted reasoning. */
import {
  argumentsOf,
  callsOf,
  finishOf,
  idOf,
  inTurn,
  type PlayedAnswer,
  type PlayedCall,
  piecesOf,
  type Said,
  type Speaker,
  usageOf,
  type WireFrame,
} from './script.case.ts'

type Item = Record<string, unknown>

export const speakOpenAiResponses: Speaker = {
  contentType: 'text/event-stream; charset=utf-8',
  framing: 'sse',
  frames,
  whole: (answer, model) =>
    responseOf(
      answer,
      model,
      (answer.said ?? []).flatMap((said, at) => itemsOf(said, at)),
    ),
  error: (_, kind, message) => ({ error: { message, type: 'invalid_request_error', param: null, code: kind } }),
}

/** Items as they are when they are done. */
function itemsOf(said: Said, at: number): Item[] {
  if ('thinking' in said) {
    const summary = piecesOf(said.thinking).join('')
    const { signature = 'gAAAAA' } = said
    return [
      {
        id: `rs_${at}`,
        type: 'reasoning',
        summary: summary === '' ? [] : [{ type: 'summary_text', text: summary }],
        encrypted_content: signature,
      },
    ]
  }
  if ('redacted' in said) return [{ id: `rs_${at}`, type: 'reasoning', summary: [], encrypted_content: said.redacted }]
  if ('text' in said || 'refusal' in said) {
    const part =
      'text' in said
        ? { type: 'output_text', text: piecesOf(said.text).join(''), annotations: annotationsOf(said), logprobs: [] }
        : { type: 'refusal', refusal: said.refusal }
    return [{ id: `msg_${at}`, type: 'message', status: 'completed', role: 'assistant', content: [part] }]
  }
  if ('search' in said) {
    const sources = said.results.map(({ url }) => ({ type: 'url', url }))
    return [
      {
        id: `ws_${at}`,
        type: 'web_search_call',
        status: 'completed',
        action: { type: 'search', query: said.search, sources },
      },
    ]
  }
  return (callsOf(said) ?? []).map((call, nth) => callItem(call, at * 10 + nth))
}
const callItem = (call: PlayedCall, at: number): Item => ({
  id: `fc_${at}`,
  type: 'function_call',
  status: 'completed',
  arguments: argumentsOf(call),
  call_id: idOf(call, 'call_', at),
  name: call.call,
})
const annotationsOf = (said: Extract<Said, { text: unknown }>): Item[] =>
  (said.citations ?? []).map(({ url, title }) => ({ type: 'url_citation', start_index: 0, end_index: 1, url, title }))

function responseOf(answer: PlayedAnswer, model: string, output: Item[]): Item {
  const usage = usageOf(answer)
  const filtered = answer.said?.some(said => 'filter' in said)
  const incomplete = filtered ? 'content_filter' : finishOf(answer) === 'length' ? 'max_output_tokens' : null
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_790_000_000,
    status: incomplete ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: incomplete ? { reason: incomplete } : null,
    model,
    output,
    store: false,
    usage: usage
      ? {
          input_tokens: usage.input,
          input_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
          output_tokens: usage.output,
          output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
          total_tokens: usage.input + usage.output,
        }
      : null,
  }
}

function frames(answer: PlayedAnswer, model: string): WireFrame[] {
  const out: WireFrame[] = []
  const output: Item[] = []
  const put = (type: string, facts: Item) =>
    out.push({ event: type, data: { type, sequence_number: out.length, ...facts } })
  const started = { ...responseOf({ usage: null }, model, []), status: 'in_progress' }
  put('response.created', { response: started })
  put('response.in_progress', { response: started })
  for (const [at, said] of (answer.said ?? []).entries()) {
    if ('ping' in said) out.push({ data: { type: 'keepalive', sequence_number: out.length } })
    else if ('raw' in said) out.push({ data: said.raw })
    else if ('error' in said) {
      put('error', { error: { type: said.error, code: said.error, message: said.message, param: null } })
      put('response.failed', {
        response: { ...started, status: 'failed', error: { code: said.error, message: said.message } },
      })
      return out
    } else {
      const items = itemsOf(said, at)
      const first = output.length
      items.forEach(
        (item, nth) => void put('response.output_item.added', { output_index: first + nth, item: begun(item) }),
      )
      if (callsOf(said)) stream(said, items, first, put)
      else items.forEach((item, nth) => void within(said, item, { item_id: item.id, output_index: first + nth }, put))
      items.forEach((item, nth) => void put('response.output_item.done', { output_index: first + nth, item }))
      output.push(...items)
    }
  }
  const response = responseOf(answer, model, output)
  put(`response.${response.status}`, { response })
  return out
}

const begun = (item: Item): Item => {
  const { content, encrypted_content, action, ...rest } = item
  const status = 'status' in item ? { status: 'in_progress' } : {}
  if (item.type === 'message') return { ...rest, ...status, content: [] }
  if (item.type === 'function_call') return { ...rest, ...status, arguments: '' }
  return item.type === 'reasoning' ? { ...rest, summary: [] } : { ...rest, ...status }
}

type Put = (type: string, facts: Item) => void

function stream(said: Said, items: readonly Item[], first: number, put: Put): void {
  const place = (nth: number) => ({ item_id: items[nth]?.id, output_index: first + nth })
  for (const { at, piece } of inTurn(callsOf(said) ?? []))
    put('response.function_call_arguments.delta', { ...place(at), delta: piece, obfuscation: 'x7Rk' })
  items.forEach(
    (item, nth) => void put('response.function_call_arguments.done', { ...place(nth), arguments: item.arguments }),
  )
}

function within(said: Said, item: Item, place: Item, put: Put): void {
  if ('thinking' in said && (item.summary as unknown[]).length > 0) {
    const at = { ...place, summary_index: 0 }
    put('response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } })
    for (const delta of piecesOf(said.thinking)) put('response.reasoning_summary_text.delta', { ...at, delta })
    const text = piecesOf(said.thinking).join('')
    put('response.reasoning_summary_text.done', { ...at, text })
    put('response.reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text } })
  }
  if ('search' in said)
    for (const state of ['in_progress', 'searching', 'completed']) put(`response.web_search_call.${state}`, place)
  const at = { ...place, content_index: 0 }
  const [part] = (item.content ?? []) as Item[]
  if ('text' in said) {
    put('response.content_part.added', { ...at, part: { ...part, text: '', annotations: [] } })
    for (const delta of piecesOf(said.text)) put('response.output_text.delta', { ...at, delta, logprobs: [] })
    annotationsOf(said).forEach(
      (annotation, annotation_index) =>
        void put('response.output_text.annotation.added', { ...at, annotation_index, annotation }),
    )
    put('response.output_text.done', { ...at, text: part?.text, logprobs: [] })
    put('response.content_part.done', { ...at, part })
  }
  if ('refusal' in said) {
    put('response.content_part.added', { ...at, part: { type: 'refusal', refusal: '' } })
    put('response.refusal.delta', { ...at, delta: said.refusal })
    put('response.refusal.done', { ...at, refusal: said.refusal })
    put('response.content_part.done', { ...at, part })
  }
}
