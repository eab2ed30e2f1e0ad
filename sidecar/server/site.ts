/**
 * Where the browser form can be reached: its scheme, the hosts by which a browser may call it, the links it prints. Any other
 * name that leads here is an attacker's (DNS rebinding).
 */
import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLoopbackAddress } from '../base/address.ts'
import type { TlsFiles } from './tls-files.ts'

export interface Site {
  readonly port: number
  readonly secure: boolean
  /** Whether a `Host` header names us. */
  owns(host: string | undefined): host is string
  /** A browser always says the origin of a page that posts or opens a WebSocket; it must be the very page we served. */
  isOwnOrigin(request: IncomingMessage): boolean
  /** `http://127.0.0.1:4711`: by what name others reach it best. */
  readonly address: string
}

const EVERYWHERE = new Set(['0.0.0.0', '::'])
const LOOPBACK = ['127.0.0.1', 'localhost', '::1']

export const isLoopback = (address: string): boolean => address === 'localhost' || isLoopbackAddress(address)

/** `address` is what is listened at; a certificate's names are ours too. */
export function createSite(options: { address: string; port: number; tls: TlsFiles | null }): Site {
  const { address, port, tls } = options
  const [scheme, usual] = tls ? ['https', 443] : ['http', 80]
  const names = tls?.names ?? []
  const isEverywhere = EVERYWHERE.has(address)
  const reached = isEverywhere ? ownAddresses() : [address]
  const local = isEverywhere || isLoopback(address) ? LOOPBACK : []
  const hosts = new Set([...local, ...reached, ...names].map(inUrl).map(name => urlOf(`${scheme}://${name}`)?.hostname))
  const owns = (host: string | undefined): host is string => {
    // Only what a browser writes there: no name and password, no path.
    const url = host !== undefined && /^[\w.:[\]-]+$/.test(host) ? urlOf(`${scheme}://${host}`) : null
    if (url === null || Number(url.port || usual) !== port) return false
    return hosts.has(url.hostname) || hosts.has(url.hostname.replace(/^[^.]+/, '*'))
  }
  const byName = isLoopback(address) ? undefined : names.find(name => !name.startsWith('*'))
  const best = inUrl(byName ?? reached[0] ?? '127.0.0.1')
  return {
    port,
    secure: tls !== null,
    owns,
    isOwnOrigin: ({ headers }) => headers.origin === `${scheme}://${headers.host}`,
    address: `${scheme}://${best}${port === usual ? '' : `:${port}`}`,
  }
}

const inUrl = (name: string): string => (isIPv6(name) ? `[${name}]` : name)
const urlOf = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)

/** Those that others can reach; IPv4 first, since one can type it. */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap(each => each ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
    .sort((one, other) => one.family.localeCompare(other.family))
    .map(({ address }) => address)
