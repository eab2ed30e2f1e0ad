/**
 * How a request leaves this machine: straight, through the person's proxy, with their certificate. This machine itself is never
 * asked through a proxy. What a proxy or certificate needs is loaded only where there is one.
 */
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { BelayError } from '#contract/error'
import { type CustomProvider, isLoopback } from '#contract/provider-settings'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

type Route = Pick<CustomProvider, 'certificate' | 'proxy'>

/** The proxy for `url`; null: none. `own` is the provider's setting: an address, `env:NAME`, '' for none, undefined for the environment's. */
export function proxyFor(url: string, environment: NodeJS.ProcessEnv, own?: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, hostname, port } = new URL(url)
  if (isLoopback(hostname) || own === '') return null
  if (own !== undefined) return fromEnvironment(own, environment)
  const of = (name: string) => environment[name.toLowerCase()] || environment[name.toUpperCase()] || null
  if (isExcepted(of('no_proxy') ?? '', hostname, port || (protocol === 'https:' ? '443' : '80'))) return null
  const named = of(protocol === 'https:' ? 'https_proxy' : 'http_proxy') ?? of('all_proxy')
  if (!named) return null
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(named) ? named : `http://${named}`
}

/** curl's rules: names with all below them, `*`, perhaps a port. */
function isExcepted(list: string, hostname: string, port: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  return list.split(/[\s,]+/).some(entry => {
    const [, name = '', only] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    if (name === '' || (only && only !== port)) return false
    const suffix = name.replace(/^\*?\.+/, '')
    return name === '*' || host === suffix || host.endsWith(`.${suffix}`)
  })
}

/** `env:NAME` as what it stands for; anything else as it is. Throws `invalid` where the variable is not set. */
export function fromEnvironment(value: string, environment: NodeJS.ProcessEnv): string {
  if (!value.startsWith('env:')) return value
  const said = environment[value.slice(4)]
  if (said) return said
  throw new BelayError(
    'invalid',
    `Nothing was sent: ${value.slice(4)} is not set in your environment. Set it, or change the provider under Settings, Models.`,
  )
}

/** Made once for each route and kept: connections are kept alive in it. */
const made = new Map<string, Promise<Fetch>>()

/** Throws in words where a certificate cannot be read, a variable is missing, or the proxy is of a kind Belay cannot use. */
export async function fetchFor(url: string, route: Route, environment: NodeJS.ProcessEnv): Promise<Fetch> {
  const proxy = proxyFor(url, environment, route.proxy)
  const { certFile, keyFile, caFile } = route.certificate ?? {}
  if (!proxy && !certFile && !keyFile && !caFile) return fetch
  if (proxy && !/^https?:\/\//i.test(proxy))
    throw new BelayError(
      'unsupported',
      `Nothing was sent: the proxy for ${new URL(url).host} is not an http or https one. Name another under Settings, Models, or none.`,
    )
  const key = JSON.stringify([proxy, certFile, keyFile, caFile])
  const known = made.get(key)
  if (known) return known
  const fresh = makeFetch(proxy, { certFile, keyFile, caFile })
  made.set(key, fresh)
  fresh.catch(() => made.delete(key))
  return fresh
}

async function makeFetch(proxy: string | null, files: NonNullable<Route['certificate']>): Promise<Fetch> {
  const [{ Agent, ProxyAgent, fetch: undiciFetch }, cert, key, own] = await Promise.all([
    import('undici'),
    pem(files.certFile),
    pem(files.keyFile),
    pem(files.caFile),
  ])
  const { rootCertificates } = await import('node:tls')
  const tls = { ...(cert && { cert }), ...(key && { key }), ...(own && { ca: [...rootCertificates, own] }) }
  const dispatcher = proxy
    ? new ProxyAgent({ ...proxyOf(proxy), requestTls: tls, proxyTls: own ? { ca: tls.ca } : {} })
    : new Agent({ connect: tls })
  const send = undiciFetch as unknown as (url: string, init: object) => Promise<Response>
  return (url, init) => send(url, { ...init, dispatcher })
}

/** Name and password of a proxy travel in a header, not in its address. */
export function proxyOf(proxy: string): { uri: string; token?: string } {
  const url = new URL(proxy)
  const said = url.username || url.password
  const token = `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`
  url.username = url.password = ''
  return { uri: url.href, ...(said ? { token } : {}) }
}

async function pem(file: string | undefined): Promise<string | undefined> {
  if (!file) return undefined
  const absolute = file.startsWith('~/') ? join(homedir(), file.slice(2)) : file
  try {
    return await readFile(absolute, 'utf8')
  } catch (fault) {
    throw new BelayError(
      'not_found',
      `Nothing was sent: ${file} cannot be read (${(fault as NodeJS.ErrnoException).code ?? 'fault'}). Check the certificate under Settings, Models.`,
    )
  }
}
