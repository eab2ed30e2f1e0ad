/**
 * What models hold, take and cost: the table that ships with its date, and what providers say of themselves, laid over it. A model
 * that neither knows has no known window and no known price, and Belay says so instead of guessing.
 */
import type { Effort, Usage } from '#contract/session-event'
import { catalogue, type PublishedModel, type PublishedRates, type Reasoning } from './catalogue-file.ts'
import { splitModel } from './provider.ts'

/** US dollars per million tokens. */
export interface Rates {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}
export interface Price extends Rates {
  /** What a call costs whose input has more than so many tokens. */
  readonly above?: Rates & { readonly tokens: number }
}

export interface ModelFacts {
  /** Tokens; null where nobody said. */
  readonly contextTokens: number | null
  readonly outputTokens: number | null
  /** What it takes beside text. Where nobody said, everything is tried. */
  readonly input: readonly ('image' | 'pdf')[]
  readonly reasoning: Reasoning
  /** Null where unknown. */
  readonly price: Price | null
}

/** What one provider says of one of its models; what it leaves out is unknown. */
export interface ListedModel {
  readonly id: string
  readonly label?: string | undefined
  readonly contextTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly input?: ('image' | 'pdf')[] | undefined
  readonly tools?: boolean | undefined
  readonly price?: Rates | undefined
}

/** Both sources together, unknown staying unknown: for a person to read. */
export interface KnownModel extends Omit<ModelFacts, 'input'> {
  readonly label: string
  readonly input: readonly ('image' | 'pdf')[] | null
  readonly tools: boolean | null
  /** The day these facts were read; null where there are none. */
  readonly asOf: string | null
}

const byProvider = new Map<string, PublishedModel[]>()
for (const each of catalogue.models) byProvider.set(each.provider, [...(byProvider.get(each.provider) ?? []), each])

/** A date or "latest" behind a name makes no other model; anything else may. */
const sameModel = /^[-@:]?(?:latest|\d{8}|\d{4}-\d{2}-\d{2}|\d{4}|preview-\d{2}-\d{4})?$/

function publishedOf(model: string): PublishedModel | null {
  const { provider, id } = splitModel(model)
  const own = byProvider.get(provider) ?? []
  return (
    own.find(each => each.id === id) ??
    own.find(each => id.startsWith(each.id) && sameModel.test(id.slice(each.id.length))) ??
    null
  )
}

const rates = ({ input, output, cacheRead, cacheWrite }: PublishedRates): Rates => ({
  input,
  output,
  cacheRead: cacheRead ?? input,
  cacheWrite: cacheWrite ?? input,
})
const priceOf = ({ price }: PublishedModel): Price | null =>
  price && { ...rates(price), ...(price.above ? { above: { tokens: price.above.tokens, ...rates(price.above) } } : {}) }

/** `listed` counts where it says something; `listedOn` is the day it was read. Null: nobody knows anything of it. */
export function knownModel(model: string, listed: ListedModel | null = null, listedOn = ''): KnownModel {
  const published = publishedOf(model)
  const saysMore = listed !== null && Object.keys(listed).some(key => key !== 'id' && key !== 'label')
  return {
    label: listed?.label ?? published?.label ?? splitModel(model).id,
    contextTokens: listed?.contextTokens ?? published?.contextTokens ?? null,
    outputTokens: listed?.outputTokens ?? published?.outputTokens ?? null,
    input: listed?.input ?? published?.input ?? null,
    tools: listed?.tools ?? published?.tools ?? null,
    reasoning: published?.reasoning ?? null,
    price: listed?.price ?? (published && priceOf(published)),
    asOf: saysMore ? listedOn : published ? catalogue.date : null,
  }
}

/** Null: nothing is known of it, so nothing optional may be asked of it. */
export function factsOf(model: string, listed: ListedModel | null = null): ModelFacts | null {
  const { asOf, contextTokens, outputTokens, input, reasoning, price } = knownModel(model, listed)
  return asOf === null ? null : { contextTokens, outputTokens, input: input ?? ['image', 'pdf'], reasoning, price }
}

/** Models that are offered by name before a provider was asked for its own list; the first of a provider is its usual one. */
export const knownModels: readonly string[] = catalogue.models.map(({ provider, id }) => `${provider}/${id}`)

const efforts: readonly Effort[] = ['low', 'medium', 'high', 'max']

/** The efforts that differ for it, least first. */
export function effortLevels({ reasoning }: Pick<ModelFacts, 'reasoning'>): Effort[] {
  const said = new Set<string | number>()
  return efforts.filter(effort => {
    const level = reasoning?.levels[effort]
    if (level === undefined || said.has(level)) return false
    said.add(level)
    return true
  })
}

/** US dollars of one call; null where no price is known or the provider reported no usage. */
export function costOf(
  model: string,
  usage: Usage,
  facts: Pick<ModelFacts, 'price'> | null = factsOf(model),
): number | null {
  const price = facts?.price
  if (!price || !usage.known) return null
  const { input, output, cacheRead, cacheWrite } = usage
  const taken = input + cacheRead + cacheWrite
  const rate = price.above && taken > price.above.tokens ? price.above : price
  return (input * rate.input + output * rate.output + cacheRead * rate.cacheRead + cacheWrite * rate.cacheWrite) / 1e6
}
