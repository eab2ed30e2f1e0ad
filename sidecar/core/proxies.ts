/** What the ways out of this machine are decided by: the person's environment, their setting, their system. */
import { createWays, proxyAddress, proxyOfEnvironment, type Ways } from '../base/proxy.ts'
import { fromEnvironment } from '../model/network.ts'
import type { ParentProxy } from '../sandbox/network.ts'

const SETTING = 'the setting http.proxy'

export const createProxies = (options: {
  environment(): Promise<NodeJS.ProcessEnv>
  /** `system`, `none`, an address or `env:NAME`. */
  setting(): string
  /** Null: there is none to ask. */
  system: ((url: string) => Promise<string>) | null
}): Ways =>
  createWays({
    environment: options.environment,
    async setting(given) {
      const said = options.setting()
      const env = isSet(said, given) ? given : await options.environment()
      return fromEnvironment(said, env, SETTING)
    },
    // Who does not know the way goes straight.
    system: async url => (await options.system?.(url).catch(() => null)) ?? 'DIRECT',
  })

const isSet = (said: string, env: NodeJS.ProcessEnv) => !said.startsWith('env:') || Boolean(env[said.slice(4)])

/** The same for the one way out of a jail, which knows no system. `setting` as above. Throws where a variable is not set. */
export function parentProxyOf(env: NodeJS.ProcessEnv, setting: string): ParentProxy {
  if (setting === 'none') return { noProxy: '*' }
  const noProxy = env.no_proxy || env.NO_PROXY
  const of = (scheme: string) =>
    setting === 'system' ? (proxyOfEnvironment(`${scheme}://any.invalid`, env) ?? undefined) : namedIn(setting, env)
  return { http: of('http'), https: of('https'), ...(noProxy ? { noProxy } : {}) }
}

const namedIn = (setting: string, env: NodeJS.ProcessEnv) => proxyAddress(fromEnvironment(setting, env, SETTING))
