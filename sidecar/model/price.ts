/**
 * What models cost and hold, where their makers publish it (US dollars per million tokens, read in autumn 2026). A model that is not
 * here has no known price, and Belay says so instead of guessing.
 */
import type { Usage } from '#contract/session-event'
import { splitModel } from './provider.ts'

export interface ModelFacts {
  readonly contextTokens: number
  readonly efforts: boolean
  readonly price: { input: number; output: number; cacheRead: number; cacheWrite: number }
}

const claude = (input: number, output: number): ModelFacts => ({
  contextTokens: 200_000,
  efforts: true,
  price: { input, output, cacheRead: input / 10, cacheWrite: input * 1.25 },
})
const gpt = (
  input: number,
  cacheRead: number,
  output: number,
  contextTokens: number,
  efforts: boolean,
): ModelFacts => ({
  contextTokens,
  efforts,
  price: { input, output, cacheRead, cacheWrite: input },
})

/** First match wins; a dated or suffixed id counts as its family. */
const families: readonly [provider: string, prefix: string, facts: ModelFacts][] = [
  ['anthropic', 'claude-opus-4-5', claude(5, 25)],
  ['anthropic', 'claude-opus-4', claude(15, 75)],
  ['anthropic', 'claude-sonnet-4', claude(3, 15)],
  ['anthropic', 'claude-haiku-4', claude(1, 5)],
  ['openai', 'gpt-5-nano', gpt(0.05, 0.005, 0.4, 400_000, true)],
  ['openai', 'gpt-5-mini', gpt(0.25, 0.025, 2, 400_000, true)],
  ['openai', 'gpt-5', gpt(1.25, 0.125, 10, 400_000, true)],
  ['openai', 'gpt-4.1-mini', gpt(0.4, 0.1, 1.6, 1_000_000, false)],
  ['openai', 'gpt-4.1', gpt(2, 0.5, 8, 1_000_000, false)],
  ['openai', 'o4-mini', gpt(1.1, 0.275, 4.4, 200_000, true)],
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
