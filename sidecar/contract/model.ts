/** Models a person can choose, and the accounts behind them. No answer ever carries a key. */
import { z } from 'zod'
import { event, request } from './define.ts'
import { ErrorCode } from './error.ts'
import { CustomProvider } from './provider-settings.ts'
import { Effort } from './session-event.ts'

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
  /** A key is kept, sealed, and the machine's keychain does not open it (now). */
  unreadable: z.boolean().optional(),
  /** A person has agreed to send to it. Nothing is sent before. */
  consented: z.boolean(),
  /** Which protocol it speaks; null for built-in ones. */
  dialect: z.string().nullable().optional(),
  /** What the person's settings say of it; null where they say nothing. Never holds a secret. */
  custom: CustomProvider.nullable().optional(),
  /** Belay has a row for it anyway: taking `custom` away leaves what ships. */
  shipped: z.boolean().optional(),
  /** Shape of the base URL where each customer has its own. */
  example: z.string().nullable().optional(),
  docs: z.string().nullable().optional(),
  /** When its own list of models was read (ms since 1970); null: never. */
  listedAt: z.number().nullable().optional(),
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
  /** The efforts that differ for it, least first; `auto` leaves it to the model. */
  effortLevels: z.array(Effort).optional(),
  outputTokens: z.number().nullable().optional(),
  /** What it takes beside text; null where nobody said. */
  input: z
    .array(z.enum(['image', 'pdf']))
    .nullable()
    .optional(),
  tools: z.boolean().nullable().optional(),
  /** The day these facts were read (`2026-07-01`); null where there are none. */
  asOf: z.string().nullable().optional(),
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
  /** One small request to the provider, with none of the person's words: what it said, and what was seen to work. */
  test: request(
    z.object({ provider: z.string(), model: z.string().optional() }),
    z.object({
      ok: z.boolean(),
      message: z.string(),
      /** Which model was asked; null when none could be. */
      model: z.string().nullable().optional(),
      /** As the provider calls the one that answered; null where it does not say. */
      answered: z.string().max(300).nullable().optional(),
      /** ms from sending to the first word or call. */
      firstTokenMs: z.number().nullable().optional(),
      /** Whether the answer came in pieces, and whether a tool was called. Null: not seen. */
      streams: z.boolean().nullable().optional(),
      tools: z.boolean().nullable().optional(),
      failure: z.enum(ErrorCode).nullable().optional(),
    }),
  ),
  /** Into the person's own settings; one of the same id is replaced. Refuses secrets in headers and addresses. */
  saveProvider: request(z.object({ provider: CustomProvider }), z.object({})),
  /** Out of the settings, with its stored key and its list. Sessions that used it are kept. */
  removeProvider: request(z.object({ provider: z.string() }), z.object({})),
  /** Asks a provider for its own list of models. `denied` before a person agreed to send to it. */
  refresh: request(z.object({ provider: z.string() }), z.object({ count: z.number() })),
  changed: event(z.object({})),
} as const
