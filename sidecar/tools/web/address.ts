/**
 * What the web tools may connect to: public addresses, and this machine itself where a rule says so. Names are judged after
 * they were resolved, by the very addresses that are then connected to.
 */
import ipaddr from 'ipaddr.js'
import { isLoopback } from '#contract/provider-settings'
import { isPublicAddress } from '../../base/address.ts'
import { oneLine } from '../../base/foreign-text.ts'
import { refused } from '../define.ts'

/** Longer addresses carry data out rather than name a page. */
const MAX_URL_CHARS = 4000

export interface Target {
  readonly url: URL
  /** This very machine: only where a rule allows it. */
  readonly loopback: boolean
}

/** Names that mean a network of somebody's own, whatever they resolve to. */
const nearName = /(^|\.)(local|lan|internal|intranet|home|corp|private|localdomain|home\.arpa)$/

/** Throws words for the model. Nothing is resolved here. */
export function targetOf(text: string): Target {
  const trimmed = text.trim()
  if (trimmed.length > MAX_URL_CHARS)
    throw refused(`The address is ${trimmed.length} characters long; at most ${MAX_URL_CHARS} are taken.`)
  if (!URL.canParse(trimmed))
    throw refused(`"${oneLine(trimmed, 100)}" is no address. Give a whole one, such as https://example.com/page.`)
  const url = new URL(trimmed)
  url.hash = ''
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refused(`${url.protocol} addresses are not fetched, only https: ones.`)
  if (url.username || url.password)
    throw refused('An address with a name or password in it is not fetched. Leave them out.')
  const host = plainHost(url)
  if (isLoopback(host)) return { url, loopback: true }
  if (ipaddr.isValid(host) && !isPublicAddress(host)) throw notPublic(host)
  if (nearName.test(host) || (!host.includes('.') && !host.includes(':'))) throw notPublic(host)
  if (url.protocol === 'http:') throw refused(`Only https is fetched. Try https://${url.host}${url.pathname}.`)
  return { url, loopback: false }
}

const plainHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

export const notPublic = (host: string) =>
  refused(
    `${oneLine(host, 100)} is in a private or local network, which pages are not fetched from. If the person wants it, a command in the terminal can reach it.`,
  )
