/** The `model` domain: what can be chosen, the accounts behind it, and what they say of themselves. No answer ever carries a key. */
import type { Handlers } from '#contract/define'
import { BelayError } from '#contract/error'
import type { ModelInfo, model as modelDomain, ProviderInfo } from '#contract/model'
import type { Emitter } from '../base/emitter.ts'
import type { Accounts } from './accounts.ts'
import { effortLevels, type KnownModel, knownModels } from './catalog.ts'
import type { Consents } from './consents.ts'
import { dialects } from './dialects/index.ts'
import { listModels } from './listing.ts'
import type { Listings } from './listings.ts'
import { GUIDE_MODEL, type ModelsOptions } from './options.ts'
import { dialectOf, type Provider, splitModel } from './provider.ts'
import { type Account, headersOf } from './remote.ts'
import { tryProvider } from './try-provider.ts'

export interface ModelHandlersOptions extends ModelsOptions {
  readonly accounts: Accounts
  readonly consents: Consents
  readonly listings: Listings
  readonly providers: () => Provider[]
  readonly known: (model: string) => KnownModel
  readonly changed: Emitter<Record<string, never>>
  readonly isBuiltin: (model: string) => boolean
}

const LISTING_MS = 15_000

const guide: ProviderInfo = {
  provider: 'guide',
  label: 'Guide',
  source: 'builtin',
  note: 'built in · not an AI, shows you around',
  baseUrl: null,
  state: 'ready',
  lastFour: null,
  consented: true,
}

export function createModelHandlers(options: ModelHandlersOptions): Handlers<{ model: typeof modelDomain }>['model'] {
  const { accounts, consents, listings, providers, known, changed, builtin } = options
  let probed = false
  const find = (id: string): Provider => {
    const provider = providers().find(each => each.id === id)
    if (provider) return provider
    throw new BelayError('not_found', `There is no provider ${id}. Add it under Settings, Models.`)
  }
  const told = <T>(answer: T): T => {
    changed.emit({})
    return answer
  }

  const info = (name: string): ModelInfo => {
    const { reasoning, input, price, ...facts } = known(name)
    return {
      model: name,
      ...facts,
      efforts: reasoning !== null,
      effortLevels: effortLevels({ reasoning }),
      input: input && [...input],
      price: price && {
        input: price.input,
        output: price.output,
        cacheRead: price.cacheRead,
        cacheWrite: price.cacheWrite,
      },
    }
  }
  /** Each once: what ships first, then what the provider lists, then what the person named. */
  const namesOf = (ready: (providerId: string) => boolean): string[] => {
    const listed = providers().flatMap(({ id, custom }) => [
      ...(custom?.models ?? []).map(model => `${id}/${model}`),
      ...(listings.of(id)?.models ?? []).map(model => `${id}/${model.id}`),
    ])
    const here = accounts.localModels().map(({ provider, model }) => `${provider}/${model.id}`)
    return [...new Set([...knownModels, ...listed, ...here])].filter(name => ready(splitModel(name).provider))
  }

  const readList = async (account: Account, signal: AbortSignal) => {
    const { provider, baseUrl, key, headers, fetch } = account
    const spoken = dialectOf(provider, baseUrl)
    // One that was moved to a compatible server lists as those do.
    const moved = provider.listing === 'gemini' && spoken !== 'gemini'
    const listing = moved ? 'openai' : (provider.listing ?? 'openai')
    const asked =
      listing === 'gemini' ? { ...dialects.gemini.headers(key), ...headers } : headersOf(account, dialects[spoken])
    return listModels({ baseUrl, listing, headers: asked, timeoutMs: LISTING_MS, fetch, signal })
  }
  const accountOf = async (providerId: string): Promise<Account> => {
    const account = await accounts.account(providerId)
    if (account) return account
    const { label, baseUrl, example } = find(providerId)
    throw baseUrl === '' && example
      ? new BelayError('invalid', `${label} has an address for each customer, like ${example}. Set it first.`)
      : new BelayError('auth', `There is no key for ${label} yet. Set one first.`)
  }

  return {
    async list({ refresh }) {
      if (refresh || !probed) await accounts.probe()
      probed = true
      const infos = (await accounts.infos(each => consents.has(each))).map(each => ({
        ...each,
        listedAt: listings.of(each.provider)?.at ?? null,
      }))
      const ready = new Set(infos.filter(each => each.state === 'ready').map(each => each.provider))
      const names = namesOf(id => ready.has(id))
      const own = options.chosen() || GUIDE_MODEL
      if (own !== GUIDE_MODEL && !names.includes(own)) names.push(own)
      return { providers: [...infos, guide], models: [...names.map(info), info(GUIDE_MODEL)], chosen: own }
    },
    async choose({ model }) {
      await options.choose(model)
      return told({})
    },
    async consent({ provider }) {
      if (!(provider in builtin)) await consents.add(find(provider))
      return told({})
    },
    setKey: async ({ provider, key }) => told({ lastFour: await accounts.setKey(provider, key) }),
    async deleteKey({ provider }) {
      await accounts.deleteKey(provider)
      return told({})
    },
    async saveProvider({ provider }) {
      if (provider.id in builtin)
        throw new BelayError('already_exists', `${provider.id} is built in. Choose another id.`)
      const standing = options.custom().find(each => each.id === provider.id)
      if (JSON.stringify(provider.module) !== JSON.stringify(standing?.module))
        throw new BelayError('invalid', 'A module is named in the settings file by hand. Nothing was changed.')
      if (!provider.baseUrl && !providers().some(each => each.id === provider.id && each.shipped))
        throw new BelayError('invalid', 'A provider of your own needs a base URL, like https://models.example.com/v1.')
      const before = listings.of(provider.id)
      await options.saveCustom([...options.custom().filter(each => each.id !== provider.id), provider])
      if (before && before.baseUrl !== provider.baseUrl) await listings.forget(provider.id)
      return told({})
    },
    async removeProvider({ provider }) {
      const wasShipped = find(provider).shipped
      await options.saveCustom(options.custom().filter(each => each.id !== provider))
      await listings.forget(provider)
      if (!wasShipped) {
        await accounts.deleteKey(provider)
        await consents.remove(provider)
      }
      return told({})
    },
    async refresh({ provider }, { signal }) {
      const found = find(provider)
      if (!found.local && !consents.has(found))
        throw new BelayError(
          'denied',
          `Nothing was asked: you have not agreed yet to send to ${found.label}. Choose one of its models first.`,
        )
      if (found.listing === null)
        throw new BelayError(
          'unsupported',
          `${found.label} has no list of models. Name them yourself: ${found.id}/<model id>.`,
        )
      const account = await accountOf(provider)
      const models = await readList(account, signal)
      if (!models)
        throw new BelayError(
          'unavailable',
          `${found.label} gave no list of its models at ${account.baseUrl}. What Belay knew of it is kept. Check the base URL and the key.`,
        )
      await listings.keep(provider, { at: Date.now(), baseUrl: account.baseUrl, models })
      return told({ count: models.length })
    },
    async test({ provider, model }, { signal }) {
      if (provider in builtin) return { ok: true, message: 'Built in: nothing to reach.' }
      const account = await accountOf(provider)
      const own = options.chosen()
      const asked =
        (model && splitModel(model).provider === provider ? model : null) ??
        (splitModel(own).provider === provider ? own : null) ??
        namesOf(id => id === provider)[0] ??
        (await readList(account, signal))?.map(({ id }) => `${provider}/${id}`)[0]
      if (asked) return tryProvider(account, asked, signal)
      const message = `Belay knows no model of ${account.provider.label} to test with, and it lists none. Name one for it first.`
      return { ok: false, message, model: null, failure: 'not_found' }
    },
  }
}
