/**
 * An answer as data: the provider is held to the schema where it can be, the model is told of it in words anyway, and whatever comes
 * is read tolerantly and checked. Failures are data.
 */
import { z } from 'zod'
import type { ChatFailure, ChatResponse } from '#contract/chat-event'
import type { Usage } from '#contract/session-event'
import { addUsage, noUsage } from '#contract/session-fold'
import type { Model, ModelRequest } from '../agent/ports.ts'
import { candidatesIn, parseLoosely } from '../base/json-in-text.ts'
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
      const value = parseLoosely(candidate)
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
