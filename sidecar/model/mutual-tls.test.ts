/** A server that wants to know who asks: real certificates, made here by openssl, and each way in which they do not fit. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchFor } from './network.ts'
import type { Provider } from './provider.ts'
import { type PlayedServer, startPlayedServer } from './server/server.case.ts'
import { tryProvider } from './try-provider.ts'

let folder: string
let behind: PlayedServer
let front: Server
let baseUrl: string
/** openssl's own server, of TLS 1.2: it refuses in the handshake, with an alert, where Node's closes without a word. */
let strict: ChildProcess
let strictUrl: string
const at = (name: string) => join(folder, name)
const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder, timeout: 20_000 })
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

const authority = (name: string) =>
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.pem`,
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
  )

async function certificate(name: string, signer: string): Promise<void> {
  await openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`)
  const signing = ['-CA', `${signer}.pem`, '-CAkey', `${signer}.key`, '-set_serial', '2', '-days', '2']
  await openssl('x509', '-req', '-in', `${name}.csr`, ...signing, '-out', `${name}.pem`)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-tls-'))
  await Promise.all([authority('ours'), authority('theirs')])
  await Promise.all([certificate('client', 'ours'), certificate('stranger', 'theirs')])
  const local = ['-addext', 'subjectAltName=IP:127.0.0.1']
  await openssl('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=server', ...local)
  await openssl(
    ...['x509', '-req', '-in', 'server.csr', '-CA', 'ours.pem', '-CAkey', 'ours.key', '-set_serial', '3'],
    ...['-days', '2', '-copy_extensions', 'copyall', '-out', 'server.pem'],
  )
  behind = await startPlayedServer({
    answer: () => ({ said: [{ text: 'one two three' }, { call: 'report', arguments: {} }] }),
  })
  const [cert, key, ca] = await Promise.all(['server.pem', 'server.key', 'ours.pem'].map(name => readFile(at(name))))
  front = createServer({ cert, key, ca, requestCert: true, rejectUnauthorized: true }, (asked, answer) => {
    const { method, headers, url } = asked
    const onward = request(`${behind.url}${url}`, { method, headers }, come => {
      answer.writeHead(come.statusCode ?? 502, come.headers)
      come.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    asked.pipe(onward)
  })
  await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
  baseUrl = `https://127.0.0.1:${(front.address() as AddressInfo).port}/v1`
  const checks = ['-CAfile', 'ours.pem', '-Verify', '1', '-verify_return_error', '-tls1_2']
  strict = spawn(
    'openssl',
    ['s_server', '-accept', '127.0.0.1:0', '-cert', 'server.pem', '-key', 'server.key', ...checks],
    {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: 60_000,
    },
  )
  strictUrl = await new Promise<string>((resolve, reject) => {
    let said = ''
    strict.stdout?.on('data', piece => {
      said += piece
      const [, port] = /ACCEPT 127\.0\.0\.1:(\d+)/.exec(said) ?? []
      if (port) resolve(`https://127.0.0.1:${port}/v1`)
    })
    strict.once('exit', code => reject(new Error(`openssl s_server ended with ${code}: ${said}`)))
  })
}, 60_000)
afterAll(async () => {
  strict?.kill('SIGKILL')
  front?.closeAllConnections()
  front?.close()
  await behind?.close()
  await rm(folder, { recursive: true, force: true })
})

const provider: Provider = { id: 'lan', label: 'LAN', dialect: 'openai-chat' } as Provider

interface Files {
  readonly certFile?: string
  readonly keyFile?: string
  readonly caFile?: string
}

async function trial(files: Files, url = baseUrl) {
  const certificate = Object.fromEntries(Object.entries(files).map(([kind, name]) => [kind, at(name)]))
  const fetch = await fetchFor(url, [{ proxy: null, source: 'system' }], certificate)
  return tryProvider({ provider, baseUrl: url, key: null, fetch }, 'lan/played', new AbortController().signal)
}
const own = { certFile: 'client.pem', keyFile: 'client.key', caFile: 'ours.pem' }

test('who shows the right certificate is answered', async () => {
  expect(await trial(own)).toMatchObject({ ok: true, tools: true })
})

const stranger = { ...own, certFile: 'stranger.pem', keyFile: 'stranger.key' }

test.each<[string, Files, RegExp, 'strict'?]>([
  [
    'none',
    { caFile: 'ours.pem' },
    /could not reach LAN.*HANDSHAKE_FAILURE.*Perhaps it wants another client certificate/,
    'strict',
  ],
  ['one of another authority', stranger, /did not accept the client certificate .*Check the certificate/, 'strict'],
  [
    'none to one that closes',
    { caFile: 'ours.pem' },
    /could not reach LAN.*Perhaps it wants another client certificate/,
  ],
  ['that of another to one that closes', stranger, /could not reach LAN.*Perhaps it wants another client certificate/],
  ['one with the key of another', { ...own, keyFile: 'stranger.key' }, /cannot be used together/],
  ['a key that is none', { ...own, keyFile: 'client.csr' }, /cannot be used together/],
  [
    'the right one to a server that nobody here trusts',
    { ...own, caFile: 'theirs.pem' },
    /shows a certificate that this machine does not trust/,
  ],
])('who shows %s is told what is wrong, and nothing is sent', async (_, files, words, strictly) => {
  const before = behind.asked.length
  const said = await trial(files, strictly ? strictUrl : baseUrl)
  expect(said).toMatchObject({ ok: false, failure: 'network', message: expect.stringMatching(words) })
  expect(said.message).not.toContain('PRIVATE KEY')
  expect(behind.asked).toHaveLength(before)
})
