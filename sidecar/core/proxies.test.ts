import { expect, test } from 'vitest'
import { createProxies, parentProxyOf } from './proxies.ts'

const url = 'https://api.example.com/v1'

test('the setting may name a variable; a system that does not answer is no obstacle', async () => {
  const ways = (setting: string, system: Parameters<typeof createProxies>[0]['system']) =>
    createProxies({ environment: async () => ({ MINE: 'http://me:secret@m:1' }), setting: () => setting, system })(url)
  expect(await ways('env:MINE', null)).toEqual([{ proxy: 'http://me:secret@m:1', source: 'setting' }])
  await expect(ways('env:NONE', null)).rejects.toMatchObject({
    message: expect.stringContaining('NONE is not set in your environment. Set it, or change the setting http.proxy.'),
  })
  expect(await ways('system', async () => 'PROXY s:1')).toEqual([{ proxy: 'http://s:1', source: 'system' }])
  for (const system of [null, () => Promise.reject(new Error('gone'))])
    expect(await ways('system', system)).toEqual([{ proxy: null, source: 'system' }])
})

test('who has an environment already is asked nothing more, unless the setting names what it lacks', async () => {
  let asked = 0
  const ways = (setting: string) =>
    createProxies({
      ...{ setting: () => setting, system: null },
      environment: async () => {
        asked++
        return { MINE: 'http://m:1' }
      },
    })(url, undefined, { HTTPS_PROXY: 'http://e:1' })
  expect(await ways('system')).toEqual([{ proxy: 'http://e:1', source: 'environment' }])
  expect(asked).toBe(0)
  expect(await ways('env:MINE')).toEqual([{ proxy: 'http://m:1', source: 'setting' }])
  expect(asked).toBe(1)
})

test('the way out of a jail is the same, as far as no system is asked', () => {
  const env = { HTTPS_PROXY: 'http://e:1', NO_PROXY: 'a.test', MINE: 'http://m:1', BARE: 'm:2' }
  expect(parentProxyOf(env, 'system')).toEqual({ http: undefined, https: 'http://e:1', noProxy: 'a.test' })
  expect(parentProxyOf(env, 'http://s:1')).toEqual({ http: 'http://s:1', https: 'http://s:1', noProxy: 'a.test' })
  expect(parentProxyOf(env, 'env:MINE').https).toBe('http://m:1')
  expect(parentProxyOf(env, 'env:BARE').https).toBe('http://m:2')
  expect(parentProxyOf(env, 'none')).toEqual({ noProxy: '*' })
  expect(() => parentProxyOf(env, 'env:NONE')).toThrow(/NONE is not set/)
})
