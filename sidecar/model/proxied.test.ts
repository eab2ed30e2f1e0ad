/** Requests through real proxies on this machine: how they are asked, and what a person is told when they do not do their work. */
import { once } from 'node:events'
import { request as ask, createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { Way } from '../base/proxy.ts'
import { fetchFor } from './network.ts'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})
async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  open.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
const page: RequestListener = (request, response) => response.end(`asked ${request.headers.host}${request.url}`)

/** Passes on to the server at `port`, whatever it was asked for, as long as who asks may. */
async function proxyTo(port: number, allowed: string | null = null) {
  const seen: string[] = []
  const isAllowed = ({ headers }: IncomingMessage) => allowed === null || headers['proxy-authorization'] === allowed
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    if (!isAllowed(request)) return void response.writeHead(407).end()
    const { pathname } = new URL(request.url ?? '')
    const onward = ask({ port, path: pathname, headers: { host: request.headers.host } }, answer =>
      answer.pipe(response),
    )
    request.pipe(onward)
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    seen.push(`CONNECT ${request.url}`)
    if (!isAllowed(request)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket)
      socket.pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  return { at: `127.0.0.1:${await listening(server)}`, seen }
}
const credentials = `Basic ${Buffer.from('me:se cret').toString('base64')}`
const deadPort = async () => {
  const server = createServer()
  const port = await listening(server)
  await new Promise(resolve => server.close(resolve))
  return port
}
const way = (proxy: string, source: Way['source'] = 'environment'): Way => ({ proxy, source })
async function said(url: string, ways: Way[]): Promise<string> {
  const send = await fetchFor(url, ways)
  return send(url, { signal: AbortSignal.timeout(5000) }).then(
    response => response.text(),
    fault => `${fault.code}: ${fault.message}`,
  )
}

it('what is not encrypted is handed over as it is, with name and password in a header', async () => {
  const proxy = await proxyTo(await listening(createServer(page)), credentials)
  expect(await said('http://models.example.test/v1', [way(`http://me:se%20cret@${proxy.at}`)])).toBe(
    'asked models.example.test/v1',
  )
  expect(proxy.seen).toEqual(['GET http://models.example.test/v1'])
})

it('a password that is written with a bare % is sent as it is', async () => {
  const bare = `Basic ${Buffer.from('me:50%off').toString('base64')}`
  const proxy = await proxyTo(await listening(createServer(page)), bare)
  const words = await said('http://models.example.test/v1', [way(`http://me:50%off@${proxy.at}`)])
  expect(words).toBe('asked models.example.test/v1')
})

it('https goes through a tunnel; a proxy that wants a name says so, by its address and who named it', async () => {
  const proxy = await proxyTo(await listening(createServer(page)), credentials)
  for (const scheme of ['http', 'https']) {
    const words = await said(`${scheme}://models.example.test/v1`, [way(`http://me:wrong@${proxy.at}`, 'system')])
    expect(words).toMatch(
      `network: The proxy http://${proxy.at} (named in the proxy settings of your system) answered 407 and did not let the request through to models.example.test.`,
    )
    expect(words).not.toMatch(/wrong|bWU6d3Jvbmc/)
  }
  expect(proxy.seen).toEqual(['GET http://models.example.test/v1', 'CONNECT models.example.test:443'])
  // Through the tunnel stands no server with a certificate: that fault is the other end's, not the proxy's.
  expect(await said('https://models.example.test/v1', [way(`http://me:se%20cret@${proxy.at}`)])).not.toMatch(/proxy/i)
})

it('a dead proxy is told with where it was named; where the system names another way, that is gone', async () => {
  const target = await listening(createServer(page))
  const dead = `http://me:secret@127.0.0.1:${await deadPort()}`
  for (const scheme of ['http', 'https']) {
    const words = await said(`${scheme}://models.example.test/`, [way(dead, 'setting')])
    expect(words).toMatch(
      /^network: The proxy http:\/\/127\.0\.0\.1:\d+ \(named in the setting http\.proxy\) could not be reached: nothing listens there\. Nothing was sent to models\.example\.test\./,
    )
    expect(words).not.toContain('secret')
  }
  const living = await proxyTo(target)
  const both = [way(dead, 'system'), way(`http://${living.at}`, 'system')]
  expect(await said('http://models.example.test/v1', both)).toBe('asked models.example.test/v1')
})
