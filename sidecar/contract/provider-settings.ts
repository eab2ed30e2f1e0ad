/** A model provider as a person's own settings describe it. It never holds a secret: keys are stored, or named as variables. */
import { z } from 'zod'

/** What Belay can speak. */
export const DialectName = z.enum(['anthropic', 'openai-chat', 'openai-responses', 'gemini', 'ollama'])
export type DialectName = z.infer<typeof DialectName>

/** On this machine, or in a network that is somebody's own: where http is no leak to the world. */
export function isNear(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  return (
    isLoopback(name) ||
    /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)\./.test(name) ||
    /^f[cd][0-9a-f]{2}:/.test(name) ||
    /\.(local|lan|internal|home\.arpa)$/.test(name) ||
    (!name.includes('.') && !name.includes(':'))
  )
}

/** `host` as in `URL.hostname`. */
export const isLoopback = (host: string): boolean => {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
}

const isAbsolute = (path: string): boolean => /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path)

const urlOf = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

const addressOf = (schemes: RegExp, words: string) =>
  z
    .string()
    .max(1000)
    .refine(text => schemes.test(urlOf(text)?.protocol ?? ''), words)
    .refine(text => {
      const url = urlOf(text)
      return !url?.username && !url?.password
    }, 'An address holds no name and password. Store the key, or name a variable.')

const Address = addressOf(/^https?:$/, 'An address starts with https:// or http://.')
const ProxyAddress = addressOf(/^(https?|socks5h?):$/, 'A proxy starts with http://, https:// or socks5://.')

const BaseUrl = Address.refine(text => {
  const url = urlOf(text)
  return !url || url.protocol === 'https:' || isNear(url.hostname)
}, 'Use https://: over http:// the key and your files could be read on the way. http:// is for this machine and your own network.').transform(
  text => text.replace(/\/+$/, ''),
)

/** `env:NAME` is read from the person's own environment each time. */
const FROM_ENVIRONMENT = /^env:[A-Za-z_][A-Za-z0-9_]*$/
const secretHeader = /^(authorization|proxy-authorization|cookie|.*(key|token|secret|password).*)$/i

const Headers = z
  .record(
    z.string().regex(/^[\w-]{1,100}$/, 'A header has a name of letters, digits and dashes.'),
    z.string().max(4000),
  )
  .refine(
    headers =>
      Object.entries(headers).every(([name, value]) => !secretHeader.test(name) || FROM_ENVIRONMENT.test(value)),
    'A header that holds a secret is written as env:NAME, so that the secret stays out of this file.',
  )
  .refine(headers => Object.values(headers).every(value => !/[\r\n\0]/.test(value)), 'A header is one line.')

/** Of every request that no provider's own setting speaks of. `system`: the environment, then the system's settings. */
export const ProxySetting = z.union([z.enum(['system', 'none']), z.string().regex(FROM_ENVIRONMENT), ProxyAddress])

export const CustomProvider = z.strictObject({
  /** In `<id>/<model id>`. An id that ships changes that provider. */
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,39}$/, 'An id has small letters, digits, dots and dashes.'),
  label: z.string().trim().min(1).max(100).optional(),
  dialect: DialectName.optional(),
  /** Without it the address that ships. */
  baseUrl: BaseUrl.optional(),
  headers: Headers.optional(),
  /** A variable of the person's environment that holds the key; a stored key goes before it. */
  keyVariable: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'A variable has letters, digits and underscores.')
    .max(200)
    .optional(),
  /** PEM files of this machine. */
  certificate: z
    .strictObject({
      certFile: z.string().max(4000).optional(),
      keyFile: z.string().max(4000).optional(),
      /** Who may sign for the other side, beside those this machine trusts. */
      caFile: z.string().max(4000).optional(),
    })
    .optional(),
  /** An address, `env:NAME`, or '' for none; without it the setting `http.proxy` decides. */
  proxy: z.union([z.literal(''), z.string().regex(FROM_ENVIRONMENT), ProxyAddress]).optional(),
  /**
   * Code of the person's own that speaks to this provider in place of a dialect: a package for version 6 of `ai`, and the function of it
   * that makes the provider (`createMistral`). It runs with Belay's rights, so it is named in the settings file by hand only.
   */
  module: z
    .strictObject({
      file: z.string().max(4000).refine(isAbsolute, 'A module is named by its whole path.'),
      make: z
        .string()
        .regex(/^[A-Za-z_$][\w$]*$/, 'The name of a function that the module exports.')
        .max(200),
    })
    .optional(),
  /** Offered by name, for servers that list none. */
  models: z.array(z.string().min(1).max(200)).max(200).optional(),
})
export type CustomProvider = z.infer<typeof CustomProvider>
