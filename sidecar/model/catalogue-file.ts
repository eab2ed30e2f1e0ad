/** What `resources/models.json` holds, by its shape. A test parses every entry; here it is taken at its word, for start time. */

import type { DialectName } from '#contract/provider-settings'
import type { Effort } from '#contract/session-event'
import table from '../../resources/models.json' with { type: 'json' }

/** US dollars per million tokens. A cache price that is left out is the price of input. */
export interface PublishedRates {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

/**
 * How thinking is asked for: a budget of tokens, or a word. A level that is not named is not sent. Null: it cannot be steered.
 */
export type Reasoning = {
  readonly control: 'budget' | 'effort'
  readonly levels: Readonly<Partial<Record<Effort, string | number>>>
} | null

/** `null` is "its maker does not say" everywhere. */
export interface PublishedModel {
  readonly provider: string
  /** A dated id (`-20251001`, `-2025-08-07`, `-latest`) counts as the same model. */
  readonly id: string
  readonly label: string
  readonly contextTokens: number | null
  readonly outputTokens: number | null
  readonly input: readonly ('image' | 'pdf')[] | null
  readonly tools: boolean | null
  readonly reasoning: Reasoning
  /** `above` counts for calls with more input tokens than it says. */
  readonly price: (PublishedRates & { readonly above?: PublishedRates & { readonly tokens: number } }) | null
}

/** The header the key goes in, where the provider wants another than its dialect does. */
export type Auth = 'api-key'
/** How its list of models reads; null: it has none. */
export type Listing = 'openai' | 'openrouter' | 'anthropic' | 'gemini' | 'ollama' | 'lmstudio'

export interface PublishedProvider {
  readonly id: string
  readonly label: string
  readonly dialect: DialectName
  /** Null where every customer has an own one; `example` then shows its shape. */
  readonly baseUrl: string | null
  readonly keyVariable: string | null
  readonly baseUrlVariable: string | null
  /** On this machine: found by asking its port, and free. */
  readonly local: boolean
  readonly auth: Auth | null
  readonly listing: Listing | null
  readonly docs: string
  readonly example?: string
  /** Where models live when a base URL names only the host. */
  readonly path?: string
}

export interface CatalogueFile {
  /** The day the facts were read: `2026-07-01`. */
  readonly date: string
  readonly providers: readonly PublishedProvider[]
  readonly models: readonly PublishedModel[]
}

export const catalogue = table as unknown as CatalogueFile
