/** How a request leaves this machine: straight, through a proxy, with a certificate. What those need is loaded only where there is one. */
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { BelayError } from '#contract/error'
import type { CustomProvider } from '#contract/provider-settings'
import { byFirstWay, refuseUnusable, throughProxy } from '../base/proxied-fetch.ts'
import type { Way } from '../base/proxy.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** `env:NAME` as what it stands for; anything else as it is. Throws `invalid` where the variable is not set. */
export function fromEnvironment(
  value: string,
  environment: NodeJS.ProcessEnv,
  where = 'the provider under Settings, Models',
): string {
  if (!value.startsWith('env:')) return value
  const said = environment[value.slice(4)]
  if (said) return said
  throw new BelayError(
    'invalid',
    `Nothing was sent: ${value.slice(4)} is not set in your environment. Set it, or change ${where}.`,
  )
}

/** Made once for each route and kept: connections are kept alive in it. */
const made = new Map<string, Promise<Fetch>>()

/** After a sleep of the machine the other end of a kept connection is probably gone: they are made anew. */
export const forgetConnections = (): void => made.clear()

/** Throws in words where a certificate cannot be read, or the proxy is of a kind Belay cannot use. */
export async function fetchFor(
  url: string,
  ways: readonly Way[],
  certificate: CustomProvider['certificate'] = {},
): Promise<Fetch> {
  const { certFile, keyFile, caFile } = certificate
  const own = Boolean(certFile || keyFile || caFile)
  if (!own && ways[0]?.proxy === null) return fetch
  const { host } = new URL(url)
  for (const way of ways) refuseUnusable(way, host)
  const fetches = await Promise.all(ways.map(({ proxy }) => sharedFetch(proxy, { certFile, keyFile, caFile })))
  return (address, init) => byFirstWay(ways, host, way => (fetches[ways.indexOf(way)] as Fetch)(address, init))
}

function sharedFetch(proxy: string | null, files: NonNullable<CustomProvider['certificate']>): Promise<Fetch> {
  const key = JSON.stringify([proxy, files.certFile, files.keyFile, files.caFile])
  const known = made.get(key)
  if (known) return known
  const fresh = makeFetch(proxy, files)
  made.set(key, fresh)
  fresh.catch(() => made.delete(key))
  return fresh
}

async function makeFetch(proxy: string | null, files: NonNullable<CustomProvider['certificate']>): Promise<Fetch> {
  const [{ Agent, fetch: undiciFetch }, cert, key, own] = await Promise.all([
    import('undici'),
    pem(files.certFile),
    pem(files.keyFile),
    pem(files.caFile),
  ])
  const { rootCertificates } = await import('node:tls')
  const tls = { ...(cert && { cert }), ...(key && { key }), ...(own && { ca: [...rootCertificates, own] }) }
  const dispatcher = proxy
    ? await throughProxy(proxy, { requestTls: tls, proxyTls: own ? { ca: tls.ca } : {} })
    : new Agent({ connect: tls })
  const send = undiciFetch as unknown as (url: string, init: object) => Promise<Response>
  return (url, init) => send(url, { ...init, dispatcher })
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
