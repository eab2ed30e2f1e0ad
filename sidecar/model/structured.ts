/**
 * An answer as data: the provider is held to the schema where it can be, the model is told of it in words anyway, and whatever comes
 * is read tolerantly and checked. Failures are data.
 */
import { z } from 'zod'
import type { ChatFailure, ChatResponse } from '#contract/chat-event'
import type { Usage } from '#contract/session-event'
import { addUsage, noUsage } from '#contract/session-fold'
import type { Model, ModelRequest } from '../agent/ports.ts'
import { failure } from './failure.ts'
import { reduceResponse } from './response.ts'

export type StructuredAnswer<T> = { readonly usage: Usage } & (
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: ChatFailure }
)
/** `name` is for providers that want one: letters, digits, underscores. */
export type StructuredRequest = Omit<ModelRequest, 'answer' | 'tools'> & { readonly name: string }

/** Never rejects. Aborting closes the connection and answers `cancelled`. A provider that refuses the schema is asked without it. */
export async function answerAs<T>(
  model: Model,
  { name, ...rest }: StructuredRequest,
  schema: z.ZodType<T>,
  signal: AbortSignal,
): Promise<StructuredAnswer<T>> {
  const wanted = z.toJSONSchema(schema) as Record<string, unknown>
  const system = `${rest.system}\n\nAnswer with one JSON value of this schema and nothing else:\n${JSON.stringify(wanted)}`
  const request: ModelRequest = { ...rest, system, tools: [] }
  const first = await ask(model, { ...request, answer: { name, schema: wanted } }, signal)
  const refused =
    first?.failure?.code === 'bad_request' && /schema|response_format|output_format|format/i.test(first.failure.message)
  const said = refused ? await ask(model, request, signal) : first
  const usage = refused && first && said ? addUsage(first.usage, said.usage) : (said?.usage ?? noUsage)
  if (!said) return { ok: false, failure: failure('cancelled', 'The model was not asked to the end.'), usage }
  if (said.failure) return { ok: false, failure: said.failure, usage }
  const read = readAs(said, schema)
  return read.ok ? { ...read, usage } : { ok: false, failure: failure('protocol', read.message), usage }
}

/** Null when it was cancelled. */
async function ask(model: Model, request: ModelRequest, signal: AbortSignal): Promise<ChatResponse | null> {
  const response = await reduceResponse(model.stream(request, signal))
  return signal.aborted ? null : response
}

type Read<T> = { ok: true; value: T } | { ok: false; message: string }

/** The first candidate that parses and fits: of the text, else of what was thought. */
function readAs<T>({ text, thinking, refusal }: ChatResponse, schema: z.ZodType<T>): Read<T> {
  if (refusal) return { ok: false, message: `The model declined to answer: ${preview(refusal)}` }
  let unfit: string | null = null
  for (const source of [text, thinking]) {
    for (const candidate of candidatesIn(source)) {
      const value = parse(candidate)
      if (value === undefined) continue
      const fits = schema.safeParse(value)
      if (fits.success) return { ok: true, value: fits.data }
      unfit ??= z.prettifyError(fits.error).split('\n').slice(0, 3).join('; ')
    }
  }
  const said = preview(text || thinking)
  return {
    ok: false,
    message: unfit
      ? `The model's JSON does not fit: ${unfit}. It said: ${said}`
      : `The model answered without whole JSON. It said: ${said || 'nothing'}`,
  }
}

/** Head and tail: a cut answer shows where it was cut. */
const preview = (text: string): string =>
  text.length <= 240 ? text.trim() : `${text.slice(0, 120).trim()} … ${text.slice(-120).trim()}`

/** In order: fenced blocks, balanced values at the top level, from the first brace to the last, all of it. */
export function* candidatesIn(text: string): Generator<string> {
  for (const [, inside = ''] of text.matchAll(/```(?:json[5c]?)?[^\S\n]*\n([\s\S]*?)```/gi)) yield inside
  yield* balancedIn(text)
  const from = text.search(/[{[]/)
  const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  if (from >= 0 && to > from) yield text.slice(from, to + 1)
  yield text
}

const partner: Record<string, string> = { '{': '}', '[': ']' }

/** Knows strings: a brace in one counts for nothing. An opening that is never closed is passed over once. */
function* balancedIn(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const open = text[at]
    const end = open !== undefined && open in partner ? endOf(text, at) : null
    if (end === null) at++
    else {
      yield text.slice(at, end)
      at = end
    }
  }
}

/** Behind the bracket that closes the one at `from`; null where none does. */
function endOf(text: string, from: number): number | null {
  const stack: string[] = []
  let inString = false
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? ''
    if (inString) {
      if (char === '\\') at++
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char in partner) stack.push(partner[char] ?? '')
    else if (char === '}' || char === ']') {
      if (stack.pop() !== char) return null
      if (stack.length === 0) return at + 1
    }
  }
  return null
}

/** As it is, and with the control characters that models write into strings escaped. */
function parse(text: string): unknown {
  for (const each of [text, escaped(text)]) {
    try {
      const value: unknown = JSON.parse(each)
      return value
    } catch {
      // The next form, or none.
    }
  }
  return undefined
}

function escaped(text: string): string {
  let out = ''
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if (inString && char === '\\') {
      out += char + (text[++at] ?? '')
      continue
    }
    if (char === '"') inString = !inString
    out += inString && char < ' ' ? JSON.stringify(char).slice(1, -1) : char
  }
  return out
}
