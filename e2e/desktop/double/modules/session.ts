/** `session`: what pages may do, and which proxy the system names. */
import { options } from '../options.ts'
import { part } from '../typed.ts'
import { app } from './app.ts'
import { doubleFetch } from './net.ts'
import { protocol } from './protocol.ts'
import { proxyFor } from './proxy.ts'

type Session = Electron.Session
type Handlers = {
  request: Parameters<Session['setPermissionRequestHandler']>[0]
  check: Parameters<Session['setPermissionCheckHandler']>[0]
  device: Parameters<Session['setDevicePermissionHandler']>[0]
}

export const permissions: Handlers = { request: null, check: null, device: null }
let proxy: Electron.ProxyConfig = { mode: 'system' }
let userAgent = 'Mozilla/5.0 (electron double)'
let systemProxy = options.proxy ?? 'DIRECT'

/** The person has changed the system's settings. */
export function setSystemProxy(answer: string): void {
  systemProxy = answer
}

const only = part<Session>({
  setPermissionRequestHandler(handler) {
    permissions.request = handler
  },
  setPermissionCheckHandler(handler) {
    permissions.check = handler
  },
  setDevicePermissionHandler(handler) {
    permissions.device = handler
  },
  setProxy: async config => {
    proxy = config
  },
  resolveProxy: async url => proxyFor(url, proxy, systemProxy),
  forceReloadProxyConfig: async () => {},
  closeAllConnections: async () => {},
  setSpellCheckerEnabled: () => {},
  setUserAgent(agent) {
    userAgent = agent
  },
  getUserAgent: () => userAgent,
  fetch: doubleFetch,
  protocol,
})

export function defaultSession(): Session {
  if (!app.isReady()) throw new Error('Session can only be received when app is ready')
  return only
}

export const session = Object.defineProperty({}, 'defaultSession', { get: defaultSession, enumerable: true }) as Pick<
  typeof Electron.Session,
  'defaultSession'
>
