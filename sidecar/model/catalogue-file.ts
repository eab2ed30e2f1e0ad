/** What `resources/models.json` holds, by its shape. A test parses every entry; here it is taken at its word, for start time. */
import table from '../../resources/models.json' with { type: 'json' }
import type { ModelFacts, Price } from './catalog.ts'
import type { Provider } from './provider.ts'

/** US dollars per million tokens. A cache price that is left out is the price of input; `above` counts for calls with more input. */
type PublishedPrice = Pick<Price, 'input' | 'output'> &
  Partial<Pick<Price, 'cacheRead' | 'cacheWrite'>> & {
    readonly above?: { readonly tokens: number } & Pick<Price, 'input' | 'output'> &
      Partial<Pick<Price, 'cacheRead' | 'cacheWrite'>>
  }

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
  readonly reasoning: ModelFacts['reasoning']
  readonly price: PublishedPrice | null
}

export interface CatalogueFile {
  /** The day the facts were read: `2026-07-01`. */
  readonly date: string
  readonly providers: readonly (Omit<Provider, 'baseUrl' | 'custom' | 'shipped'> & {
    readonly baseUrl: string | null
  })[]
  readonly models: readonly PublishedModel[]
}

export const catalogue = table as unknown as CatalogueFile
