/** OpenAI Chat Completions, as it and its cousins stream: reasoning in `reasoning_content`, usage in a last frame. */
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

const stops = { stop: 'stop', tool: 'tool_calls', length: 'length' } as const
const finishReason = (answer: PlayedAnswer): string =>
  answer.said?.some(said => 'filter' in said) ? 'content_filter' : stops[finishOf(answer)]

export const speakOpenAiChat: Speaker = {
  contentType: 'text/event-stream',
  framing: 'sse',
  frames,
  whole(answer, model) {
    const deltas = (answer.said ?? []).flatMap((said, at) => deltasOf(said, at))
    const message: Record<string, unknown> = { role: 'assistant', content: '' }
    for (const delta of deltas)
      for (const [key, value] of Object.entries(delta))
        message[key] =
          typeof value === 'string'
            ? `${message[key] ?? ''}${value}`
            : [...((message[key] as unknown[]) ?? []), ...(value as unknown[])]
    const calls = (answer.said ?? []).flatMap(said => callsOf(said) ?? [])
    const tool_calls = calls.map((call, at) => wireCall(idOf(call, 'call_', at), call.call, argumentsOf(call)))
    const choice = {
      index: 0,
      message: { ...message, ...(calls.length > 0 ? { tool_calls } : {}) },
      finish_reason: finishReason(answer),
    }
    return { id: 'chatcmpl-1', object: 'chat.completion', model, choices: [choice], ...usageIn(answer) }
  },
  error: (status, kind, message) => ({ error: { message, type: kind, code: kind, param: null, status } }),
}

const wireCall = (id: string | null, name: string, text: string) => ({
  ...(id === null ? {} : { id }),
  type: 'function',
  function: { name, arguments: text },
})

function usageIn(answer: PlayedAnswer) {
  const usage = usageOf(answer)
  if (!usage) return {}
  const { input, output, cacheRead = 0, reasoning = 0 } = usage
  return {
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cacheRead },
      completion_tokens_details: { reasoning_tokens: reasoning },
    },
  }
}

function frames(answer: PlayedAnswer, model: string): WireFrame[] {
  const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_790_000_000, model }
  const chunk = (delta: object, finish_reason: string | null = null): WireFrame => ({
    data: { ...base, choices: [{ index: 0, delta, finish_reason }] },
  })
  const out = [chunk({ role: 'assistant', content: '' })]
  let index = 0
  for (const [at, said] of (answer.said ?? []).entries()) {
    const calls = callsOf(said)
    if ('raw' in said) out.push({ data: said.raw })
    else if ('error' in said) {
      out.push({ data: { error: { message: said.message, type: said.error, code: said.error } } })
      return out
    } else if (calls) {
      for (const [nth, call] of calls.entries())
        out.push(
          chunk({
            tool_calls: [{ index: index + nth, ...wireCall(idOf(call, 'call_', at * 10 + nth), call.call, '') }],
          }),
        )
      for (const { at: nth, piece } of inTurn(calls))
        out.push(chunk({ tool_calls: [{ index: index + nth, function: { arguments: piece } }] }))
      index += calls.length
    } else out.push(...deltasOf(said, at).map(delta => chunk(delta)))
  }
  out.push(chunk({}, finishReason(answer)))
  const usage = usageIn(answer)
  if ('usage' in usage) out.push({ data: { ...base, choices: [], ...usage } })
  return [...out, { data: '[DONE]' }]
}

function deltasOf(said: Said, _at: number): Record<string, unknown>[] {
  if ('thinking' in said) return piecesOf(said.thinking).map(reasoning_content => ({ reasoning_content }))
  if ('refusal' in said) return [{ refusal: said.refusal }]
  if (!('text' in said)) return []
  const annotations = (said.citations ?? []).map(({ url, title, quote }) => ({
    type: 'url_citation',
    url_citation: { url, title, content: quote, start_index: 0, end_index: 1 },
  }))
  return [...piecesOf(said.text).map(content => ({ content })), ...(annotations.length > 0 ? [{ annotations }] : [])]
}
