/**
 * What models hold, take and cost, where their makers publish it (US dollars per million tokens, read in autumn 2026). A model that is
 * not here has no known window and no known price, and Belay says so instead of guessing.
 */
import type { Effort, Usage } from '#contract/session-event'
import { splitModel } from './provider.ts'

export interface ModelFacts {
  /** Tokens; null where nobody said. */
  readonly contextTokens: number | null
  readonly outputTokens: number | null
  /** What it takes beside text. */
  readonly input: readonly ('image' | 'pdf')[]
  /**
   * How thinking is asked for: a budget of tokens, or a word. A level that is not named is not sent. Null: it cannot be steered.
   */
  readonly reasoning: {
    readonly control: 'budget' | 'effort'
    readonly levels: Readonly<Partial<Record<Effort, string | number>>>
  } | null
  /** US dollars per million tokens; null where unknown. */
  readonly price: Readonly<Record<'input' | 'output' | 'cacheRead' | 'cacheWrite', number>> | null
}

const claude = (input: number, output: number, outputTokens: number): ModelFacts => ({
  contextTokens: 200_000,
  outputTokens,
  input: ['image', 'pdf'],
  reasoning: { control: 'budget', levels: { low: 2048, medium: 8192, high: 16_384, max: 24_576 } },
  price: { input, output, cacheRead: input / 10, cacheWrite: input * 1.25 },
})
const efforts: ModelFacts['reasoning'] = {
  control: 'effort',
  levels: { low: 'low', medium: 'medium', high: 'high', max: 'high' },
}
const gpt = (
  input: number,
  cacheRead: number,
  output: number,
  contextTokens: number,
  outputTokens: number,
  reasoning: ModelFacts['reasoning'],
): ModelFacts => ({
  contextTokens,
  outputTokens,
  input: ['image', 'pdf'],
  reasoning,
  price: { input, output, cacheRead, cacheWrite: input },
})

/** First match wins; a dated or suffixed id counts as its family. */
const families: readonly [provider: string, prefix: string, facts: ModelFacts][] = [
  ['anthropic', 'claude-opus-4-5', claude(5, 25, 64_000)],
  ['anthropic', 'claude-opus-4', claude(15, 75, 32_000)],
  ['anthropic', 'claude-sonnet-4', claude(3, 15, 64_000)],
  ['anthropic', 'claude-haiku-4', claude(1, 5, 64_000)],
  ['openai', 'gpt-5-nano', gpt(0.05, 0.005, 0.4, 400_000, 128_000, efforts)],
  ['openai', 'gpt-5-mini', gpt(0.25, 0.025, 2, 400_000, 128_000, efforts)],
  ['openai', 'gpt-5', gpt(1.25, 0.125, 10, 400_000, 128_000, efforts)],
  ['openai', 'gpt-4.1-mini', gpt(0.4, 0.1, 1.6, 1_000_000, 32_768, null)],
  ['openai', 'gpt-4.1', gpt(2, 0.5, 8, 1_000_000, 32_768, null)],
  ['openai', 'o4-mini', gpt(1.1, 0.275, 4.4, 200_000, 100_000, efforts)],
]

/** Models that are offered by name before a provider was asked for its own list. */
export const knownModels: readonly string[] = [
  'anthropic/claude-sonnet-4-5',
  'anthropic/claude-opus-4-5',
  'anthropic/claude-haiku-4-5',
  'openai/gpt-5',
  'openai/gpt-5-mini',
  'openai/gpt-4.1',
]

export function factsOf(model: string): ModelFacts | null {
  const { provider, id } = splitModel(model)
  return families.find(([owner, prefix]) => owner === provider && id.startsWith(prefix))?.[2] ?? null
}

/** US dollars; null where no price is known or the provider reported no usage. */
export function costOf(model: string, usage: Usage): number | null {
  const price = factsOf(model)?.price
  if (!price || !usage.known) return null
  const { input, output, cacheRead, cacheWrite } = usage
  return (
    (input * price.input + output * price.output + cacheRead * price.cacheRead + cacheWrite * price.cacheWrite) / 1e6
  )
}
