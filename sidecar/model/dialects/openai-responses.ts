/** OpenAI Responses: our history as its request. Nothing is stored there: what must come back to it, we keep and send. */
import { createHash } from 'node:crypto'
import type { AssistantPart, ModelMessage, ModelRequest } from '../../agent/ports.ts'
import type { ModelFacts } from '../catalog.ts'
import { acceptedFiles, type Dialect, FOREIGN_REASONING } from '../dialect.ts'
import { splitModel } from '../provider.ts'
import { responsesParser } from './openai-responses-parser.ts'

export const openAiResponses: Dialect = {
  framing: 'sse',
  url: base => `${base}/responses`,
  headers: (key): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {}),
  body,
  optional: {
    'reasoning.summary': /reasoning\.summary|reasoning summar/i,
    'reasoning.effort': /reasoning\.effort/i,
    include: /\binclude\b|encrypted.content/i,
    prompt_cache_key: /prompt_cache_key/,
    max_output_tokens: /max_output_tokens/,
    'text.format': /text\.format|json_schema/,
  },
  parser: responsesParser,
}

/** The least it takes. */
const LEAST_OUTPUT_TOKENS = 16

function body(
  request: ModelRequest,
  facts: ModelFacts | null,
  _paused?: unknown,
  without = new Set<string>() as ReadonlySet<string>,
) {
  const { provider, id } = splitModel(request.model)
  const dropped = new Set<string>()
  const reasons = Boolean(facts?.reasoning)
  const effort = facts?.reasoning?.levels[request.effort]
  const searches = request.serverTools?.includes('web_search') ?? false
  const reasoning = {
    ...(typeof effort === 'string' && !without.has('reasoning.effort') ? { effort } : {}),
    ...(reasons && !without.has('reasoning.summary') ? { summary: 'auto' } : {}),
  }
  const include = [
    ...(reasons ? ['reasoning.encrypted_content'] : []),
    ...(searches ? ['web_search_call.action.sources'] : []),
  ]
  const tools = [
    ...request.tools.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      parameters,
      strict: false,
    })),
    ...(searches ? [{ type: 'web_search' }] : []),
  ]
  const takesReasoning = facts === null || reasons
  const json = JSON.stringify({
    model: id,
    stream: true,
    store: false,
    ...(include.length > 0 && !without.has('include') ? { include } : {}),
    ...(without.has('prompt_cache_key') ? {} : { prompt_cache_key: cacheKeyOf(request) }),
    ...(Object.keys(reasoning).length > 0 ? { reasoning } : {}),
    ...(request.maxOutputTokens !== null && !without.has('max_output_tokens')
      ? { max_output_tokens: Math.max(LEAST_OUTPUT_TOKENS, request.maxOutputTokens) }
      : {}),
    ...(request.answer && !without.has('text.format')
      ? { text: { format: { type: 'json_schema', ...request.answer, strict: false } } }
      : {}),
    instructions: request.system,
    ...(tools.length > 0 ? { tools } : {}),
    input: request.messages.flatMap(message => itemsOf(message, takesReasoning ? provider : null, facts, dropped)),
  })
  return { json, dropped: [...dropped] }
}

/** The same for all steps of a session, and for no other session: so that its requests meet the same cache. */
function cacheKeyOf({ system, tools, messages }: ModelRequest): string {
  const first = messages.find(({ role }) => role === 'user')
  const words = JSON.stringify([system, tools.map(({ name }) => name), first?.role === 'user' ? first.text : ''])
  return `belay-${createHash('sha256').update(words).digest('hex').slice(0, 32)}`
}

type Item = Record<string, unknown>

/** What goes back unchanged: a reasoning item or a tool that ran there; of text, whether it was the answer or on the way. */
interface OpaqueData {
  readonly item?: Item
  readonly phase?: string
}

/** `provider`: whose reasoning may go back; null when this model takes none. */
function itemsOf(
  message: ModelMessage,
  provider: string | null,
  facts: ModelFacts | null,
  dropped: Set<string>,
): Item[] {
  if (message.role === 'tool')
    return [{ type: 'function_call_output', call_id: message.callId, output: message.text || '(empty)' }]
  if (message.role === 'assistant') {
    const items = message.parts.flatMap(part => assistantItem(part, provider, dropped))
    // Reasoning that nothing followed, because the answer was cut off there, is refused.
    while (items.at(-1)?.type === 'reasoning') items.pop()
    return items
  }
  const files = acceptedFiles(message, facts, dropped).map(({ kind, file: { mediaType, base64, name } }) => {
    const url = `data:${mediaType};base64,${base64}`
    return kind === 'image'
      ? { type: 'input_image', image_url: url }
      : { type: 'input_file', filename: name ?? 'file.pdf', file_data: url }
  })
  const content = [...(message.text === '' ? [] : [{ type: 'input_text', text: message.text }]), ...files]
  return content.length > 0 ? [{ role: 'user', content }] : []
}

function assistantItem(part: AssistantPart, provider: string | null, dropped: Set<string>): Item[] {
  const own = 'opaque' in part && part.opaque?.provider === provider ? (part.opaque.data as OpaqueData) : null
  const said = (text: string): Item[] =>
    text.trim() === ''
      ? []
      : [
          {
            type: 'message',
            role: 'assistant',
            content: [{ type: 'output_text', text }],
            ...(own?.phase ? { phase: own.phase } : {}),
          },
        ]
  if (part.kind === 'call')
    return [{ type: 'function_call', call_id: part.callId, name: part.tool, arguments: part.arguments || '{}' }]
  if (own?.item) return [own.item]
  if (part.kind !== 'reasoning') return said(part.text)
  if (part.opaque) dropped.add(FOREIGN_REASONING)
  return []
}
