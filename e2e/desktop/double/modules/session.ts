/** `session`: what pages may do and fetch, and which proxy the system names. */
import { EventEmitter } from 'node:events'
import { options } from '../options.ts'
import { seen } from '../record.ts'
import { type EventsOf, part, preventable } from '../typed.ts'
import { app } from './app.ts'
import { doubleFetch } from './net.ts'
import { protocol } from './protocol.ts'
import { proxyFor } from './proxy.ts'

type Session = Electron.Session
type Handlers = {
  request: Parameters<Session['setPermissionRequestHandler']>[0]
  check: Parameters<Session['setPermissionCheckHandler']>[0]
  device: Parameters<Session['setDevicePermissionHandler']>[0]
  display: Parameters<Session['setDisplayMediaRequestHandler']>[0]
  bluetooth: Parameters<Session['setBluetoothPairingHandler']>[0]
}
type RequestListener = (
  details: Electron.OnBeforeRequestListenerDetails,
  callback: (response: Electron.CallbackResponse) => void,
) => void

let systemProxy = options.proxy ?? 'DIRECT'

/** The person has changed the system's settings. */
export function setSystemProxy(answer: string): void {
  systemProxy = answer
}

export class DoubleSession
  extends EventEmitter<EventsOf<Session>>
  implements
    Pick<
      Session,
      | 'closeAllConnections'
      | 'fetch'
      | 'forceReloadProxyConfig'
      | 'getUserAgent'
      | 'isSpellCheckerEnabled'
      | 'protocol'
      | 'resolveProxy'
      | 'setBluetoothPairingHandler'
      | 'setDevicePermissionHandler'
      | 'setDisplayMediaRequestHandler'
      | 'setPermissionCheckHandler'
      | 'setPermissionRequestHandler'
      | 'setProxy'
      | 'setSpellCheckerEnabled'
      | 'setUserAgent'
      | 'webRequest'
    >
{
  /** @internal */
  readonly handlers: Handlers = { request: null, check: null, device: null, display: null, bluetooth: null }
  #proxy: Electron.ProxyConfig = { mode: 'system' }
  #userAgent = 'Mozilla/5.0 (electron double)'
  #spelling = true
  #schemes: string[] = []
  #listener: RequestListener | null = null
  readonly protocol = protocol
  readonly fetch = doubleFetch
  readonly webRequest = part<Electron.WebRequest>({
    onBeforeRequest: (...given: unknown[]) => {
      const listener = given.pop() as RequestListener | null
      const { urls = ['<all_urls>'] } = (given[0] ?? {}) as Partial<Electron.WebRequestFilter>
      this.#schemes = urls.map(schemeOf)
      this.#listener = listener
    },
  })

  setPermissionRequestHandler(handler: Handlers['request']): void {
    this.handlers.request = handler
  }
  setPermissionCheckHandler(handler: Handlers['check']): void {
    this.handlers.check = handler
  }
  setDevicePermissionHandler(handler: Handlers['device']): void {
    this.handlers.device = handler
  }
  setDisplayMediaRequestHandler(handler: Handlers['display']): void {
    this.handlers.display = handler
  }
  setBluetoothPairingHandler(handler: Handlers['bluetooth']): void {
    this.handlers.bluetooth = handler
  }
  async setProxy(config: Electron.ProxyConfig): Promise<void> {
    this.#proxy = config
  }
  async resolveProxy(url: string): Promise<string> {
    return proxyFor(url, this.#proxy, systemProxy)
  }
  async forceReloadProxyConfig(): Promise<void> {}
  async closeAllConnections(): Promise<void> {}
  setSpellCheckerEnabled(enable: boolean): void {
    this.#spelling = enable
  }
  isSpellCheckerEnabled(): boolean {
    return this.#spelling
  }
  setUserAgent(agent: string): void {
    this.#userAgent = agent
  }
  getUserAgent(): string {
    return this.#userAgent
  }

  /** @internal The double has a part of it. */
  asElectron(): Session {
    return this as unknown as Session
  }
  /** @internal Before a page's request leaves Chromium. */
  mayAsk(url: string, resourceType: string): Promise<boolean> {
    const listener = this.#listener
    const scheme = url.slice(0, url.indexOf(':'))
    if (!listener || !this.#schemes.some(each => each === '*' || each === scheme)) return Promise.resolve(true)
    const details = { url, method: 'GET', resourceType } as Electron.OnBeforeRequestListenerDetails
    return new Promise(resolve => listener(details, ({ cancel }) => resolve(!cancel)))
  }
  /** @internal A page saves something. */
  mayDownload(url: string, name: string, contents: Electron.WebContents): boolean {
    const item = part<Electron.DownloadItem>({ getURL: () => url, getFilename: () => name, getURLChain: () => [url] })
    const event = preventable()
    this.emit('will-download', event, item, contents, null)
    if (!event.defaultPrevented) seen.downloads.push(name)
    return !event.defaultPrevented
  }
}

function schemeOf(pattern: string): string {
  if (pattern === '<all_urls>') return '*'
  const [, scheme] = /^([a-z*]+):\/\/\*\/\*$/.exec(pattern) ?? []
  if (scheme === undefined) throw new TypeError(`electron double: knows only patterns of whole schemes, not ${pattern}`)
  return scheme
}

const sessions = new Map<string, DoubleSession>()

function sessionOf(partition: string): DoubleSession {
  if (!app.isReady()) throw new Error('Session can only be received when app is ready')
  const found = sessions.get(partition) ?? new DoubleSession()
  sessions.set(partition, found)
  return found
}
export const defaultSession = (): DoubleSession => sessionOf('')

export const session = Object.defineProperty(
  { fromPartition: (partition: string) => sessionOf(partition).asElectron() },
  'defaultSession',
  { get: () => defaultSession().asElectron(), enumerable: true },
) as Pick<typeof Electron.Session, 'defaultSession' | 'fromPartition'>
