/** One request by the first way that can be gone. What goes wrong with a proxy is told by its name and by who named it. */
import type { ConnectionOptions } from 'node:tls'
import type { Dispatcher } from 'undici'
import { BelayError } from '#contract/error'
import { isSocks, isUsableProxy, namedProxy, type Way } from './proxy.ts'

export interface Tunnel {
  /** Of the connection to who is asked; a proxy of https itself may be known by `proxyTls`. */
  readonly requestTls?: ConnectionOptions
  readonly proxyTls?: ConnectionOptions
  readonly connectTimeout?: number
  readonly headersTimeout?: number
  readonly bodyTimeout?: number
}

/** What goes through the proxy, of any kind that `isUsableProxy`. The caller ends it. */
export async function throughProxy(proxy: string, tunnel: Tunnel): Promise<Dispatcher> {
  const { ProxyAgent, Socks5ProxyAgent } = await import('undici')
  const url = new URL(proxy)
  const [username, password] = [decoded(url.username), decoded(url.password)]
  url.username = url.password = ''
  if (isSocks(proxy)) {
    const { requestTls, headersTimeout, bodyTimeout } = tunnel
    const options = { username, password, requestTls }
    const agent = quietly(() => new Socks5ProxyAgent(url.href.replace(/^socks5h:/, 'socks5:'), options))
    return agent.compose(
      dispatch => (asked, handler) =>
        dispatch({ ...asked, ...(headersTimeout && { headersTimeout }), ...(bodyTimeout && { bodyTimeout }) }, handler),
    )
  }
  const said = username !== '' || password !== ''
  return new ProxyAgent({
    ...tunnel,
    uri: url.href,
    // Many proxies tunnel to port 443 only: what is not encrypted anyway is handed to them as it is.
    proxyTunnel: false,
    // Name and password travel in a header, not in its address.
    ...(said ? { token: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` } : {}),
  })
}

/** undici says on stderr that this is new to it; its version is pinned, and the person has asked for nothing of that kind. */
function quietly<T>(make: () => T): T {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return make()
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Many write a password's own % as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Throws `unsupported` in words for a proxy of a kind that Belay cannot use. */
export function refuseUnusable(way: Way, host: string): void {
  if (way.proxy === null || (isUsableProxy(way.proxy) && URL.canParse(way.proxy))) return
  throw new BelayError(
    'unsupported',
    `Nothing was sent to ${host}. ${namedProxy(way)} is neither an http or https one nor SOCKS 5. Name another, or none.`,
  )
}

interface Answered {
  readonly status: number
  readonly body: { cancel(): Promise<void> } | null
  end?(): Promise<void>
}

/**
 * The first way that leads to an answer. A proxy that cannot be reached, and has had nothing of the request, makes way for
 * the next; every other fault is thrown, those of a proxy as `network` in words.
 */
export async function byFirstWay<T extends Answered>(
  ways: readonly Way[],
  host: string,
  send: (way: Way) => Promise<T>,
): Promise<T> {
  for (const [at, way] of ways.entries()) {
    try {
      const answer = await send(way)
      if (way.proxy === null || answer.status !== 407) return answer
      void (answer.end?.() ?? answer.body?.cancel().catch(() => {}))
      throw new BelayError('network', refused(way, 407, host))
    } catch (thrown) {
      const told = proxyFault(way, host, thrown)
      if (at < ways.length - 1 && told?.unreached) continue
      throw told ? new BelayError('network', told.message, { cause: thrown }) : thrown
    }
  }
  throw new Error('no way was given')
}

const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name could not be resolved now',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
}

interface ProxyFault {
  readonly message: string
  /** It has had nothing of the request. */
  readonly unreached: boolean
}

/** Null where the fault is not the proxy's. undici wraps what went wrong, sometimes twice. */
function proxyFault(way: Way, host: string, thrown: unknown): ProxyFault | null {
  if (way.proxy === null || thrown instanceof BelayError) return null
  for (let at: unknown = thrown, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code = '' } = at as NodeJS.ErrnoException
    const socks = socksFault(way, host, at)
    if (socks) return socks
    const status = Number(/Proxy response \((\d+)\)/.exec(at.message)?.[1])
    if (status) return { message: refused(way, status, host), unreached: false }
    if (/^Proxy Authentication Required/.test(at.message)) return { message: refused(way, 407, host), unreached: false }
    const [, why] = Object.entries(unreachable).find(([each]) => each === code) ?? []
    if (why) return { message: notReached(way, host, why), unreached: true }
  }
  return null
}

const noCredentials = 'it wants a name and a password that it knows'
const socksFaults: Readonly<Record<string, string>> = {
  VERSION: 'it is no SOCKS 5 proxy',
  AUTH_REJECTED: noCredentials,
  AUTH_METHOD: noCredentials,
  AUTH_FAILED: noCredentials,
  REPLY_2: 'its rules forbid it',
  REPLY_3: 'there is no network',
  REPLY_4: 'there is no way to it',
  REPLY_5: 'nothing listens there',
}

/** Until a SOCKS proxy has made the connection it has had nothing of the request. */
function socksFault(way: Way, host: string, fault: Error): ProxyFault | null {
  if (/^SOCKS5 \w+ timeout$/.test(fault.message))
    return { message: notReached(way, host, 'it did not answer in time'), unreached: true }
  const [, kind] = /^UND_ERR_SOCKS5_(\w+)$/.exec((fault as NodeJS.ErrnoException).code ?? '') ?? []
  if (kind === undefined) return null
  const why = socksFaults[kind] ?? 'it failed'
  const said = `${namedProxy(way)} made no connection to ${host}: ${why}. Nothing was sent there.`
  return { message: `${said} Check the address, or ask who runs the proxy.`, unreached: false }
}

const notReached = (way: Way, host: string, why: string): string =>
  `${namedProxy(way)} could not be reached: ${why}. Nothing was sent to ${host}. Check the proxy, or switch it off there.`

function refused(way: Way, status: number, host: string): string {
  const said = `${namedProxy(way)} answered ${status} and did not let the request through to ${host}.`
  if (status === 407)
    return `${said} It wants a name and a password: put them into its address in your environment (HTTPS_PROXY=http://name:password@host:port), or name a variable that holds it under Settings.`
  return `${said} Check the address, or ask who runs the proxy.`
}
