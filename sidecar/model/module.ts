/** A provider that is code of the person's own: loaded when it is first asked, from the path that their settings name. */
import { pathToFileURL } from 'node:url'
import type { LanguageModelV3 } from '@ai-sdk/provider'
import type { ChatEvent, ChatEventDraft } from '#contract/chat-event'
import type { CustomProvider } from '#contract/provider-settings'
import type { ModelRequest } from '../agent/ports.ts'
import { type AiSdkOptions, draftsOfAiSdk } from './ai-sdk.ts'
import { failure } from './failure.ts'
import { splitModel } from './provider.ts'
import { type Account, withoutKey } from './remote.ts'
import { respond } from './response.ts'

type Module = NonNullable<CustomProvider['module']>
/** What the packages for `ai` export: a function that makes a provider, which is itself a function that makes models. */
type Make = (options: Record<string, unknown>) => (id: string) => unknown

/** Everything that goes wrong with the module is an ERROR that names it. */
export function streamModule(
  account: Account,
  module: Module,
  request: ModelRequest,
  signal: AbortSignal,
  options?: AiSdkOptions,
): AsyncGenerator<ChatEvent> {
  return respond(withoutKey(account, draftsOf(account, module, { request, signal, options })), signal)
}

async function* draftsOf(
  account: Account,
  module: Module,
  { request, signal, options }: { request: ModelRequest; signal: AbortSignal; options: AiSdkOptions | undefined },
): AsyncGenerator<ChatEventDraft> {
  try {
    yield* draftsOfAiSdk(await load(account, module, request.model), request, signal, options)
  } catch (thrown) {
    const words = `The module of ${account.provider.label} (${module.file}) could not be used: ${(thrown as Error).message} Nothing was sent. Mend it, or take it out of your settings.`
    yield { type: 'ERROR', failure: failure('unsupported', words) }
  }
}

async function load({ provider, baseUrl, key, headers, fetch }: Account, module: Module, model: string) {
  const code = (await import(pathToFileURL(module.file).href)) as Record<string, unknown>
  const make = code[module.make]
  if (typeof make !== 'function') throw new Error(`It exports no function ${module.make}.`)
  const options = { name: provider.id, baseURL: baseUrl, apiKey: key ?? '', headers, ...(fetch ? { fetch } : {}) }
  const made = (make as Make)(options)(splitModel(model).id)
  if (!isModel(made)) throw new Error('It makes no model of version 6 of the ai package (specification v3).')
  return made
}

const isModel = (made: unknown): made is LanguageModelV3 =>
  typeof made === 'object' &&
  made !== null &&
  'doStream' in made &&
  'specificationVersion' in made &&
  made.specificationVersion === 'v3'
