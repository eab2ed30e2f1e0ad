/** What serves the app's own schemes to Chromium: `app://belay/x` is `http://belay.app.localhost/x`, a secure context with an origin of its own. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { atEnd } from '../process/lifetime.ts'

export type SchemeHandler = (request: Request) => Response | Promise<Response>

const handlers = new Map<string, SchemeHandler>()
let serving: Promise<number> | undefined

export function setHandler(scheme: string, handler: SchemeHandler | null): void {
  if (handler) handlers.set(scheme, handler)
  else handlers.delete(scheme)
}
export const handlerOf = (url: string): SchemeHandler | undefined => handlers.get(url.slice(0, url.indexOf(':')))

/** Chromium is told at its start that these names are found here. */
export function serverPort(): Promise<number> {
  serving ??= serve()
  return serving
}

export function toHttp(address: string): string {
  if (!handlerOf(address)) return address
  const { protocol, host, pathname, search, hash } = new URL(address)
  return `http://${host}.${protocol.slice(0, -1)}.localhost${pathname}${search}${hash}`
}

export function fromHttp(address: string): string {
  if (address.startsWith('blob:')) return `blob:${fromHttp(address.slice('blob:'.length))}`
  if (!URL.canParse(address)) return address
  const { hostname, pathname, search, hash } = new URL(address)
  const [, host, scheme = ''] = /^(.+)\.([^.]+)\.localhost$/.exec(hostname) ?? []
  return handlers.has(scheme) ? `${scheme}://${host}${pathname}${search}${hash}` : address
}

async function serve(): Promise<number> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

async function answer(asked: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', headers } = asked
  const address = fromHttp(`http://${headers.host}${asked.url}`)
  try {
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const request = new Request(address, {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        typeof value === 'string' && !/^(host|connection|keep-alive)$/.test(name)
          ? [[name, value] as [string, string]]
          : [],
      ),
      ...(hasBody ? { body: Readable.toWeb(asked) as BodyInit, duplex: 'half' } : {}),
    })
    const handler = handlerOf(address)
    if (!handler) throw new Error(`electron double: nothing handles ${address}`)
    const { status, headers: given, body } = await handler(request)
    response.writeHead(status, Object.fromEntries(given))
    if (body) await pipeline(Readable.fromWeb(body as ReadableStream), response)
    else response.end()
  } catch (fault) {
    if (response.headersSent) return void response.destroy()
    response.writeHead(500).end(String(fault))
  }
}
