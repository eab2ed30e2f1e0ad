/** What an address of the internet is: one answer for the jail's way out, for pages, and for the rules. */
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** From these a machine in a cloud gets its keys, also where the range is an open one. */
export const keyAddresses: ReadonlySet<string> = new Set([
  ...['169.254.169.254', '169.254.170.2', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16'],
])

/** True for what anybody on the internet may be: no private, local, shared, mapped or translated range, and not this machine. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || keyAddresses.has(address) || isOwn(address)) return false
  const parsed = ipaddr.parse(address)
  // Of version 6 only this much was ever given out; all else is translated, mapped, or nobody's.
  if (parsed.kind() === 'ipv6' && ((parsed as ipaddr.IPv6).parts[0] ?? 0) >> 13 !== 1) return false
  return parsed.range() === 'unicast'
}

export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

const isOwn = (address: string): boolean =>
  Object.values(networkInterfaces()).some(each => each?.some(one => one.address === address))
