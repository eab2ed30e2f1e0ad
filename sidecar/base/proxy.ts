/**
 * Which way a request leaves this machine, in the order that is usual: what the person said of one provider, their setting,
 * their environment, their system. Promise: this machine itself is never asked through a proxy.
 */
import { isLoopback } from '#contract/provider-settings'
import { isLoopbackAddress } from './address.ts'

/** Who named it, for messages. */
export type ProxySource = 'provider' | 'setting' | 'environment' | 'system'

export interface Way {
  /** May hold a name and a password: never to be shown or logged, see `shownProxy`. Null: straight. */
  readonly proxy: string | null
  readonly source: ProxySource
}

/** The ways to an address, best first: the next one counts where a proxy cannot be reached. Never empty. */
export type Ways = (
  url: string,
  own?: string | undefined,
  /** Whose proxies count; the person's where not said. */
  environment?: NodeJS.ProcessEnv,
) => Promise<readonly [Way, ...Way[]]>

export interface ProxyOptions {
  /** The person's, as their login shell has it. */
  environment(): Promise<NodeJS.ProcessEnv>
  /** `system`, `none`, or an address; it may be that of a variable. */
  setting(environment: NodeJS.ProcessEnv): Promise<string>
  /** In the words of a PAC file. */
  system(url: string): Promise<string>
}

export function createWays({ environment, setting, system }: ProxyOptions): Ways {
  return async (url, own, given) => {
    const straight = (source: ProxySource): [Way] => [{ proxy: null, source }]
    if (!URL.canParse(url) || isHere(new URL(url))) return straight('system')
    if (own !== undefined) return own === '' ? straight('provider') : [{ proxy: proxyAddress(own), source: 'provider' }]
    const env = given ?? (await environment())
    const said = await setting(env)
    if (said === 'none') return straight('setting')
    if (isExcepted(url, env)) return straight('environment')
    if (said !== 'system') return [{ proxy: proxyAddress(said), source: 'setting' }]
    const named = proxyOfEnvironment(url, env)
    if (named !== null) return [{ proxy: named, source: 'environment' }]
    return waysOf(await system(url))
  }
}

/** `HTTPS_PROXY`, `HTTP_PROXY` and `ALL_PROXY`, small or large; null where none speaks of it. */
export function proxyOfEnvironment(url: string, environment: NodeJS.ProcessEnv): string | null {
  const { protocol } = new URL(url)
  const of = variable(environment)
  const named = of(protocol === 'https:' ? 'https_proxy' : 'http_proxy') ?? of('all_proxy')
  return named === null ? null : proxyAddress(named)
}

/** `proxy:8080`, as a variable often says it, is an http one. */
export const proxyAddress = (said: string): string => (/^[a-z][a-z0-9+.-]*:\/\//i.test(said) ? said : `http://${said}`)

/** By name, or by one of the ways to write such an address. */
const isHere = ({ hostname }: URL): boolean =>
  isLoopback(hostname) || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''))

const variable = (environment: NodeJS.ProcessEnv) => (name: string) =>
  environment[name] || environment[name.toUpperCase()] || null

/** `NO_PROXY` by curl's rules: names with all below them, `*`, perhaps a port. */
function isExcepted(url: string, environment: NodeJS.ProcessEnv): boolean {
  const { protocol, hostname, port: said } = new URL(url)
  const port = said || (protocol === 'https:' ? '443' : '80')
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  return (variable(environment)('no_proxy') ?? '').split(/[\s,]+/).some(entry => {
    const [, name = '', only] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    if (name === '' || (only && only !== port)) return false
    const suffix = name.replace(/^\*?\.+/, '')
    return name === '*' || host === suffix || host.endsWith(`.${suffix}`)
  })
}

/** As browsers have it, a SOCKS proxy of no version is one of version 4. */
const schemes: Readonly<Record<string, string>> = { PROXY: 'http', HTTP: 'http', HTTPS: 'https', SOCKS: 'socks4' }

/** 'PROXY a:1; SOCKS5 b:2; DIRECT': the usable ones in their order. Kinds that Belay cannot use count only where there is no other. */
export function waysOf(rules: string): [Way, ...Way[]] {
  const source = 'system' as const
  const ways = rules.split(';').flatMap((rule): Way[] => {
    const [kind = '', place = ''] = rule.trim().split(/\s+/)
    if (kind.toUpperCase() === 'DIRECT') return [{ proxy: null, source }]
    const scheme = schemes[kind.toUpperCase()] ?? kind.toLowerCase()
    return place !== '' && URL.canParse(`${scheme}://${place}`) ? [{ proxy: `${scheme}://${place}`, source }] : []
  })
  const usable = ways.filter(({ proxy }) => proxy === null || isUsableProxy(proxy))
  const [first = { proxy: null, source }, ...others] = usable.length > 0 ? usable : ways
  return [first, ...others]
}

export const isUsableProxy = (proxy: string): boolean => /^https?:\/\//i.test(proxy) || isSocks(proxy)

/** Of version 5, which also resolves the names. In an environment `socks` means that as well. */
export const isSocks = (proxy: string): boolean => /^socks(5h?)?:\/\//i.test(proxy)

/** Without name and password. */
export function shownProxy(proxy: string): string {
  if (!URL.canParse(proxy)) return 'the proxy'
  const { protocol, host } = new URL(proxy)
  return `${protocol}//${host}`
}

const sources: Readonly<Record<ProxySource, string>> = {
  provider: 'named in the settings of this provider',
  setting: 'named in the setting http.proxy',
  environment: 'named in your environment (HTTPS_PROXY and its kind)',
  system: 'named in the proxy settings of your system',
}

/** "The proxy http://a:1 (named in …)". */
export const namedProxy = ({ proxy, source }: Way): string =>
  `The proxy ${proxy === null ? '' : shownProxy(proxy)} (${sources[source]})`
