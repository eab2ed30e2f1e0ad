/**
 * Which providers can be used now, and with which key: found in the person's own environment, in the secret store, and on
 * this machine's ports. Nothing leaves the machine here, and no key leaves this room but to its provider.
 */
import type { ProviderInfo } from '#contract/model'
import { modelsAt } from './local-models.ts'
import { type Provider, providers } from './provider.ts'
import type { Account } from './remote.ts'

/** The secret store of the supervisor; null where there is none (then only the environment counts). */
export interface Secrets {
  get(name: string): Promise<string | null>
  set(name: string, value: string): Promise<void>
  delete(name: string): Promise<void>
}

export interface Accounts {
  /** Asks the ports of this machine again (at most 500 ms). */
  probe(): Promise<void>
  infos(consented: (provider: string) => boolean): Promise<ProviderInfo[]>
  /** Null: the provider is unknown or has no key. */
  account(providerId: string): Promise<Account | null>
  /** Models a local server offers, as `<provider>/<id>`. */
  localModels(): string[]
  setKey(providerId: string, key: string): Promise<string>
  deleteKey(providerId: string): Promise<void>
}

const PROBE_MS = 500
const secretName = (provider: Provider) => `key.${provider.id}`
const lastFour = (key: string): string => (key.length >= 12 ? key.slice(-4) : '')

/** `environment` is the person's login environment; asked each time, for it may arrive late. */
export function createAccounts(environment: () => Promise<NodeJS.ProcessEnv>, secrets: Secrets | null): Accounts {
  const local = new Map<string, string[]>()

  const keyOf = async (provider: Provider): Promise<{ key: string; source: 'key' | 'environment' } | null> => {
    const stored = await secrets?.get(secretName(provider))
    if (stored) return { key: stored, source: 'key' }
    const named = provider.keyVariable ? (await environment())[provider.keyVariable] : undefined
    return named ? { key: named, source: 'environment' } : null
  }
  const baseUrlOf = async (provider: Provider): Promise<string> =>
    (provider.baseUrlVariable && (await environment())[provider.baseUrlVariable]) || provider.baseUrl

  const infoOf = async (provider: Provider, consented: boolean): Promise<ProviderInfo> => {
    const baseUrl = await baseUrlOf(provider)
    const { id, label, keyVariable } = provider
    const common = { provider: id, label, baseUrl, consented }
    if (provider.local) {
      const models = local.get(id)
      const note = models ? `on this machine · ${models.length} models` : `nothing answers at ${new URL(baseUrl).host}`
      return { ...common, source: 'local', note, state: models ? 'ready' : 'unreachable', lastFour: null }
    }
    const found = await keyOf(provider)
    if (!found) return { ...common, source: 'environment', note: keyVariable ?? '', state: 'no_key', lastFour: null }
    const note = found.source === 'environment' ? `${keyVariable} in your environment` : 'a key you stored'
    return { ...common, source: found.source, note, state: 'ready', lastFour: lastFour(found.key) }
  }

  return {
    async probe() {
      await Promise.all(
        providers
          .filter(provider => provider.local)
          .map(async provider => {
            const models = await modelsAt(provider.baseUrl, PROBE_MS)
            if (models) local.set(provider.id, models)
            else local.delete(provider.id)
          }),
      )
    },
    infos: consented => Promise.all(providers.map(provider => infoOf(provider, consented(provider.id)))),
    localModels: () => [...local].flatMap(([id, models]) => models.map(model => `${id}/${model}`)),
    async account(providerId) {
      const provider = providers.find(each => each.id === providerId)
      if (!provider) return null
      const found = provider.local ? null : await keyOf(provider)
      if (!provider.local && !found) return null
      return { provider, baseUrl: await baseUrlOf(provider), key: found?.key ?? null }
    },
    async setKey(providerId, key) {
      const provider = providers.find(each => each.id === providerId)
      if (!provider || provider.local || !secrets) throw new Error(`No key can be kept for ${providerId}.`)
      await secrets.set(secretName(provider), key.trim())
      return lastFour(key.trim())
    },
    async deleteKey(providerId) {
      const provider = providers.find(each => each.id === providerId)
      if (provider) await secrets?.delete(secretName(provider))
    },
  }
}
