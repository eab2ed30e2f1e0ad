/** The model room's front: one `Model` that finds the right maker for a name, and the `model` domain of the contract. */
import { join } from 'node:path'
import { z } from 'zod'
import type { ChatEvent, ChatEventDraft } from '#contract/chat-event'
import type { Handlers } from '#contract/define'
import { BelayError } from '#contract/error'
import type { ModelInfo, model as modelDomain, ProviderInfo } from '#contract/model'
import type { Model, ModelRequest } from '../agent/ports.ts'
import { readJson, writeFileAtomic } from '../base/atomic-file.ts'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import { createAccounts, type Secrets } from './accounts.ts'
import { costOf, factsOf, knownModels } from './catalog.ts'
import { failure } from './failure.ts'
import { splitModel } from './provider.ts'
import { streamRemote } from './remote.ts'
import { respond } from './response.ts'

/** The default when nothing else is configured: not an AI. */
export const GUIDE_MODEL = 'guide/guide'

export interface ModelsOptions {
  /** Where consents are kept. */
  readonly folder: string
  readonly environment: () => Promise<NodeJS.ProcessEnv>
  readonly secrets: Secrets | null
  /** Models that need no account, by provider name: `guide`, `scripted`. */
  readonly builtin: Readonly<Record<string, Model>>
  /** The chosen model of new sessions: read and written through the settings. */
  readonly chosen: () => string
  readonly choose: (model: string) => Promise<void>
  /** How long a model may say nothing. */
  readonly patienceMs: () => number
}

export interface Models {
  readonly model: Model
  readonly handlers: Handlers<{ model: typeof modelDomain }>['model']
  readonly changed: Emitter<Record<string, never>>
  /** Whether a person agreed to send to this model's provider. Built-in ones send nothing. */
  consented(model: string): boolean
}

const Consents = z.array(z.string())

export async function createModels(options: ModelsOptions): Promise<Models> {
  const { builtin, chosen } = options
  const file = join(options.folder, 'consents.json')
  const consents = new Set(await readJson(file, value => Consents.parse(value), []))
  const accounts = createAccounts(options.environment, options.secrets)
  const changed = createEmitter<Record<string, never>>()
  const isAgreed = (provider: string) => provider in builtin || consents.has(provider)
  let probed = false

  const stream = async function* (request: ModelRequest, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    const { provider, id } = splitModel(request.model)
    const own = builtin[provider]
    if (own) return yield* own.stream(request, signal)
    const account = id === '' ? null : await accounts.account(provider)
    if (account) return yield* streamRemote(account, request, signal, { patienceMs: options.patienceMs() })
    const words = `Belay has no key for ${provider}, so nothing was sent. Set one under Settings, Models, or choose another model.`
    const nothingSent = async function* (): AsyncGenerator<ChatEventDraft> {
      yield { type: 'ERROR', failure: failure('auth', words) }
    }
    yield* respond(nothingSent(), signal)
  }

  const info = (name: string): ModelInfo => {
    const facts = factsOf(name)
    return {
      model: name,
      label: splitModel(name).id,
      contextTokens: facts?.contextTokens ?? null,
      efforts: Boolean(facts?.reasoning),
      price: facts?.price ?? null,
    }
  }
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

  return {
    model: {
      stream,
      cost: (name, usage) => builtin[splitModel(name).provider]?.cost(name, usage) ?? costOf(name, usage),
      contextTokens: name =>
        builtin[splitModel(name).provider]?.contextTokens(name) ?? factsOf(name)?.contextTokens ?? null,
    },
    changed,
    consented: name => isAgreed(splitModel(name).provider),
    handlers: {
      async list({ refresh }) {
        if (refresh || !probed) await accounts.probe()
        probed = true
        const infos = await accounts.infos(isAgreed)
        const ready = new Set(infos.filter(each => each.state === 'ready').map(each => each.provider))
        const names = [...knownModels.filter(name => ready.has(splitModel(name).provider)), ...accounts.localModels()]
        const own = chosen() || GUIDE_MODEL
        if (own !== GUIDE_MODEL && !names.includes(own)) names.push(own)
        return { providers: [...infos, guide], models: [...names.map(info), info(GUIDE_MODEL)], chosen: own }
      },
      async choose({ model }) {
        await options.choose(model)
        changed.emit({})
        return {}
      },
      async consent({ provider }) {
        consents.add(provider)
        await writeFileAtomic(file, JSON.stringify([...consents]))
        changed.emit({})
        return {}
      },
      async setKey({ provider, key }) {
        const lastFour = await accounts.setKey(provider, key)
        changed.emit({})
        return { lastFour }
      },
      async deleteKey({ provider }) {
        await accounts.deleteKey(provider)
        changed.emit({})
        return {}
      },
      async test({ provider }, { signal }) {
        if (provider in builtin) return { ok: true, message: 'Built in: nothing to reach.' }
        const account = await accounts.account(provider)
        if (!account) throw new BelayError('auth', `There is no key for ${provider} yet. Set one first.`)
        const name = [...accounts.localModels(), ...knownModels].find(each => splitModel(each).provider === provider)
        if (!name)
          return {
            ok: false,
            message: `Belay knows no model of ${provider} to test with. Name one as ${provider}/<model id> and send a message.`,
          }
        const request: ModelRequest = {
          model: name,
          effort: 'auto',
          system: 'Answer with the word ok.',
          messages: [{ role: 'user', text: 'ok?', images: [] }],
          tools: [],
          maxOutputTokens: 16,
        }
        for await (const event of streamRemote(
          account,
          request,
          AbortSignal.any([signal, AbortSignal.timeout(15_000)]),
        )) {
          if (event.failure) return { ok: false, message: event.failure.message }
          if (event.type === 'RESPONSE_END') return { ok: true, message: `${name} answered.` }
        }
        return { ok: false, message: `${provider} did not answer within 15 s.` }
      },
    },
  }
}
