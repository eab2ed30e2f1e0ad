import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, test } from 'vitest'
import { fetchFor, fromEnvironment, proxyFor } from './network.ts'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})
async function serving(listener: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  open.push(server)
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

describe('the proxy', () => {
  const url = 'https://api.example.com/v1'
  it.each<[string, NodeJS.ProcessEnv, string | undefined, string | null]>([
    [url, {}, undefined, null],
    [url, { HTTPS_PROXY: 'http://p:1' }, undefined, 'http://p:1'],
    [url, { https_proxy: 'p:1' }, undefined, 'http://p:1'],
    [url, { HTTP_PROXY: 'http://p:1' }, undefined, null],
    [url, { ALL_PROXY: 'http://p:1' }, undefined, 'http://p:1'],
    ['http://models.lan/v1', { HTTP_PROXY: 'http://p:1' }, undefined, 'http://p:1'],
    [url, { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined, null],
    [url, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.test, .example.com' }, undefined, null],
    [url, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'example.com:443' }, undefined, null],
    [url, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'example.com:80,ample.com' }, undefined, 'http://p:1'],
    [url, { HTTPS_PROXY: 'http://p:1' }, '', null],
    [url, { HTTPS_PROXY: 'http://p:1', MINE: 'http://q:2' }, 'env:MINE', 'http://q:2'],
    [url, { NO_PROXY: '*' }, 'http://q:2', 'http://q:2'],
    ['http://localhost:1234/v1', { HTTP_PROXY: 'http://p:1' }, 'http://q:2', null],
    ['http://127.0.0.1:1/v1', { HTTP_PROXY: 'http://p:1' }, undefined, null],
    ['http://[::1]:1/v1', { ALL_PROXY: 'http://p:1' }, undefined, null],
  ])('for %s with %j and %j is %j', (target, env, own, proxy) => {
    expect(proxyFor(target, env, own)).toBe(proxy)
  })

  it('carries the request, with its own name and password in a header', async () => {
    const seen: IncomingMessage[] = []
    const target = await serving((request, response) => response.end(`asked ${request.headers.host}`))
    const proxy = await serving((_, response) => response.end())
    proxy.server.on('connect', (request: IncomingMessage, socket) => {
      seen.push(request)
      const onward = connect(target.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        onward.pipe(socket)
        socket.pipe(onward)
      })
      onward.on('error', () => socket.destroy())
      socket.on('error', () => onward.destroy())
    })
    const env = { HTTP_PROXY: `http://me:se%20cret@127.0.0.1:${proxy.port}` }
    const send = await fetchFor('http://models.example.test/v1', {}, env)
    const response = await send('http://models.example.test/v1', { signal: AbortSignal.timeout(4000) })
    expect(await response.text()).toBe('asked models.example.test')
    expect(seen[0]?.url).toBe('models.example.test:80')
    expect(seen[0]?.headers['proxy-authorization']).toBe(`Basic ${Buffer.from('me:se cret').toString('base64')}`)
  })

  it('of another kind is refused in words, and none means the plain way', async () => {
    await expect(fetchFor('https://a.test', {}, { ALL_PROXY: 'socks5://p:1' })).rejects.toMatchObject({
      code: 'unsupported',
    })
    expect(await fetchFor('https://a.test', {}, {})).toBe(fetch)
    expect(await fetchFor('http://127.0.0.1:9', {}, { HTTP_PROXY: 'http://p:1' })).toBe(fetch)
  })
})

test('a certificate that cannot be read is told by its name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'belay-pem-'))
  try {
    const certFile = join(folder, 'missing.pem')
    await expect(fetchFor('https://a.test', { certificate: { certFile } }, {})).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('missing.pem'),
    })
    await writeFile(certFile, 'no certificate')
    const send = await fetchFor('https://127.0.0.1:1', { certificate: { caFile: certFile } }, {})
    await expect(send('https://127.0.0.1:1', { signal: AbortSignal.timeout(4000) })).rejects.toThrow()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('env:NAME is read each time, and its absence told', () => {
  expect(fromEnvironment('plain', {})).toBe('plain')
  expect(fromEnvironment('env:A', { A: 'x' })).toBe('x')
  expect(() => fromEnvironment('env:A', {})).toThrow(/A is not set/)
})
