/** Gemini's streamGenerateContent with server-sent events: parts without ids, calls whole, usage in every chunk. */
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

type Part = Record<string, unknown>

export const speakGemini: Speaker = {
  contentType: 'text/event-stream',
  framing: 'sse',
  frames,
  whole: (answer, model) => frames(answer, model).map(({ data }) => data),
  error: (status, kind, message) => ({ error: { code: status, message, status: kind.toUpperCase() } }),
}

function frames(answer: PlayedAnswer, model: string): WireFrame[] {
  const usage = usageOf(answer)
  const base = {
    ...(usage ? { usageMetadata: wireUsage(usage) } : {}),
    modelVersion: model,
    responseId: 'M3iLaY-AI7zTxN8P',
  }
  const chunk = (parts: Part[], facts: Part = {}): WireFrame => ({
    data: { candidates: [{ content: { parts, role: 'model' }, index: 0, ...facts }], ...base },
  })
  const out: WireFrame[] = []
  for (const said of answer.said ?? []) {
    if ('raw' in said) out.push({ data: said.raw })
    else if ('error' in said) {
      out.push({ data: { error: { code: 503, message: said.message, status: said.error.toUpperCase() } } })
      return out
    } else if ('filter' in said && out.length === 0) {
      out.push({ data: { promptFeedback: { blockReason: said.filter }, ...base } })
      return out
    } else out.push(...groupsOf(said).map(parts => chunk(parts)))
  }
  const filter = answer.said?.find(said => 'filter' in said)
  const reason = filter && 'filter' in filter ? filter.filter : finishOf(answer) === 'length' ? 'MAX_TOKENS' : 'STOP'
  return [...out, chunk([{ text: '' }], { finishReason: reason, ...groundingOf(answer) })]
}

/** The parts of each chunk. */
function groupsOf(said: Said): Part[][] {
  if ('thinking' in said) {
    const thoughts = piecesOf(said.thinking).map(text => [{ text, thought: true }])
    return said.signature ? [...thoughts, [{ text: '', thoughtSignature: said.signature }]] : thoughts
  }
  // It has no refusals of its own; it just says so.
  if ('refusal' in said) return [[{ text: said.refusal }]]
  if ('text' in said) return piecesOf(said.text).map(text => [{ text }])
  const calls = callsOf(said)
  if (!calls) return []
  const args = (text: string): unknown => JSON.parse(text)
  return [
    calls.map((call, nth) => ({
      functionCall: { ...(call.id ? { id: call.id } : {}), name: call.call, args: args(argumentsOf(call)) },
      ...(nth === 0 ? { thoughtSignature: 'Ep8BCpwB' } : {}),
    })),
  ]
}

function groundingOf(answer: PlayedAnswer): Part {
  const searches = (answer.said ?? []).flatMap(said => ('search' in said ? [said] : []))
  const citations = (answer.said ?? []).flatMap(said => ('text' in said ? (said.citations ?? []) : []))
  if (searches.length === 0 && citations.length === 0) return {}
  const found = [...searches.flatMap(({ results }) => results), ...citations]
  const supports = citations.map((citation, at) => ({
    segment: { startIndex: 0, endIndex: citation.quote.length, text: citation.quote },
    groundingChunkIndices: [found.length - citations.length + at],
    confidenceScores: [0.9],
  }))
  return {
    groundingMetadata: {
      ...(searches.length > 0 ? { webSearchQueries: searches.map(({ search }) => search) } : {}),
      groundingChunks: found.map(({ url, title }) => ({ web: { uri: url, title } })),
      groundingSupports: supports,
    },
  }
}

const wireUsage = ({
  input,
  output,
  cacheRead = 0,
  reasoning = 0,
}: {
  input: number
  output: number
  cacheRead?: number
  reasoning?: number
}) => ({
  promptTokenCount: input,
  candidatesTokenCount: output - reasoning,
  totalTokenCount: input + output,
  cachedContentTokenCount: cacheRead,
  thoughtsTokenCount: reasoning,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
})
