/** Requests for `app://`: what is answered, what is refused, and that every answer carries the page's rules. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appAnswers } from './app-answers.ts'

let base = ''
let answer: ReturnType<typeof appAnswers>
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'belay-app-'))
  const folder = join(base, 'renderer')
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(base, 'secret.txt'), 'secret')
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  await writeFile(join(folder, '.hidden'), 'secret')
  for (const name of ['a.js', 'a.css', 'a.svg', 'a.wasm', 'a.woff2', 'a.json', 'a.unknown'])
    await writeFile(join(folder, 'assets', name), 'x')
  await symlink(join(base, 'secret.txt'), join(folder, 'assets', 'link.txt'))
  await symlink(base, join(folder, 'up'))
  answer = appAnswers(folder)
})
afterAll(() => rm(base, { recursive: true, force: true }))

const got = (path: string, init?: RequestInit) => answer(new Request(`app://belay${path}`, init))

/** The whole of it: what may go is seen here first. */
const rules = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), payment=()',
}

test('each file with its media type; a type that is not known is never guessed', async () => {
  const types = async (...names: string[]) =>
    Promise.all(names.map(async name => (await got(`/assets/${name}`)).headers.get('content-type')))
  expect(await types('a.js', 'a.css', 'a.svg', 'a.wasm', 'a.woff2', 'a.json', 'a.unknown')).toEqual([
    'text/javascript; charset=utf-8',
    'text/css; charset=utf-8',
    'image/svg+xml',
    'application/wasm',
    'font/woff2',
    'application/json; charset=utf-8',
    'application/octet-stream',
  ])
  expect((await got('/')).headers.get('content-type')).toBe('text/html; charset=utf-8')
  const head = await got('/index.html', { method: 'HEAD' })
  expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', '15'])
})

test.each([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/%2E%2E%2fsecret.txt',
  '/..%2fsecret.txt',
  '/assets/..%2f..%2f..%2fsecret.txt',
  '/..%5csecret.txt',
  '/%252e%252e/secret.txt',
  '//etc/passwd',
  '/%2fetc/passwd',
  '/assets/link.txt',
  '/up/secret.txt',
  '/.hidden',
  '/%00index.html',
  '/index.html%00.js',
  '/index.html/',
  '/assets',
  '/assets/',
  '/C:%5cWindows',
  '/c:/windows',
  '/%ff',
  '/missing.js',
])('%s leads nowhere, and says so under the same rules', async path => {
  const refused = await got(path)
  expect([refused.status, await refused.text()]).toEqual([404, ''])
  expect(Object.fromEntries(refused.headers)).toMatchObject(rules)
})

test('another host, a name before the host, another method: refused under the same rules', async () => {
  // A `Request` cannot carry a name before the host, a request of Electron’s could.
  const named = { url: 'app://me@belay/index.html', method: 'GET' } as Request
  for (const request of [new Request('app://other/index.html'), new Request('app://belay.evil/index.html'), named])
    expect((await answer(request)).status).toBe(404)
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND']) {
    const refused = await got('/index.html', { method })
    expect([method, refused.status]).toEqual([method, 405])
    expect(Object.fromEntries(refused.headers)).toMatchObject(rules)
  }
})

test('the policy: own scripts only, trusted types, no object, no base, no frame, nothing to connect to', async () => {
  for (const path of ['/index.html', '/assets/a.js', '/missing']) {
    const policy = (await got(path)).headers.get('content-security-policy') ?? ''
    const directives = new Map(policy.split('; ').map(each => [each.split(' ')[0], each.split(' ').slice(1).join(' ')]))
    expect(Object.fromEntries([...directives].filter(([name]) => name !== 'trusted-types'))).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self' 'unsafe-inline'",
      'img-src': "'self' data: blob:",
      'font-src': "'self' data:",
      'connect-src': "'self'",
      'worker-src': "'self'",
      'manifest-src': "'self'",
      'frame-src': "'none'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
    })
    expect(directives.get('trusted-types')).not.toContain('*')
  }
})
