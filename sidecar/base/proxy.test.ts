import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { createWays, shownProxy, waysOf } from './proxy.ts'

const url = 'https://api.example.com/v1'
const ways = (env: NodeJS.ProcessEnv, setting = 'system', system = 'DIRECT') =>
  createWays({ environment: async () => env, setting: async () => setting, system: async () => system })
const first = async (target: string, env: NodeJS.ProcessEnv, own?: string, setting?: string, system?: string) =>
  (await ways(env, setting, system)(target, own))[0].proxy

describe('the environment', () => {
  it.each<[string, NodeJS.ProcessEnv, string | undefined, string | null]>([
    [url, {}, undefined, null],
    [url, { HTTPS_PROXY: 'http://p:1' }, undefined, 'http://p:1'],
    [url, { https_proxy: 'p:1' }, undefined, 'http://p:1'],
    [url, { HTTP_PROXY: 'http://p:1' }, undefined, null],
    [url, { ALL_PROXY: 'socks5://p:1' }, undefined, 'socks5://p:1'],
    ['http://models.lan/v1', { HTTP_PROXY: 'http://p:1' }, undefined, 'http://p:1'],
    [url, { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined, null],
    [url, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.test, .example.com' }, undefined, null],
    [url, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'example.com:443' }, undefined, null],
    [url, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'example.com:80,ample.com' }, undefined, 'http://p:1'],
    [url, { HTTPS_PROXY: 'http://p:1' }, '', null],
    [url, { HTTPS_PROXY: 'http://p:1' }, 'http://q:2', 'http://q:2'],
    [url, { NO_PROXY: '*' }, 'http://q:2', 'http://q:2'],
    [url, {}, 'me:secret@q:2', 'http://me:secret@q:2'],
  ])('for %s with %j and %j is %j', async (target, env, own, proxy) => {
    expect(await first(target, env, own)).toBe(proxy)
  })
})

test('who speaks first: the provider, the setting, the environment, the system', async () => {
  const env = { HTTPS_PROXY: 'http://e:1' }
  const sources = await Promise.all([
    ways(env, 'http://s:1', 'PROXY y:1')(url, 'http://o:1'),
    ways(env, 'http://s:1', 'PROXY y:1')(url),
    ways(env, 'system', 'PROXY y:1')(url),
    ways({}, 'system', 'PROXY y:1; DIRECT')(url),
    ways(env, 'none', 'PROXY y:1')(url),
    ways({ ...env, NO_PROXY: 'example.com' }, 'http://s:1', 'PROXY y:1')(url),
    ways(env, 's:1', 'PROXY y:1')(url),
  ])
  expect(sources.map(all => all.map(({ proxy, source }) => `${source} ${proxy}`))).toEqual([
    ['provider http://o:1'],
    ['setting http://s:1'],
    ['environment http://e:1'],
    ['system http://y:1', 'system null'],
    ['setting null'],
    ['environment null'],
    ['setting http://s:1'],
  ])
})

test('this machine itself is never asked through a proxy, whoever names one', async () => {
  const host = fc.constantFrom(
    'localhost',
    'a.localhost',
    'LOCALHOST',
    '127.0.0.1',
    '127.8.9.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
  )
  const some = fc.option(fc.constantFrom('http://p:1', ''), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(host, fc.nat(65535), some, async (name, port, own) => {
      const env = { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'http://p:1', ALL_PROXY: 'http://p:1' }
      for (const scheme of ['http', 'https'])
        expect(await first(`${scheme}://${name}:${port}/x`, env, own, 'http://s:1', 'PROXY y:1')).toBe(null)
    }),
  )
})

test('rules of a PAC file, whatever they say', () => {
  const of = (rules: string) => waysOf(rules).map(({ proxy }) => proxy)
  const all = ['http://a:1', 'https://b:2', 'socks5://c:3', null]
  expect(of('PROXY a:1; HTTPS b:2 ;SOCKS5 c:3;SOCKS4 d:4; SOCKS e:5; DIRECT')).toEqual(all)
  expect(of('SOCKS d:4; SOCKS4 e:5')).toEqual(['socks4://d:4', 'socks4://e:5'])
  expect(of('proxy [::1]:8080')).toEqual(['http://[::1]:8080'])
  expect([of(''), of('nonsense'), of('PROXY')]).toEqual([[null], [null], [null]])
  fc.assert(fc.property(fc.string(), rules => waysOf(rules).length > 0))
})

test('a proxy is never shown with its name and password', () => {
  expect(shownProxy('http://me:secret@p.example:3128/x?y')).toBe('http://p.example:3128')
  expect(shownProxy('not an address with secret')).toBe('the proxy')
})
