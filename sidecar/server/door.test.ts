/** The browser form for a person's other devices: TLS by real certificates, a password, and whom neither lets in. */

import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { type HostContract, hostContract } from '../contract/index.ts'
import { noUpdates } from '../supervise/no-updates.ts'
import { MAX_BODY_BYTES } from './login.ts'
import { createPassword } from './password.ts'
import type { Service } from './service.ts'
import { createSite } from './site.ts'
import { readTlsFiles, type TlsFiles } from './tls-files.ts'
import { createWebGateway, type WebGateway } from './web.ts'

const PASSWORD = 'a rope of twelve strands'
const at = (name: string) => join(folder, name)
let folder: string
let tls: TlsFiles

const certificate = (name: string, names: string) =>
  promisify(execFile)(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
      ...['-subj', '/CN=belay', '-addext', `subjectAltName=${names}`],
      ...['-keyout', at(`${name}.key`), '-out', at(`${name}.pem`)],
    ],
    { timeout: 20_000 },
  )

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-door-'))
  await mkdir(at('renderer'))
  await writeFile(at('renderer/index.html'), '<!doctype html><title>Belay</title>')
  await certificate('desk', 'DNS:desk.example,DNS:*.rope.example,IP:192.0.2.7')
  await certificate('other', 'DNS:other.example')
  tls = await readTlsFiles({ cert: at('desk.pem'), key: at('desk.key') })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let gateway: WebGateway | null = null
afterEach(async () => {
  await gateway?.close()
  gateway = null
})
const open = async () => {
  gateway = await createWebGateway({
    ...{ staticFolder: at('renderer'), port: 0, tls, password: await createPassword(PASSWORD) },
    hostService: () => ({
      contract: hostContract,
      handlers: { host: {} as Service<HostContract>['handlers']['host'], update: noUpdates },
      attach: () => () => {},
    }),
    ...{ target: () => null, onTargetChanged: () => () => {}, version: '0', epoch: 'e', log: () => {} },
  })
  return gateway
}

interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: string
}
const ask = (method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { port = 0 } = gateway ?? {}
    const own = { Host: `desk.example:${port}`, ...headers }
    const where = { host: '127.0.0.1', port, servername: 'desk.example', ca: tls.cert, method, path }
    const sent = request({ ...where, headers: own, timeout: 10_000 }, response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
const origin = () => `https://desk.example:${gateway?.port}`
const login = (password: string, headers: Record<string, string> = {}) =>
  ask(
    'POST',
    '/login',
    { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin(), ...headers },
    new URLSearchParams({ password }).toString(),
  )
const cookieOf = ({ headers }: Answer) => String(headers['set-cookie']).split(';')[0] ?? ''

test('without a cookie the password is asked for; right, it lets in, over TLS alone, also a WebSocket', async () => {
  await open()
  const asked = await ask('GET', '/')
  expect(asked.status).toBe(401)
  expect(asked.body).toContain('type="password"')
  expect(asked.headers['content-security-policy']).toContain("form-action 'self'")
  const wrong = await login('not the password at all <script>')
  expect(wrong.status).toBe(401)
  expect(wrong.body).not.toContain('<script>')
  expect(wrong.headers['set-cookie']).toBeUndefined()

  const right = await login(PASSWORD)
  expect(right.status).toBe(303)
  expect(right.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Strict; Path=\/; Secure$/)
  const page = await ask('GET', '/', { Cookie: cookieOf(right) })
  expect(page.status).toBe(200)
  expect(page.headers['content-security-policy']).toContain(`connect-src 'self' wss://desk.example:${gateway?.port};`)
  const socket = new WebSocket(`wss://127.0.0.1:${gateway?.port}/wire`, {
    headers: { Host: `desk.example:${gateway?.port}`, Origin: origin(), Cookie: cookieOf(right) },
    rejectUnauthorized: false,
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.terminate()
  // Each device has a session of its own; a printed link goes on working.
  expect(cookieOf(await login(PASSWORD))).not.toBe(cookieOf(right))
  const link = new URL(gateway?.mintUrl(null) ?? '')
  expect(link.origin).toBe(`https://127.0.0.1:${gateway?.port}`)
})

test('a password that is not sent from our own page, as a form, or is too long, is none', async () => {
  await open()
  expect((await login(PASSWORD, { Origin: 'https://evil.example' })).status).toBe(403)
  expect((await login(PASSWORD, { Origin: origin().replace('https', 'http') })).status).toBe(403)
  expect((await login(PASSWORD, { Host: 'evil.example', Origin: 'https://evil.example' })).status).toBe(403)
  expect((await login(PASSWORD, { 'Content-Type': 'application/json' })).status).toBe(400)
  expect((await login('x'.repeat(100_000)).catch(() => ({ status: 400 }))).status).toBe(400)
  expect((await ask('GET', '/login')).status).toBe(401)
  expect((await login(PASSWORD)).status).toBe(303)
})

test('after a few wrong ones everybody waits, longer each time, and the right one is not told from a wrong one', async () => {
  let now = 0
  const password = await createPassword(PASSWORD, () => now)
  for (let each = 0; each < 5; each++) expect(await password.check('wrong')).toEqual({ right: false })
  expect(await password.check(PASSWORD)).toEqual({ waitMs: 1000 })
  now += 1000
  expect(await password.check('wrong')).toEqual({ right: false })
  expect(await password.check(PASSWORD)).toEqual({ waitMs: 2000 })
  now += 2000
  expect(await password.check(PASSWORD)).toEqual({ right: true })
  expect(await password.check('wrong')).toEqual({ right: false })
  // A crowd of guesses is not reckoned in a crowd.
  const crowd = await Promise.all(Array.from({ length: 20 }, () => password.check('wrong')))
  expect(crowd.filter(answer => 'right' in answer)).toHaveLength(1)
})

test('a password that could never be entered is refused before anything is started', async () => {
  await expect(createPassword('short\n')).rejects.toThrow('needs 12')
  await expect(createPassword(`${PASSWORD}\nand a second line`)).rejects.toThrow('one line')
  await expect(createPassword('长'.repeat(901))).rejects.toThrow('at most 900')
  // The longest fits into a form; an editor of Windows puts a mark before its text.
  const longest = '长'.repeat(900)
  expect(await (await createPassword(`\ufeff${longest}\r\n`)).check(longest)).toEqual({ right: true })
  expect(`password=${encodeURIComponent(longest)}`.length).toBeLessThanOrEqual(MAX_BODY_BYTES)
  const password = await createPassword(longest)
  expect(await password.check(`${longest}x`)).toEqual({ right: false })
})

describe('files that a person names', () => {
  test('a certificate is read with its names; what does not fit is said before anything is started', async () => {
    expect(tls.names).toEqual(['desk.example', '*.rope.example', '192.0.2.7'])
    const files = { cert: at('desk.pem'), key: at('desk.key') }
    await expect(readTlsFiles({ ...files, key: at('other.key') })).rejects.toThrow('is not the key of')
    await expect(readTlsFiles({ ...files, cert: at('desk.key') })).rejects.toThrow('no certificate in PEM form')
    await expect(readTlsFiles({ ...files, cert: at('none.pem') })).rejects.toThrow('ENOENT')
    await expect(readTlsFiles(files, new Date(Date.now() + 3 * 86_400_000))).rejects.toThrow('ended on')
    await writeFile(at('open.key'), await readFile(at('desk.key')))
    await chmod(at('open.key'), 0o644)
    if (process.platform !== 'win32')
      await expect(readTlsFiles({ ...files, key: at('open.key') })).rejects.toThrow('chmod 600')
  })
})

test('a site is called by its own names alone, at its own port', () => {
  const site = createSite({ address: '0.0.0.0', port: 4711, tls })
  for (const host of [
    'desk.example',
    'DESK.example',
    'any.rope.example',
    '192.0.2.7',
    '127.0.0.1',
    'localhost',
    '[::1]',
  ])
    expect(site.owns(`${host}:4711`), host).toBe(true)
  for (const host of [
    'rope.example',
    'a.b.rope.example',
    'desk.example.evil.example',
    'user@desk.example',
    '192.0.2.8',
  ])
    expect(site.owns(`${host}:4711`), host).toBe(false)
  for (const host of ['desk.example', 'desk.example:443', 'desk.example:80', '', 'desk.example:4711/x', undefined])
    expect(site.owns(host), host).toBe(false)
  expect(site.address).toBe('https://desk.example:4711')
  expect(createSite({ address: '0.0.0.0', port: 443, tls }).owns('desk.example')).toBe(true)
  expect(createSite({ address: '0.0.0.0', port: 443, tls }).address).toBe('https://desk.example')
  const loopback = createSite({ address: '127.0.0.1', port: 4711, tls: null })
  expect(loopback.address).toBe('http://127.0.0.1:4711')
  expect(loopback.owns('192.0.2.7:4711')).toBe(false)
  // Another address of this machine is listened at alone, so it is what the link says.
  const at = (address: string) => createSite({ address, port: 4711, tls: null })
  expect(at('127.0.0.2').address).toBe('http://127.0.0.2:4711')
  expect(at('127.0.0.2').owns('127.0.0.2:4711')).toBe(true)
  expect(at('::1').address).toBe('http://[::1]:4711')
  expect(at('localhost').address).toBe('http://localhost:4711')
  // As a certificate writes them, and as a browser does.
  const named = createSite({ address: '192.0.2.9', port: 4711, tls: { ...tls, names: ['2001:db8:0:0:0:0:0:7', '%'] } })
  expect([named.owns('[2001:db8::7]:4711'), named.owns('%:4711'), named.address]).toEqual([
    ...[true, false, 'https://[2001:db8:0:0:0:0:0:7]:4711'],
  ])
})
