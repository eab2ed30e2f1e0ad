/** What is known of a host: its name in one spelling, and whether it is one of this machine, this network, or the open one. */
import ipaddr from 'ipaddr.js'
import { isPublicAddress, keyAddresses } from '../base/address.ts'
import { hostName } from './host-name.ts'

export interface HostFacts {
  readonly host: string
  readonly port: number | null
  readonly url: URL | null
  /** `keys`: the address from which machines in a cloud get their keys. */
  readonly nature: 'public' | 'private' | 'keys' | 'unknown'
}

export function hostFacts(host: string, port: number | null, url: URL | null = null): HostFacts {
  const name = hostName(host)
  return { host: name, port, url, nature: natureOf(name) }
}

export function addressFacts(address: string): HostFacts {
  try {
    const url = new URL(address)
    const ports: Record<string, number> = { 'http:': 80, 'https:': 443 }
    return hostFacts(url.hostname, url.port ? Number(url.port) : (ports[url.protocol] ?? null), url)
  } catch {
    return { host: '', port: null, url: null, nature: 'unknown' }
  }
}

const keyHosts = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'metadata',
  'instance-data.ec2.internal',
])
const localNames = /(?:^|\.)(?:localhost|local|internal|lan|home|intranet|corp|private|home\.arpa|localdomain)$/

function natureOf(host: string): HostFacts['nature'] {
  if (host === '') return 'unknown'
  if (keyHosts.has(host)) return 'keys'
  const bare = host.replace(/^\[|\]$/g, '')
  if (!ipaddr.isValid(bare)) return localNames.test(host) || !host.includes('.') ? 'private' : 'public'
  const parsed = ipaddr.parse(bare)
  const address = 'isIPv4MappedAddress' in parsed && parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed
  if (keyAddresses.has(address.toString())) return 'keys'
  if (address.range() === 'linkLocal') return 'keys'
  return isPublicAddress(address.toString()) ? 'public' : 'private'
}

/** Under these, every name belongs to somebody else. */
const shared =
  /^(?:github\.io|githubusercontent\.com|gitlab\.io|vercel\.app|netlify\.app|pages\.dev|workers\.dev|web\.app|firebaseapp\.com|herokuapp\.com|azurewebsites\.net|cloudfront\.net|.*amazonaws\.com|blogspot\.com|appspot\.com|run\.app|fly\.dev|onrender\.com|surge\.sh|ngrok\.(?:io|app|dev)|ngrok-free\.app|trycloudflare\.com|r2\.dev|b-cdn\.net|digitaloceanspaces\.com|windows\.net|glitch\.me|repl\.co|replit\.(?:app|dev)|translate\.goog)$/
const secondLevel = /^(?:co|com|net|org|gov|edu|ac|or|ne|go|gob|gouv|govt|nom|mil|info|biz)$/

/** What may be remembered of a host: itself, then its domain, where that is one person's or company's. */
export function hostOffers({ host, port, nature }: HostFacts): string[] {
  if (host === '' || nature === 'keys' || nature === 'unknown') return []
  const usual = port === null || port === 443 || port === 80
  const exact = usual && nature === 'public' ? host : port === null ? host : `${host}:${port}`
  const labels = host.split('.')
  const domain = labels.slice(1)
  const [name, top] = domain.slice(-2)
  const owned = domain.length >= 2 && !(domain.length === 2 && top?.length === 2 && secondLevel.test(name ?? ''))
  const wide =
    nature === 'public' &&
    usual &&
    owned &&
    !ipaddr.isValid(host) &&
    !host.startsWith('[') &&
    !shared.test(domain.join('.'))
  return wide ? [exact, `*.${domain.join('.')}`] : [exact]
}
