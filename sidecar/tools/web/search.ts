/**
 * One search by the service that the person chose in their own settings. Its key goes to that service alone, never to a model,
 * a log or a redirect; without a choice nothing is sent anywhere.
 */
import type { Handlers } from '#contract/define'
import { BelayError, toFault } from '#contract/error'
import type { SearchProvider, SearchStatus, web } from '#contract/web'
import { oneLine } from '../../base/foreign-text.ts'
import { limited } from '../../base/limited.ts'
import { type Found, type SearchService, searchServices } from './search-providers.ts'

const MOST_MS = 20_000
const MAX_ANSWER_BYTES = 2 * 1024 * 1024

export interface SearchSetup {
  /** Of the person's own settings, as they are now. */
  chosen(): { provider: SearchProvider; url: string }
  environment(): Promise<NodeJS.ProcessEnv>
  /** Null where there is no store: then only the environment counts. */
  secrets: {
    /** `unreadable`: one is kept that cannot be opened (now). */
    get(name: string): Promise<{ value: string | null; unreadable: boolean }>
    set(name: string, value: string): Promise<void>
    delete(name: string): Promise<void>
  } | null
  /** How a request leaves this machine: proxy and all. */
  sender(url: string): Promise<(url: string, init: RequestInit) => Promise<Response>>
  /** For tests: where a service that ships is asked instead. */
  baseOf?: (provider: SearchProvider) => string | undefined
}

export interface Search {
  /** Where a query would go. Throws words for the model where it cannot. */
  place(): Promise<{ label: string; url: string }>
  find(query: string, count: number, signal: AbortSignal): Promise<{ label: string; found: Found[] }>
  readonly handlers: Handlers<{ web: typeof web }>['web']
}

interface Ready {
  service: SearchService
  base: string
  key: string | null
}

const secretName = (provider: SearchProvider): string => `search.${provider}`
const lastFour = (key: string): string => (key.length >= 12 ? key.slice(-4) : '')

export function createSearch(setup: SearchSetup): Search {
  const keyOf = async (provider: SearchProvider, service: SearchService) => {
    const stored = await setup.secrets?.get(secretName(provider))
    if (stored?.value || stored?.unreadable) return { key: stored.value, source: 'key' as const }
    const named = service.keyVariable ? (await setup.environment())[service.keyVariable] : undefined
    return named ? { key: named, source: 'environment' as const } : null
  }
  const now = async (): Promise<{ status: SearchStatus; ready: Ready | null }> => {
    const { provider, url } = setup.chosen()
    if (provider === 'none') return { status: off, ready: null }
    const service = searchServices[provider]
    const base = setup.baseOf?.(provider) ?? service.base ?? url.trim()
    const found = service.keyVariable === null ? null : await keyOf(provider, service)
    const usable = /^https?:\/\//i.test(base) && URL.canParse(base)
    const needsKey = service.keyVariable !== null && !found
    const state = !usable ? 'no_url' : needsKey ? 'no_key' : found && !found.key ? 'unreadable' : 'ready'
    const status: SearchStatus = {
      provider,
      label: service.label,
      state,
      host: usable ? new URL(base).host : '',
      source: found?.source ?? null,
      keyVariable: service.keyVariable,
      lastFour: found?.key ? lastFour(found.key) : null,
    }
    return { status, ready: state === 'ready' ? { service, base, key: found?.key ?? null } : null }
  }
  const mustBeReady = async (): Promise<Ready> => {
    const { status, ready } = await now()
    if (ready) return ready
    throw new BelayError('unavailable', unready[status.state])
  }

  const find: Search['find'] = async (query, count, signal) => {
    const { service, base, key } = await mustBeReady()
    const { url, init } = service.request(base, query, count, key)
    const strike = (words: string) => (key ? words.replaceAll(key, '[hidden]') : words)
    try {
      const send = await setup.sender(url)
      const within = limited(signal, MOST_MS)
      const response = await send(url, { ...init, redirect: 'manual', signal: within })
      const body = await textOf(response)
      if (response.status !== 200) throw refusal(service.label, response.status, strike(oneLine(body, 200)))
      return { label: service.label, found: service.read(JSON.parse(body)).filter(isLink).slice(0, count) }
    } catch (thrown) {
      if (thrown instanceof BelayError) throw thrown
      if (signal.aborted) throw new BelayError('cancelled', 'The search was stopped.')
      const why =
        thrown instanceof SyntaxError || (thrown as Error).name === 'ZodError'
          ? 'it answered what is no list of results'
          : strike(toFault(thrown).message)
      throw new BelayError('network', `${service.label} could not be searched: ${why.slice(0, 200)}.`)
    }
  }

  return {
    find,
    async place() {
      const { service, base } = await mustBeReady()
      return { label: service.label, url: `${new URL(base).origin}/` }
    },
    handlers: {
      searchStatus: async () => (await now()).status,
      async setSearchKey({ provider, key }) {
        if (provider === 'none' || searchServices[provider].keyVariable === null || !setup.secrets)
          throw new BelayError(
            'unsupported',
            'No key can be kept here: it needs none, or this form of Belay has no store for keys.',
          )
        await setup.secrets.set(secretName(provider), key)
        return { lastFour: lastFour(key) }
      },
      async deleteSearchKey({ provider }) {
        await setup.secrets?.delete(secretName(provider))
        return {}
      },
      async testSearch(_, { signal }) {
        try {
          const { label, found } = await find('Belay', 3, signal)
          return { ok: true, message: `${label} answered with ${found.length} results.` }
        } catch (thrown) {
          return { ok: false, message: toFault(thrown).message }
        }
      },
    },
  }
}

const off: SearchStatus = {
  provider: 'none',
  label: '',
  state: 'off',
  host: '',
  source: null,
  keyVariable: null,
  lastFour: null,
}

const unready: Record<SearchStatus['state'], string> = {
  off: 'No search service is chosen, so nothing was sent. The person can choose one under Settings, Agent; without it fetch pages you know, or ask them.',
  no_key: 'The chosen search service has no key, so nothing was sent. The person can store one under Settings, Agent.',
  unreadable:
    'The key of the chosen search service is sealed and the keychain of this machine does not open it, so nothing was sent. The person can unlock it, or enter the key again under Settings, Agent.',
  no_url:
    'The address of the search server is not set, so nothing was sent. The person can set it under Settings, Agent.',
  ready: '',
}

const isLink = ({ url }: Found): boolean => /^https?:\/\//i.test(url) && URL.canParse(url)

function refusal(label: string, status: number, words: string): BelayError {
  if (status === 401 || status === 403)
    return new BelayError(
      'auth',
      `${label} did not take the key (${status}). The person can store another under Settings, Agent.`,
    )
  if (status === 429)
    return new BelayError('rate_limit', `${label} takes no more searches for now (429). Go on without, or later.`)
  if (status >= 300 && status < 400)
    return new BelayError('protocol', `${label} wants to send the search elsewhere, which is not followed.`)
  return new BelayError('network', `${label} answered ${status}: ${words}`)
}

async function textOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  const reader = response.body?.getReader()
  for (;;) {
    const next = await reader?.read()
    if (!next || next.done) break
    length += next.value.byteLength
    if (length > MAX_ANSWER_BYTES) {
      void reader?.cancel().catch(() => {})
      break
    }
    pieces.push(next.value)
  }
  return Buffer.concat(pieces).toString('utf8')
}
