/** One request by the first way that can be gone. What goes wrong with a proxy is told by its name and by who named it. */
import type { ProxyAgent } from 'undici'
import { BelayError } from '#contract/error'
import { isUsableProxy, namedProxy, type Way } from './proxy.ts'

/** What `ProxyAgent` takes for it: name and password travel in a header, not in its address. */
export function proxyAgentOptions(proxy: string): ProxyAgent.Options {
  const url = new URL(proxy)
  const [username, password] = [decoded(url.username), decoded(url.password)]
  const said = username !== '' || password !== ''
  url.username = url.password = ''
  return {
    uri: url.href,
    // Many proxies tunnel to port 443 only: what is not encrypted anyway is handed to them as it is.
    proxyTunnel: false,
    ...(said ? { token: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` } : {}),
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
    `Nothing was sent to ${host}. ${namedProxy(way)} is not an http or https one. Name another, or none.`,
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

/** Null where the fault is not the proxy's. undici wraps what went wrong, sometimes twice. */
function proxyFault(way: Way, host: string, thrown: unknown): { message: string; unreached: boolean } | null {
  if (way.proxy === null || thrown instanceof BelayError) return null
  for (let at: unknown = thrown, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code = '' } = at as NodeJS.ErrnoException
    const status = Number(/Proxy response \((\d+)\)/.exec(at.message)?.[1])
    if (status) return { message: refused(way, status, host), unreached: false }
    if (/^Proxy Authentication Required/.test(at.message)) return { message: refused(way, 407, host), unreached: false }
    const [, why] = Object.entries(unreachable).find(([each]) => each === code) ?? []
    if (why)
      return {
        message: `${namedProxy(way)} could not be reached: ${why}. Nothing was sent to ${host}. Check the proxy, or switch it off there.`,
        unreached: true,
      }
  }
  return null
}

function refused(way: Way, status: number, host: string): string {
  const said = `${namedProxy(way)} answered ${status} and did not let the request through to ${host}.`
  if (status === 407)
    return `${said} It wants a name and a password: put them into its address in your environment (HTTPS_PROXY=http://name:password@host:port), or name a variable that holds it under Settings.`
  return `${said} Check the address, or ask who runs the proxy.`
}
