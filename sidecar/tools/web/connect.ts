/**
 * One request to one checked place. The name is resolved here, every address it has must be allowed, and the connection goes
 * to one of just those: a name that answers differently a moment later changes nothing. No cookies, no keys, no redirects.
 */
import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { BelayError } from '#contract/error'
import { isLoopbackAddress, isPublicAddress } from '../../base/address.ts'
import { byFirstWay, refuseUnusable, throughProxy } from '../../base/proxied-fetch.ts'
import type { Way, Ways } from '../../base/proxy.ts'
import { notPublic, type Target } from './address.ts'

export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>

export interface WebNetwork {
  /** Behind a proxy names are resolved by that, not here. */
  ways: Ways
  /** For tests; the system's without it. */
  resolve?: Resolve
  /** What Belay calls itself. */
  userAgent: string
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array> | null
  /** Its name was resolved by a proxy: only literal private addresses could be refused. */
  readonly proxied: boolean
  /** Ends the connection. Never rejects. */
  end(): Promise<void>
}

const CONNECT_MS = 10_000
/** Between two pieces, and before the first. */
const SILENCE_MS = 20_000

const straight: Way = { proxy: null, source: 'system' }

/** Throws words for the model. The caller ends the answer. */
export async function askFor(
  { url, loopback }: Target,
  network: WebNetwork,
  accept: string,
  signal: AbortSignal,
): Promise<Answer> {
  const [{ Agent, fetch }, ways] = await Promise.all([import('undici'), loopback ? [straight] : network.ways(url.href)])
  const limits = { headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS, connectTimeout: CONNECT_MS }
  const lookup = checkedLookup(network.resolve ?? resolveBySystem, loopback)
  const ask = async ({ proxy }: Way): Promise<Answer> => {
    const dispatcher = proxy
      ? await throughProxy(proxy, limits)
      : new Agent({ ...limits, connect: { timeout: CONNECT_MS, lookup } })
    const end = () => dispatcher.destroy().catch(() => {})
    try {
      const { status, headers, body } = await fetch(url, {
        dispatcher,
        signal,
        redirect: 'manual',
        headers: { accept, 'accept-language': 'en, *;q=0.5', 'user-agent': network.userAgent },
      })
      const proxied = proxy !== null
      return { status, headers: new Headers([...headers]), body: body as Answer['body'], proxied, end }
    } catch (thrown) {
      await end()
      throw thrown
    }
  }
  try {
    for (const way of ways) refuseUnusable(way, url.host)
    return await byFirstWay(ways, url.host, ask)
  } catch (thrown) {
    throw explained(thrown, url)
  }
}

const resolveBySystem: Resolve = host => systemLookup(host, { all: true, verbatim: true })

/** As the system's own, but refusing the whole name where one of its addresses is not allowed. */
export function checkedLookup(resolve: Resolve, loopback: boolean): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      all => {
        const fits = loopback ? isLoopbackAddress : isPublicAddress
        const family = typeof options.family === 'number' ? options.family : 0
        const wanted = family === 4 || family === 6 ? all.filter(each => each.family === family) : all
        const [first] = wanted
        if (!all.every(({ address }) => fits(address))) callback(notPublic(host), '', 0)
        else if (!first) callback(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), '', 0)
        else if (options.all) callback(null, wanted)
        else callback(null, first.address, first.family)
      },
      (fault: NodeJS.ErrnoException) => callback(fault, '', 0),
    )
  }
}

const words: Record<string, string> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name could not be resolved now',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it fell silent in the middle',
}

/** undici wraps what went wrong, sometimes twice. */
function explained(thrown: unknown, url: URL): Error {
  for (let at = thrown, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof BelayError) return at
    const { code = '' } = at as NodeJS.ErrnoException
    if (words[code]) return new BelayError('network', `${url.host} could not be fetched: ${words[code]}.`)
    if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code))
      return new BelayError('network', `${url.host} could not be fetched: its certificate is not trusted (${code}).`)
    if (at.name === 'TimeoutError') return new BelayError('timeout', `${url.host} took too long and was given up.`)
  }
  const said = thrown instanceof Error ? String(thrown.cause ?? thrown.message) : String(thrown)
  return new BelayError('network', `${url.host} could not be fetched: ${said.slice(0, 200)}.`)
}
