/**
 * Where the browser form can be reached: its scheme, the hosts by which a browser may call it, the links it prints. Any other
 * name that leads here is an attacker's (DNS rebinding).
 */
import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
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

export const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)

/** `address` is what is listened at; a certificate's names are ours too. */
export function createSite(options: { address: string; port: number; tls: TlsFiles | null }): Site {
  const { address, port, tls } = options
  const secure = tls !== null
  const names = tls?.names ?? []
  const local = isLoopback(address) || EVERYWHERE.has(address)
  const addresses = EVERYWHERE.has(address) ? ownAddresses() : local ? [] : [address]
  const hosts = new Set([...(local ? ['127.0.0.1', 'localhost', '::1'] : []), ...addresses, ...names])
  const usual = secure ? 443 : 80
  const nameOf = (host: string) => {
    const { hostname, port: said } = new URL(`http://${host}`)
    const ends = said === '' ? (/:80$/.test(host) ? 80 : usual) : Number(said)
    return ends === port ? hostname.replace(/^\[|\]$/g, '').toLowerCase() : null
  }
  const owns = (host: string | undefined): host is string => {
    // Only what a browser writes there: no name and password, no path.
    if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return false
    try {
      const name = nameOf(host)
      return name !== null && (hosts.has(name) || hosts.has(name.replace(/^[^.]+/, '*')))
    } catch {
      return false
    }
  }
  const best =
    (isLoopback(address) ? '127.0.0.1' : names.find(name => !name.startsWith('*'))) ??
    (EVERYWHERE.has(address) ? (addresses[0] ?? '127.0.0.1') : address)
  const at = isIPv6(best) ? `[${best}]` : best
  return {
    port,
    secure,
    owns,
    isOwnOrigin: ({ headers }) => headers.origin === `${secure ? 'https' : 'http'}://${headers.host}`,
    address: `${secure ? 'https' : 'http'}://${at}${port === usual ? '' : `:${port}`}`,
  }
}

/** Those that others can reach; IPv4 first, since one can type it. */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap(each => each ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
    .sort((one, other) => one.family.localeCompare(other.family))
    .map(({ address }) => address)
