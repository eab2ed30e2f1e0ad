/** `net`: fetching as the browser does, so that the app's own schemes and files are found too. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { handlerOf } from '../chromium/scheme-server.ts'
import { part } from '../typed.ts'
import { app } from './app.ts'

type Net = Electron.Net
let online = true
export function setOnline(is: boolean): void {
  online = is
}

export const doubleFetch: Net['fetch'] = async (input, init) => {
  if (!app.isReady()) throw new Error('Session can only be received when app is ready')
  const request = new Request(input, init)
  const handler = init?.bypassCustomProtocolHandlers ? undefined : handlerOf(request.url)
  if (handler) return handler(request)
  if (!online) throw new Error('net::ERR_INTERNET_DISCONNECTED')
  if (!request.url.startsWith('file:')) return fetch(request)
  const bytes = await readFile(fileURLToPath(request.url)).catch(() => {
    throw new Error('net::ERR_FILE_NOT_FOUND')
  })
  return new Response(new Uint8Array(bytes))
}

export const net = Object.defineProperty(part<Net>({ fetch: doubleFetch, isOnline: () => online }), 'online', {
  get: () => online,
}) as Pick<Net, 'fetch' | 'isOnline' | 'online'>
