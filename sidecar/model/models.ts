/** The model room's front: one `Model` that finds the right maker for a name, and the `model` domain of the contract. */
import { join } from 'node:path'
import type { ChatEvent, ChatEventDraft, ChatFailure } from '#contract/chat-event'
import type { Handlers } from '#contract/define'
import { toFault } from '#contract/error'
import type { model as modelDomain } from '#contract/model'
import type { Model, ModelRequest } from '../agent/ports.ts'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import { createAccounts } from './accounts.ts'
import { costOf, factsOf, type KnownModel, knownModel } from './catalog.ts'
import { createConsents } from './consents.ts'
import { failure } from './failure.ts'
import { createListings } from './listings.ts'
import { createModelHandlers } from './model-handlers.ts'
import { streamModule } from './module.ts'
import type { ModelsOptions } from './options.ts'
import { budgetsFor } from './pace.ts'
import { type Provider, splitModel, withCustom } from './provider.ts'
import { type Account, streamRemote } from './remote.ts'
import { respond } from './response.ts'

export interface Models {
  readonly model: Model
  readonly handlers: Handlers<{ model: typeof modelDomain }>['model']
  readonly changed: Emitter<Record<string, never>>
  /** Whether a person agreed to send to this model's provider. Built-in ones send nothing. */
  consented(model: string): boolean
  /** Whether it is one of ours, and no AI. */
  isBuiltin(model: string): boolean
  /** Other keys may be found now. */
  environmentChanged(): void
  /** The machine slept: an answer that is under way and does not come on soon was cut off. */
  resumed(): void
}

export async function createModels(options: ModelsOptions): Promise<Models> {
  const { builtin } = options
  const [consents, listings] = await Promise.all([
    createConsents(join(options.folder, 'consents.json')),
    createListings(join(options.cache, 'models.json')),
  ])
  const providers = (): Provider[] => withCustom(options.custom()).filter(({ id }) => !(id in builtin))
  const accounts = createAccounts(options.environment, options.secrets, providers, options.ways)
  const changed = createEmitter<Record<string, never>>()
  const resumed = createEmitter<void>()
  const isBuiltin = (model: string): boolean => splitModel(model).provider in builtin
  const consented = (model: string): boolean => {
    const { provider: id } = splitModel(model)
    const provider = providers().find(each => each.id === id)
    return isBuiltin(model) || consents.has(provider ?? { id })
  }

  const listedOf = (model: string) => {
    const { provider, id } = splitModel(model)
    const here = accounts.localModels().find(each => each.provider === provider && each.model.id === id)
    return here ? { listed: here.model, on: today() } : listings.model(model)
  }
  const known = (model: string): KnownModel => {
    const said = listedOf(model)
    return knownModel(model, said?.listed, said?.on)
  }
  const facts = (model: string) => factsOf(model, listedOf(model)?.listed)

  const accountOf = async (model: string): Promise<Account | ChatFailure> => {
    const { provider, id } = splitModel(model)
    try {
      const account = id === '' ? null : await accounts.account(provider)
      if (account) return { ...account, facts: facts(model) }
    } catch (thrown) {
      const { code, message } = toFault(thrown)
      return failure(code, message)
    }
    return failure(
      'auth',
      `Belay has no key for ${provider}, so nothing was sent. Set one under Settings, Models, or choose another model.`,
    )
  }
  const stream = async function* (request: ModelRequest, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    const own = builtin[splitModel(request.model).provider]
    if (own) return yield* own.stream(request, signal)
    const account = await accountOf(request.model)
    if ('provider' in account && account.provider.custom?.module)
      return yield* streamModule(account, account.provider.custom.module, request, signal, {
        budgetsOf: chars => budgetsFor(chars, options.patienceMs()),
        resumed,
      })
    if ('provider' in account)
      return yield* streamRemote(account, request, signal, { patienceMs: options.patienceMs(), resumed })
    const nothingSent = async function* (): AsyncGenerator<ChatEventDraft> {
      yield { type: 'ERROR', failure: account }
    }
    yield* respond(nothingSent(), signal)
  }
  const ownOf = (model: string): Model | undefined => builtin[splitModel(model).provider]

  return {
    model: {
      stream,
      cost: (model, usage) => {
        const own = ownOf(model)
        return own ? own.cost(model, usage) : costOf(model, usage, facts(model))
      },
      contextTokens: model => {
        const own = ownOf(model)
        return own ? own.contextTokens(model) : known(model).contextTokens
      },
    },
    changed,
    consented,
    isBuiltin,
    environmentChanged: () => changed.emit({}),
    resumed: () => resumed.emit(),
    handlers: createModelHandlers({ ...options, accounts, consents, listings, providers, known, changed, isBuiltin }),
  }
}

const today = (): string => new Date().toISOString().slice(0, 10)
