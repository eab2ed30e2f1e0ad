/** protocol.handle: `app://belay/x` is served as `http://belay.app.localhost:<port>/x`, a secure context with an origin of its own. */
import { createServer } from 'node:http'

const handlers = new Map()
const privileged = new Set()
let serving

export const protocol = {
  registerSchemesAsPrivileged(schemes) {
    for (const { scheme } of schemes) privileged.add(scheme)
  },
  handle(scheme, handler) {
    if (!privileged.has(scheme))
      throw new Error(`electron double: ${scheme} was not registered before the app was ready`)
    handlers.set(scheme, handler)
  },
}

export async function toHttp(address) {
  const { protocol: scheme, host, pathname, search } = new URL(address)
  if (!handlers.has(scheme.slice(0, -1))) return address
  serving ??= serve()
  return `http://${host}.${scheme.slice(0, -1)}.localhost:${(await serving).port}${pathname}${search}`
}

export function fromHttp(address) {
  try {
    const { hostname, pathname, search } = new URL(address)
    const [, host, scheme] = /^(.+)\.([^.]+)\.localhost$/.exec(hostname) ?? []
    return handlers.has(scheme) ? `${scheme}://${host}${pathname}${search}` : address
  } catch {
    return address
  }
}

export async function stopServing() {
  if (serving) (await serving).close()
}

async function serve() {
  const server = createServer(async (request, response) => {
    const address = fromHttp(`http://${request.headers.host}${request.url}`)
    const handler = handlers.get(new URL(address).protocol.slice(0, -1))
    try {
      const answer = await handler(new Request(address, { method: request.method }))
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(Buffer.from(await answer.arrayBuffer()))
    } catch (fault) {
      response.writeHead(500)
      response.end(String(fault))
    }
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: server.address().port,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
