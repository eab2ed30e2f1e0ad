/** Requests through a real SOCKS proxy on this machine: plain and encrypted, with a name and without, and what is told when it does not do its work. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createSocksProxyServer } from '@anthropic-ai/sandbox-runtime/dist/sandbox/socks-proxy.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Way } from '../base/proxy.ts'
import { fetchFor } from './network.ts'

/** Nobody's but the proxy's to resolve. */
const HOST = 'models.example.test'
const ends: (() => unknown)[] = []
let folder: string
let caFile: string
let [plain, sealed] = [0, 0]

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  ends.push(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Lets through to ports of ours; `token`: the password of the name `srt`. */
async function socksProxy(token?: string) {
  const seen: string[] = []
  const proxy = createSocksProxyServer({
    filter: (port, host) => seen.push(`${host}:${port}`) > 0 && [plain, sealed].includes(port),
    lookupFor: () => (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    ...(token === undefined ? {} : { proxyAuthToken: token }),
  })
  ends.push(() => proxy.close())
  return { at: `127.0.0.1:${await listening(createServer(socket => proxy.handleConnection(socket)))}`, seen }
}

const page: RequestListener = (request, response) => response.end(`asked ${request.headers.host}${request.url}`)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-socks-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  caFile = certFile
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=belay', '-addext', `subjectAltName=DNS:${HOST}`, '-keyout', keyFile, '-out', certFile],
  ])
  const [key, cert] = await Promise.all([keyFile, certFile].map(file => readFile(file)))
  plain = await listening(createHttp(page))
  sealed = await listening(createHttps({ key, cert }, page))
})
afterAll(async () => {
  for (const end of ends.reverse()) await end()
  await rm(folder, { recursive: true, force: true })
})

const way = (proxy: string, source: Way['source'] = 'environment'): Way => ({ proxy, source })
async function said(url: string, ...ways: Way[]): Promise<string> {
  const send = await fetchFor(url, ways, { caFile })
  return send(url, { signal: AbortSignal.timeout(15_000) }).then(
    response => response.text(),
    fault => `${fault.code}: ${fault.message}`,
  )
}

test('plain and encrypted requests go through it, by names that it resolves, with a name and a password and without', async () => {
  const warned: Error[] = []
  process.on('warning', warning => warned.push(warning))
  const [open, closed] = [await socksProxy(), await socksProxy('50%off')]
  for (const scheme of ['socks', 'socks5', 'socks5h']) {
    expect(await said(`http://${HOST}:${plain}/v1`, way(`${scheme}://${open.at}`))).toBe(`asked ${HOST}:${plain}/v1`)
    expect(await said(`https://${HOST}:${sealed}/v1`, way(`${scheme}://${open.at}`))).toBe(`asked ${HOST}:${sealed}/v1`)
  }
  expect(open.seen).toEqual(Array.from({ length: 3 }, () => [`${HOST}:${plain}`, `${HOST}:${sealed}`]).flat())
  expect(await said(`http://${HOST}:${plain}/v1`, way(`socks5://srt:50%off@${closed.at}`))).toMatch(/^asked/)
  expect(await said(`https://${HOST}:${sealed}/v1`, way(`socks5://srt:50%25off@${closed.at}`))).toMatch(/^asked/)
  expect(warned).toEqual([])
})

test('what it refuses is told by its address and who named it, and never with its password', async () => {
  const proxy = await socksProxy('secret')
  // As one answers who offers no name where one is wanted.
  const strict = await listening(createServer(socket => socket.once('data', () => socket.end(Buffer.from([5, 0xff])))))
  const named = (at: string) =>
    `network: The proxy socks5://${at} (named in the setting http.proxy) made no connection to ${HOST}`
  const url = `http://${HOST}:${plain}/`
  for (const [credentials, at] of [
    ['', `127.0.0.1:${strict}`],
    ['srt:wrong@', proxy.at],
  ] as const) {
    const words = await said(url, way(`socks5://${credentials}${at}`, 'setting'))
    expect(words).toContain(`${named(at)}:${plain}: it wants a name and a password that it knows. Nothing was sent`)
    expect(words).not.toContain('wrong')
  }
  expect(await said(`http://${HOST}:8443/`, way(`socks5://srt:secret@${proxy.at}`, 'setting'))).toContain(
    `${named(proxy.at)}:8443: its rules forbid it.`,
  )
  const stranger = `127.0.0.1:${plain}`
  expect(await said(url, way(`socks5://${stranger}`))).toContain(': it is no SOCKS 5 proxy.')
})

test('one that is not there is told; where the system names another way, that is gone', async () => {
  const gone = createServer()
  const dead = `socks5://127.0.0.1:${await listening(gone)}`
  gone.close()
  await once(gone, 'close')
  const url = `http://${HOST}:${plain}/`
  expect(await said(url, way(dead, 'system'))).toMatch(/could not be reached: nothing listens there\. Nothing was sent/)
  const living = await socksProxy()
  expect(await said(url, way(dead, 'system'), way(`socks5://${living.at}`, 'system'))).toMatch(/^asked/)
})
