/**
 * Which providers can be used now, and with which key: found in the person's own environment, in the secret store, and on
 * this machine's ports. Nothing leaves the machine here, and no key leaves this room but to its provider.
 */
import { BelayError } from '#contract/error'
import type { ProviderInfo } from '#contract/model'
import { isLoopback } from '#contract/provider-settings'
import type { Ways } from '../base/proxy.ts'
import type { ListedModel } from './catalog.ts'
import { modelsAt } from './local-models.ts'
import { fetchFor, fromEnvironment } from './network.ts'
import type { Provider } from './provider.ts'
import type { Account } from './remote.ts'

/** The secret store of the supervisor; null where there is none (then only the environment counts). */
export interface Secrets {
  /** `unreadable`: one is kept that the machine's keychain does not open (now). */
  get(name: string): Promise<{ value: string | null; unreadable: boolean }>
  set(name: string, value: string): Promise<void>
  delete(name: string): Promise<void>
}

/** The person's; where names are given, one that has them all is enough. */
export type PersonsEnvironment = (holding?: readonly string[]) => Promise<NodeJS.ProcessEnv>

export interface Accounts {
  /** Asks the ports of this machine again (at most 500 ms). */
  probe(): Promise<void>
  infos(consented: (provider: Provider) => boolean): Promise<ProviderInfo[]>
  /** Null: the provider is unknown, has no address or no key. Throws in words where its settings cannot be followed. */
  account(providerId: string): Promise<Account | null>
  /** What the servers of this machine say of their models. */
  localModels(): { provider: string; model: ListedModel }[]
  setKey(providerId: string, key: string): Promise<string>
  deleteKey(providerId: string): Promise<void>
}

const PROBE_MS = 500
/** `key` is null where it is kept sealed and cannot be opened. */
type FoundKey = { readonly key: string | null; readonly source: 'key' | 'environment' }
const none = { value: null, unreadable: false }
const secretName = (id: string) => `key.${id}`
const lastFour = (key: string): string => (key.length >= 12 ? key.slice(-4) : '')
/** Where a stored key was meant for: it does not go elsewhere only because a line of the settings changed. */
const placeName = (id: string) => `place.${id}`
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

/** `environment` is the person's; asked each time, for it may arrive late. */
export function createAccounts(
  environment: PersonsEnvironment,
  secrets: Secrets | null,
  providers: () => readonly Provider[],
  ways: Ways,
): Accounts {
  const local = new Map<string, ListedModel[]>()
  const find = (id: string): Provider | undefined => providers().find(each => each.id === id)

  const baseUrlOf = (provider: Provider, env: NodeJS.ProcessEnv): string => {
    const named = provider.baseUrlVariable ? env[provider.baseUrlVariable] : undefined
    return withPath(named || provider.baseUrl, provider.path)
  }
  const storedKey = async (provider: Provider): Promise<{ value: string | null; unreadable: boolean }> => {
    const stored = (await secrets?.get(secretName(provider.id))) ?? none
    if (stored.value === null || !provider.custom?.baseUrl) return stored
    const meantFor = (await secrets?.get(placeName(provider.id)))?.value
    return meantFor && meantFor !== hostOf(provider.baseUrl) ? none : stored
  }
  const keyOf = (
    { keyVariable }: Provider,
    { value, unreadable }: Awaited<ReturnType<typeof storedKey>>,
    env: NodeJS.ProcessEnv,
  ): FoundKey | null => {
    if (value) return { key: value, source: 'key' }
    // The person meant this account and no other one that the environment may name.
    if (unreadable) return { key: null, source: 'key' }
    const named = keyVariable ? env[keyVariable] : undefined
    return named ? { key: named, source: 'environment' } : null
  }
  /** A provider of the person's own that names no variable may need no key. */
  const needsKey = (provider: Provider): boolean =>
    !provider.local && (provider.shipped || provider.keyVariable !== null)

  const infoOf = async (provider: Provider, consented: boolean): Promise<ProviderInfo> => {
    const [env, stored] = await Promise.all([environment(), provider.local ? none : storedKey(provider)])
    const baseUrl = baseUrlOf(provider, env)
    const found = provider.local ? null : keyOf(provider, stored, env)
    const { id, label, keyVariable, dialect, custom = null, docs = null, example = null, shipped = true } = provider
    const common = { provider: id, label, baseUrl, consented, dialect, custom, docs, example, shipped }
    if (provider.local) {
      const models = local.get(id)
      const note = models ? `on this machine · ${models.length} models` : `nothing answers at ${hostOf(baseUrl)}`
      return { ...common, source: 'local', note, state: models ? 'ready' : 'unreachable', lastFour: null }
    }
    const source = custom && !shipped ? 'settings' : (found?.source ?? 'environment')
    const note =
      found?.source === 'environment'
        ? `${keyVariable} in your environment`
        : found
          ? 'a key you stored'
          : needsKey(provider)
            ? (keyVariable ?? '')
            : 'in your settings, without a key'
    const unreadable = found !== null && found.key === null
    const ready = baseUrl !== '' && !unreadable && (found !== null || !needsKey(provider))
    return {
      ...common,
      baseUrl: baseUrl || null,
      source: found?.source === 'key' ? 'key' : source,
      note,
      state: ready ? 'ready' : 'no_key',
      lastFour: found?.key ? lastFour(found.key) : null,
      ...(unreadable ? { unreadable } : {}),
    }
  }

  /** What a call to it needs of the environment; the one that has its key has what stands beside it: its address, the proxies. */
  const environmentFor = (
    { custom, keyVariable, baseUrl, baseUrlVariable, local }: Provider,
    byVariable: boolean,
  ): Promise<NodeJS.ProcessEnv> => {
    const named = [...Object.values(custom?.headers ?? {}), custom?.proxy ?? ''].flatMap(said =>
      said.startsWith('env:') ? said.slice('env:'.length) : [],
    )
    // On this machine there are no proxies.
    if (local && named.length === 0 && baseUrlVariable === null) return Promise.resolve({})
    const needed = [byVariable && keyVariable, baseUrl === '' && baseUrlVariable].flatMap(name => name || [])
    return environment([...needed, ...named])
  }

  const accountOf = async (provider: Provider): Promise<Account | null> => {
    const stored = provider.local ? none : await storedKey(provider)
    const env = await environmentFor(provider, stored.value === null && !stored.unreadable)
    const baseUrl = baseUrlOf(provider, env)
    const found = provider.local ? null : keyOf(provider, stored, env)
    if (found && found.key === null) throw new BelayError('auth', unreadableKey(provider.label))
    if (baseUrl === '' || (!found && needsKey(provider))) return null
    const headers = Object.fromEntries(
      Object.entries(provider.custom?.headers ?? {}).map(([name, value]) => [name, fromEnvironment(value, env)]),
    )
    const named = provider.custom?.proxy
    const ownProxy = named === undefined ? undefined : fromEnvironment(named, env)
    return {
      provider,
      baseUrl,
      key: found?.key ?? null,
      headers,
      fetch: await fetchFor(baseUrl, await ways(baseUrl, ownProxy, env), provider.custom?.certificate),
    }
  }

  return {
    async probe() {
      const here = providers().filter(({ local, baseUrl }) => local && isLoopback(new URL(baseUrl).hostname))
      await Promise.all(
        here.map(async ({ id, baseUrl, listing }) => {
          const models = await modelsAt(baseUrl, listing ?? 'openai', PROBE_MS)
          if (models) local.set(id, models)
          else local.delete(id)
        }),
      )
    },
    infos: consented => Promise.all(providers().map(provider => infoOf(provider, consented(provider)))),
    localModels: () =>
      [...local].flatMap(([provider, models]) => (find(provider) ? models.map(model => ({ provider, model })) : [])),
    async account(providerId) {
      const provider = find(providerId)
      return provider ? accountOf(provider) : null
    },
    async setKey(providerId, key) {
      const provider = find(providerId)
      if (!provider || provider.local || !secrets)
        throw new BelayError(
          'unsupported',
          `No key can be kept for ${providerId}: it needs none, or this form of Belay has no store for keys.`,
        )
      await secrets.set(secretName(provider.id), key.trim())
      await secrets.set(placeName(provider.id), hostOf(provider.baseUrl))
      return lastFour(key.trim())
    },
    async deleteKey(providerId) {
      await secrets?.delete(secretName(providerId))
      await secrets?.delete(placeName(providerId))
    },
  }
}

const unreadableKey = (label: string): string =>
  `Nothing was sent: the key for ${label} is kept sealed by the desktop app, and cannot be opened here (the keychain is locked, was reset, belongs to another account, or this is not the desktop app). Unlock it and try again, or enter the key again under Settings, Models.`

/** A host alone gets the path that its models live under. */
const withPath = (url: string, path: string | undefined): string => {
  const short = url.replace(/\/+$/, '')
  return path && URL.canParse(short) && new URL(short).pathname === '/' ? `${short}${path}` : short
}
