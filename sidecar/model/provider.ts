/** The providers Belay knows: those that ship (`resources/models.json`), changed and added to by the person's own settings. */
import { type CustomProvider, type DialectName, isLoopback } from '#contract/provider-settings'
import { type Auth, catalogue, type Listing } from './catalogue-file.ts'

export type { DialectName } from '#contract/provider-settings'

export interface Provider {
  readonly id: string
  readonly label: string
  readonly dialect: DialectName
  /** Without a trailing slash; the dialect adds its path. '' where the person must name it. */
  readonly baseUrl: string
  /** Variables of the person's own environment, never of a workspace. */
  readonly keyVariable: string | null
  readonly baseUrlVariable: string | null
  /** On this machine: found by asking its port, and free. */
  readonly local: boolean
  readonly auth?: Auth | null
  readonly listing?: Listing | null
  readonly docs?: string | null
  /** What the address looks like where every customer has an own one, and the path it ends in when only the host is named. */
  readonly example?: string
  readonly path?: string
  /** What the person's settings say of it. */
  readonly custom?: CustomProvider
  readonly shipped?: boolean
}

/** Those that ship, unchanged. */
export const providers: readonly Provider[] = catalogue.providers.map(each => ({
  ...each,
  baseUrl: each.baseUrl ?? '',
  shipped: true,
}))

/** Pure. A custom one with the id of one that ships changes it; the rest come after. Those that say too little are left out. */
export function withCustom(own: readonly CustomProvider[]): Provider[] {
  const changed = providers.map(provider => {
    const custom = own.findLast(each => each.id === provider.id)
    return custom ? changedBy(provider, custom) : provider
  })
  const added = own.flatMap((custom, i): Provider[] => {
    const isLast = own.findLastIndex(each => each.id === custom.id) === i
    if (!isLast || providers.some(each => each.id === custom.id) || !custom.baseUrl) return []
    return [changedBy(blank(custom), custom)]
  })
  return [...changed, ...added]
}

const blank = ({ id }: CustomProvider): Provider => ({
  id,
  label: id,
  dialect: 'openai-chat',
  baseUrl: '',
  keyVariable: null,
  baseUrlVariable: null,
  local: false,
  shipped: false,
})

function changedBy(provider: Provider, custom: CustomProvider): Provider {
  const baseUrl = custom.baseUrl ?? provider.baseUrl
  const dialect = custom.dialect ?? provider.dialect
  const sameDialect = provider.shipped && dialect === provider.dialect
  return {
    ...provider,
    label: custom.label ?? provider.label,
    dialect,
    baseUrl,
    // What a person wrote down is not overridden by what happens to be in their environment.
    baseUrlVariable: custom.baseUrl ? null : provider.baseUrlVariable,
    keyVariable: custom.keyVariable ?? provider.keyVariable,
    local: provider.local && isLoopback(hostNameOf(baseUrl)),
    auth: sameDialect ? provider.auth : null,
    listing: sameDialect ? provider.listing : listingOf[dialect],
    custom,
  }
}

const listingOf: Partial<Record<DialectName, Listing>> = {
  anthropic: 'anthropic',
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  gemini: 'gemini',
  ollama: 'ollama',
}
const hostNameOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '')

/** Who speaks better than the compatible dialect, and at which host; a compatible server elsewhere need not. Null: at any. */
const native: Readonly<Record<string, readonly [host: string | null, dialect: DialectName]>> = {
  openai: ['api.openai.com', 'openai-responses'],
  gemini: ['generativelanguage.googleapis.com', 'gemini'],
  ollama: [null, 'ollama'],
}

/** What is spoken at `baseUrl`: a provider that was moved elsewhere is asked only for what many servers understand. */
export function dialectOf({ id, dialect, custom }: Provider, baseUrl: string): DialectName {
  const [host, own] = (!custom?.dialect && dialect === 'openai-chat' && native[id]) || [null, dialect]
  return host === null || hostNameOf(baseUrl) === host ? own : dialect
}

/** `anthropic/claude-x` -> its provider and the id the provider knows; ids may hold slashes themselves. */
export function splitModel(model: string): { provider: string; id: string } {
  const slash = model.indexOf('/')
  return slash === -1 ? { provider: model, id: '' } : { provider: model.slice(0, slash), id: model.slice(slash + 1) }
}
