/** What a provider says of its own models, each in its own form. What it leaves out is unknown; what does not fit is skipped. */
import { z } from 'zod'
import { BelayError } from '#contract/error'
import { limited } from '../base/limited.ts'
import type { ListedModel } from './catalog.ts'
import type { Listing } from './catalogue-file.ts'
import type { Fetch } from './network.ts'
import { withOllamaFacts } from './ollama-facts.ts'

const MOST_MODELS = 2000
const MAX_BYTES = 16_000_000

export interface ListingRequest {
  readonly baseUrl: string
  readonly listing: Listing
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly fetch?: Fetch | undefined
  readonly signal?: AbortSignal | undefined
}

/** Null when nothing fitting answers in time. Throws only what is in words already: a proxy's faults. */
export async function listModels(request: ListingRequest): Promise<ListedModel[] | null> {
  const { listing, baseUrl, headers, timeoutMs, signal } = request
  const limit = signal ? limited(signal, timeoutMs) : AbortSignal.timeout(timeoutMs)
  const ask = async (url: string, body?: object): Promise<string> => {
    const response = await (request.fetch ?? fetch)(url, {
      headers: { accept: 'application/json', ...headers, ...(body && { 'content-type': 'application/json' }) },
      signal: limit,
      redirect: 'error',
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (response.ok) return textOf(response)
    await response.body?.cancel()
    throw new Error(`status ${response.status}`)
  }
  try {
    const models = readListing(listing, await ask(listingUrl(listing, baseUrl)))
    if (!models || listing !== 'ollama') return models
    return await withOllamaFacts(models, (path, body) => ask(`${serverRoot(baseUrl)}${path}`, body))
  } catch (thrown) {
    if (thrown instanceof BelayError) throw thrown
    return null
  }
}

/** Throws on what is no JSON; null for JSON that is no list. */
export function readListing(listing: Listing, text: string): ListedModel[] | null {
  const said = Envelope.safeParse(JSON.parse(text))
  const entries = said.data?.data ?? said.data?.models
  return (
    entries?.slice(0, MOST_MODELS).flatMap(entry => {
      const model = forms[listing].entry.safeParse(entry)
      return model.success && model.data ? [model.data] : []
    }) ?? null
  )
}

export const listingUrl = (listing: Listing, baseUrl: string): string => forms[listing].url(baseUrl.replace(/\/+$/, ''))

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > MAX_BYTES) throw new Error('too long')
  }
  return text
}

const Envelope = z.object({ data: z.array(z.unknown()).optional(), models: z.array(z.unknown()).optional() })
const tokens = z.number().int().positive().optional().catch(undefined)
const words = z.string().min(1).max(300).optional().catch(undefined)
const id = z.string().min(1).max(300)
const strings = z.array(z.string()).optional().catch(undefined)

/** Kinds of input as they are called in lists; undefined where the list does not speak of them. */
const inputOf = (said: string[] | undefined): ('image' | 'pdf')[] | undefined =>
  said && [
    ...(said.includes('image') ? (['image'] as const) : []),
    ...(said.some(each => each === 'file' || each === 'pdf') ? (['pdf'] as const) : []),
  ]

/** Text of US dollars a token, as dollars a million. Negative ones mean "it depends". */
const perMillion = (text: string | undefined): number | undefined => {
  const dollars = Number(text ?? Number.NaN)
  return Number.isFinite(dollars) && dollars >= 0 ? Number((dollars * 1e6).toPrecision(12)) : undefined
}

interface Form {
  url(baseUrl: string): string
  readonly entry: z.ZodType<ListedModel | null>
}

/** The word for the window differs from server to server: OpenRouter and Moonshot, Groq, Mistral, vLLM, llama.cpp. */
const openai: Form['entry'] = z
  .object({
    id,
    name: words,
    display_name: words,
    context_length: tokens,
    context_window: tokens,
    max_context_length: tokens,
    max_model_len: tokens,
    meta: z.object({ n_ctx_train: tokens, n_ctx: tokens }).optional().catch(undefined),
    max_completion_tokens: tokens,
    active: z.boolean().optional().catch(undefined),
    capabilities: z
      .object({
        function_calling: z.boolean().optional(),
        vision: z.boolean().optional(),
        completion_chat: z.boolean().optional(),
      })
      .optional()
      .catch(undefined),
    supports_image_in: z.boolean().optional().catch(undefined),
  })
  .transform(said => {
    if (said.active === false || said.capabilities?.completion_chat === false) return null
    const vision = said.capabilities?.vision ?? said.supports_image_in
    return {
      id: said.id,
      label: said.display_name ?? said.name,
      contextTokens:
        said.context_length ?? said.context_window ?? said.max_context_length ?? said.max_model_len ?? said.meta?.n_ctx,
      outputTokens: said.max_completion_tokens,
      tools: said.capabilities?.function_calling,
      input: vision === undefined ? undefined : vision ? ['image' as const] : [],
    }
  })

const openrouter: Form['entry'] = z
  .object({
    id,
    name: words,
    context_length: tokens,
    top_provider: z.object({ max_completion_tokens: tokens.nullable() }).optional().catch(undefined),
    architecture: z.object({ input_modalities: strings }).optional().catch(undefined),
    supported_parameters: strings,
    pricing: z
      .object({
        prompt: z.string().optional(),
        completion: z.string().optional(),
        input_cache_read: z.string().optional(),
        input_cache_write: z.string().optional(),
      })
      .optional()
      .catch(undefined),
  })
  .transform(said => {
    const input = perMillion(said.pricing?.prompt)
    const output = perMillion(said.pricing?.completion)
    return {
      id: said.id,
      label: said.name,
      contextTokens: said.context_length,
      outputTokens: said.top_provider?.max_completion_tokens ?? undefined,
      input: inputOf(said.architecture?.input_modalities),
      tools: said.supported_parameters?.includes('tools'),
      price:
        input === undefined || output === undefined
          ? undefined
          : {
              input,
              output,
              cacheRead: perMillion(said.pricing?.input_cache_read) ?? input,
              cacheWrite: perMillion(said.pricing?.input_cache_write) ?? input,
            },
    }
  })

const gemini: Form['entry'] = z
  .object({
    name: id,
    displayName: words,
    inputTokenLimit: tokens,
    outputTokenLimit: tokens,
    supportedGenerationMethods: strings,
  })
  .transform(said =>
    said.supportedGenerationMethods && !said.supportedGenerationMethods.includes('generateContent')
      ? null
      : {
          id: said.name.replace(/^models\//, ''),
          label: said.displayName,
          contextTokens: said.inputTokenLimit,
          outputTokens: said.outputTokenLimit,
        },
  )

const anthropic: Form['entry'] = z
  .object({ id, display_name: words, max_input_tokens: tokens, max_tokens: tokens })
  .transform(said => ({
    id: said.id,
    label: said.display_name,
    contextTokens: said.max_input_tokens,
    outputTokens: said.max_tokens,
  }))

const ollama: Form['entry'] = z.object({ name: id, capabilities: strings }).transform(said => ({
  id: said.name,
  tools: said.capabilities?.includes('tools'),
  input: said.capabilities && (said.capabilities.includes('vision') ? ['image' as const] : []),
}))

const lmstudio: Form['entry'] = z
  .object({
    id,
    type: z.string().optional().catch(undefined),
    max_context_length: tokens,
    loaded_context_length: tokens,
    capabilities: strings,
  })
  .transform(said =>
    said.type === 'embeddings'
      ? null
      : {
          id: said.id,
          contextTokens: said.loaded_context_length ?? said.max_context_length,
          input: said.type === 'vlm' ? ['image' as const] : said.type === 'llm' ? [] : undefined,
          tools: said.capabilities?.includes('tool_use'),
        },
  )

/** The address of a server that also speaks OpenAI's words below it. */
export const serverRoot = (baseUrl: string): string => baseUrl.replace(/(\/v1)?\/*$/, '')

const forms: Record<Listing, Form> = {
  openai: { url: base => `${base}/models`, entry: openai },
  openrouter: { url: base => `${base}/models`, entry: openrouter },
  anthropic: { url: base => `${serverRoot(base)}/v1/models?limit=1000`, entry: anthropic },
  gemini: { url: base => `${base.replace(/\/v1beta(\/openai)?$/, '')}/v1beta/models?pageSize=1000`, entry: gemini },
  ollama: { url: base => `${serverRoot(base)}/api/tags`, entry: ollama },
  lmstudio: { url: base => `${serverRoot(base)}/api/v0/models`, entry: lmstudio },
}
