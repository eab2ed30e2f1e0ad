/** Models a person can choose, and the accounts behind them. No answer ever carries a key. */
import { z } from 'zod'
import { event, request } from './define.ts'

export const ProviderInfo = z.object({
  provider: z.string(),
  label: z.string(),
  /** Where it was found; shown before first use. `builtin` ones are not AIs. */
  source: z.enum(['environment', 'key', 'local', 'builtin', 'settings']),
  /** "ANTHROPIC_API_KEY in your environment", "on this machine, port 11434". */
  note: z.string(),
  baseUrl: z.string().nullable(),
  state: z.enum(['ready', 'no_key', 'unreachable']),
  lastFour: z.string().nullable(),
  /** A person has agreed to send to it. Nothing is sent before. */
  consented: z.boolean(),
})
export type ProviderInfo = z.infer<typeof ProviderInfo>

export const ModelInfo = z.object({
  /** `<provider>/<model id>` */
  model: z.string(),
  label: z.string(),
  contextTokens: z.number().nullable(),
  efforts: z.boolean(),
  /** US dollars per million tokens; null where unknown. */
  price: z.object({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() }).nullable(),
})
export type ModelInfo = z.infer<typeof ModelInfo>

export const model = {
  list: request(
    z.object({ refresh: z.boolean().default(false) }),
    z.object({ providers: z.array(ProviderInfo), models: z.array(ModelInfo), chosen: z.string() }),
  ),
  /** The model of new sessions. Any id of a known provider is accepted. */
  choose: request(z.object({ model: z.string() }), z.object({})),
  consent: request(z.object({ provider: z.string() }), z.object({})),
  setKey: request(
    z.object({ provider: z.string(), key: z.string().min(1).max(1000) }),
    z.object({ lastFour: z.string() }),
  ),
  deleteKey: request(z.object({ provider: z.string() }), z.object({})),
  /** One smallest request to the provider: what it said, in words. */
  test: request(z.object({ provider: z.string() }), z.object({ ok: z.boolean(), message: z.string() })),
  changed: event(z.object({})),
} as const
