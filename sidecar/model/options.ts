/** What the model room needs from the rest of the house, and the name of the model that is no AI. */
import type { CustomProvider } from '#contract/provider-settings'
import type { Model } from '../agent/ports.ts'
import type { Ways } from '../base/proxy.ts'
import type { PersonsEnvironment, Secrets } from './accounts.ts'

/** The default when nothing else is configured: not an AI. */
export const GUIDE_MODEL = 'guide/guide'

export interface ModelsOptions {
  /** Where consents are kept. */
  readonly folder: string
  /** Where lists of models are kept. */
  readonly cache: string
  readonly environment: PersonsEnvironment
  readonly secrets: Secrets | null
  /** How a request leaves this machine. */
  readonly ways: Ways
  /** Models that need no account, by provider name: `guide`, `scripted`. */
  readonly builtin: Readonly<Record<string, Model>>
  /** The chosen model of new sessions: read and written through the settings. */
  readonly chosen: () => string
  readonly choose: (model: string) => Promise<void>
  /** How long a model may say nothing. */
  readonly patienceMs: () => number
  /** The person's own providers: read and written through their settings, never a workspace's. */
  readonly custom: () => readonly CustomProvider[]
  readonly saveCustom: (providers: CustomProvider[]) => Promise<void>
}
