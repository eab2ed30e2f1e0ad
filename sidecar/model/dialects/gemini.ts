/** Gemini: our history as its contents. Calls have no ids there: they are told by their order and their name. */
import type { AssistantPart, ModelMessage, ModelRequest } from '../../agent/ports.ts'
import type { ModelFacts } from '../catalog.ts'
import { acceptedFiles, type Dialect, FOREIGN_REASONING, parseArguments } from '../dialect.ts'
import { splitModel } from '../provider.ts'
import { geminiParser } from './gemini-parser.ts'
import { geminiSchema } from './gemini-schema.ts'

export const gemini: Dialect = {
  framing: 'sse',
  url: (base, { model }) =>
    `${base.replace(/\/openai$/, '')}/${pathOf(splitModel(model).id)}:streamGenerateContent?alt=sse`,
  headers: (key): Record<string, string> => (key ? { 'x-goog-api-key': key } : {}),
  body,
  optional: { thinkingConfig: /thinking|thought/i, responseSchema: /response_?schema|response_?mime|json mode/i },
  parser: geminiParser,
}

/** `tunedModels/x` and the like say where they are. */
const pathOf = (id: string): string =>
  (id.includes('/') ? id : `models/${id}`).split('/').map(encodeURIComponent).join('/')

function body(
  request: ModelRequest,
  facts: ModelFacts | null,
  _paused?: unknown,
  without = new Set<string>() as ReadonlySet<string>,
) {
  const { provider, id } = splitModel(request.model)
  const dropped = new Set<string>()
  const declarations = request.tools.map(({ name, description, parameters }) => {
    const schema = geminiSchema(parameters, lost => dropped.add(`Gemini cannot be told ${lost} of the tool ${name}.`))
    return { name, description, ...(schema ? { parameters: schema } : {}) }
  })
  const searches = request.serverTools?.includes('web_search') ?? false
  // It takes its own tools or ours, not both.
  if (searches && declarations.length > 0)
    dropped.add('Gemini cannot search the web beside other tools, so it will not.')
  const tools =
    declarations.length > 0 ? [{ functionDeclarations: declarations }] : searches ? [{ googleSearch: {} }] : []
  const config = {
    ...(request.maxOutputTokens === null ? {} : { maxOutputTokens: request.maxOutputTokens }),
    ...(without.has('thinkingConfig') ? {} : thinkingOf(request, facts)),
    ...(request.answer && request.tools.length === 0 && !without.has('responseSchema')
      ? { responseMimeType: 'application/json', responseSchema: geminiSchema(request.answer.schema, () => {}) }
      : {}),
  }
  const contents = toContents(request.messages, { provider, signs: needsSignatures(id) }, facts, dropped)
  const json = JSON.stringify({
    ...(request.system === '' ? {} : { systemInstruction: { parts: [{ text: request.system }] } }),
    ...(tools.length > 0 ? { tools } : {}),
    ...(Object.keys(config).length > 0 ? { generationConfig: config } : {}),
    contents,
  })
  return { json, dropped: [...dropped] }
}

function thinkingOf({ effort }: ModelRequest, facts: ModelFacts | null): object {
  if (!facts?.reasoning) return {}
  const level = facts.reasoning.levels[effort]
  const steered =
    level === undefined ? {} : typeof level === 'number' ? { thinkingBudget: level } : { thinkingLevel: level }
  return { thinkingConfig: { includeThoughts: true, ...steered } }
}

/** From the third generation on, a call without its signature is refused. */
const needsSignatures = (id: string): boolean => !/(^|\/)(gemini-(1|2)\b|gemini-pro|gemma|learnlm)/.test(id)
/** Google's own word for a call that another model made. */
const FOREIGN_SIGNATURE = 'skip_thought_signature_validator'

type Part = Record<string, unknown>
interface Content {
  readonly role: 'user' | 'model'
  readonly parts: Part[]
}
interface Receiver {
  readonly provider: string
  readonly signs: boolean
}

/** What goes back unchanged: a signature and the part that bears it, or the parts of a tool that ran there. */
interface OpaqueData {
  readonly signature?: string
  readonly on?: 'call' | 'text' | 'thought'
  readonly parts?: Part[]
}

/** Neighbours of one role are one content: results of parallel calls must come together. */
function toContents(
  messages: readonly ModelMessage[],
  to: Receiver,
  facts: ModelFacts | null,
  dropped: Set<string>,
): Content[] {
  const out: Content[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'model' : 'user'
    const parts =
      message.role === 'assistant' ? modelParts(message.parts, to, dropped) : userParts(message, facts, dropped)
    const last = out.at(-1)
    if (parts.length === 0) continue
    if (last?.role === role) last.parts.push(...parts)
    else out.push({ role, parts })
  }
  return out
}

function userParts(
  message: Exclude<ModelMessage, { role: 'assistant' }>,
  facts: ModelFacts | null,
  dropped: Set<string>,
): Part[] {
  if (message.role === 'tool') {
    const { tool: name, text, failed } = message
    return [{ functionResponse: { name, response: { [failed ? 'error' : 'output']: text } } }]
  }
  const files = acceptedFiles(message, facts, dropped).map(({ file: { mediaType: mimeType, base64: data } }) => ({
    inlineData: { mimeType, data },
  }))
  return [...files, ...(message.text === '' ? [] : [{ text: message.text }])]
}

function modelParts(parts: readonly AssistantPart[], { provider, signs }: Receiver, dropped: Set<string>): Part[] {
  const out: Part[] = []
  /** For the next call. */
  let signature: string | null = null
  let signed = false
  for (const part of parts) {
    const own = 'opaque' in part && part.opaque?.provider === provider ? (part.opaque.data as OpaqueData) : null
    if (part.kind === 'call') {
      // Of parallel calls only the first is signed.
      const mark: string | null = signature ?? (signs && !signed ? FOREIGN_SIGNATURE : null)
      out.push({
        functionCall: { name: part.tool, args: parseArguments(part.arguments) },
        ...(mark ? { thoughtSignature: mark } : {}),
      })
      signed = true
      signature = null
    } else if (part.kind === 'reasoning') {
      if (part.opaque && !own?.signature) dropped.add(FOREIGN_REASONING)
      if (own?.on === 'call') signature = own.signature ?? null
      else if (own?.signature)
        out.push({
          text: part.text,
          ...(own.on === 'thought' ? { thought: true } : {}),
          thoughtSignature: own.signature,
        })
    } else if (part.kind === 'server' && own?.parts) out.push(...own.parts)
    else if (part.text.trim() !== '')
      out.push({ text: part.text, ...(own?.signature ? { thoughtSignature: own.signature } : {}) })
  }
  return out
}
