/** `protocol`: schemes of one's own, each registered before the app is ready and handled once. */
import { type SchemeHandler, setHandler } from '../chromium/scheme-server.ts'
import { part } from '../typed.ts'
import { app } from './app.ts'

const privileged = new Set<string>()
const handled = new Set<string>()

export const protocol = part<Electron.Protocol>({
  registerSchemesAsPrivileged(schemes) {
    if (app.isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
    for (const { scheme } of schemes) privileged.add(scheme)
  },
  handle(scheme, handler) {
    if (!app.isReady()) throw new Error('Session can only be received when app is ready')
    if (handled.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`)
    if (!privileged.has(scheme)) {
      // Electron would serve it without an origin, without fetch: never what anyone meant.
      throw new Error(`electron double: ${scheme} was not registered before the app was ready`)
    }
    handled.add(scheme)
    setHandler(scheme, handler as SchemeHandler)
  },
  unhandle(scheme) {
    if (!handled.delete(scheme)) throw new Error(`Failed to unhandle protocol: ${scheme}`)
    setHandler(scheme, null)
  },
  isProtocolHandled: scheme => handled.has(scheme),
})
