/** Ollama's /api/chat: a document on each line, calls whole, arguments as an object. */
import {
  argumentsOf,
  callsOf,
  finishOf,
  type PlayedAnswer,
  piecesOf,
  type Said,
  type Speaker,
  usageOf,
  type WireFrame,
} from './script.case.ts'

export const speakOllama: Speaker = {
  contentType: 'application/x-ndjson',
  framing: 'lines',
  frames,
  whole(answer, model) {
    const messages = (answer.said ?? []).flatMap((said, at) => messagesOf(said, at))
    const joined = (key: string) => messages.map(message => (message[key] as string | undefined) ?? '').join('')
    const tool_calls = messages.flatMap(message => (message.tool_calls as unknown[] | undefined) ?? [])
    const message = {
      role: 'assistant',
      content: joined('content'),
      thinking: joined('thinking'),
      ...(tool_calls.length > 0 ? { tool_calls } : {}),
    }
    return { ...lineOf(model), message, ...endOf(answer) }
  },
  error: (_, __, message) => ({ error: message }),
}

const lineOf = (model: string) => ({ model, created_at: '2026-11-30T02:00:00.000000Z' })
const endOf = (answer: PlayedAnswer) => {
  const usage = usageOf(answer)
  return {
    done_reason: finishOf(answer) === 'length' ? 'length' : 'stop',
    done: true,
    total_duration: 4_883_583_458,
    load_duration: 1_334_875,
    ...(usage
      ? {
          prompt_eval_count: usage.input,
          prompt_eval_duration: 342_546_000,
          eval_count: usage.output,
          eval_duration: 4_535_599_000,
        }
      : {}),
  }
}

function frames(answer: PlayedAnswer, model: string): WireFrame[] {
  const out: WireFrame[] = []
  for (const [at, said] of (answer.said ?? []).entries()) {
    if ('raw' in said) out.push({ data: said.raw })
    else if ('error' in said) {
      out.push({ data: { error: said.message } })
      return out
    } else
      out.push(
        ...messagesOf(said, at).map(message => ({
          data: { ...lineOf(model), message: { role: 'assistant', content: '', ...message }, done: false },
        })),
      )
  }
  return [...out, { data: { ...lineOf(model), message: { role: 'assistant', content: '' }, ...endOf(answer) } }]
}

function messagesOf(said: Said, at: number): Record<string, unknown>[] {
  if ('thinking' in said) return piecesOf(said.thinking).map(thinking => ({ thinking }))
  if ('text' in said) return piecesOf(said.text).map(content => ({ content }))
  if ('refusal' in said) return [{ content: said.refusal }]
  const calls = callsOf(said)
  if (!calls) return []
  return [
    {
      tool_calls: calls.map((call, index) => ({
        ...(call.id ? { id: call.id } : {}),
        function: { index: at + index, name: call.call, arguments: JSON.parse(argumentsOf(call)) as unknown },
      })),
    },
  ]
}
