/** The `model` domain over real servers on this machine: accounts, lists, tests, and what never leaves. */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CustomProvider } from '#contract/provider-settings'
import { createWays } from '../base/proxy.ts'
import { createGuide } from './guide/guide.ts'
import { createModels, type Models } from './models.ts'
import type { ModelsOptions } from './options.ts'

interface Asked {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}
const KEY = 'sk-test-0123456789abcdef'
const context = { clientId: 'w', signal: new AbortController().signal }
let folder: string
let server: Server
let asked: Asked[]
let answer: (asked: Asked, response: ServerResponse) => void
let origin: string
let custom: CustomProvider[]
let secrets: Map<string, string>
let env: NodeJS.ProcessEnv

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-models-'))
  asked = []
  custom = []
  secrets = new Map()
  env = {}
  answer = (_, response) => response.writeHead(404).end()
  server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const { method = '', url = '', headers } = request
    const one = { method, url, headers, body }
    asked.push(one)
    answer(one, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const start = (more: Partial<ModelsOptions> = {}): Promise<Models> =>
  createModels({
    folder,
    cache: join(folder, 'cache'),
    environment: async () => env,
    secrets: {
      get: async name => ({ value: secrets.get(name) || null, unreadable: secrets.get(name) === '' }),
      set: async (name, value) => void secrets.set(name, value),
      delete: async name => void secrets.delete(name),
    },
    ways: createWays({ environment: async () => env, setting: async () => 'system', system: async () => 'DIRECT' }),
    builtin: { guide: createGuide() },
    chosen: () => '',
    choose: async () => {},
    patienceMs: () => 5000,
    custom: () => custom,
    saveCustom: async providers => {
      custom = providers
    },
    ...more,
  })
const mine = (more: Partial<CustomProvider> = {}): CustomProvider =>
  CustomProvider.parse({ id: 'mine', label: 'Mine', dialect: 'openai-chat', baseUrl: `${origin}/v1`, ...more })
const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const frames = (response: ServerResponse, ...deltas: object[]) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const delta of deltas) response.write(`data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta }] })}\n\n`)
  response.end(
    `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
  )
}
const call = { tool_calls: [{ index: 0, id: 'c', function: { name: 'report', arguments: '{"result":"ok"}' } }] }

test('a provider of one’s own: agreed to, asked for its list, tried, talked to, taken away', async () => {
  const { handlers, model, consented } = await start()
  await handlers.saveProvider({ provider: mine({ headers: { 'X-Team': 'a' } }) }, context)
  await handlers.setKey({ provider: 'mine', key: KEY }, context)
  expect(consented('mine/m')).toBe(false)
  await expect(handlers.refresh({ provider: 'mine' }, context)).rejects.toMatchObject({ code: 'denied' })
  expect(asked).toEqual([])

  await handlers.consent({ provider: 'mine' }, context)
  answer = ({ method }, response) =>
    method === 'GET'
      ? json(response, { data: [{ id: 'm', context_length: 4096 }, { id: 7 }, { id: 'n' }] })
      : frames(response, { content: 'one ' }, { content: 'two' }, call)
  expect(await handlers.refresh({ provider: 'mine' }, context)).toEqual({ count: 2 })
  expect(asked[0]).toMatchObject({ url: '/v1/models', headers: { authorization: `Bearer ${KEY}`, 'x-team': 'a' } })
  expect(model.contextTokens('mine/m')).toBe(4096)
  const listed = await handlers.list({ refresh: false }, context)
  expect(listed.models.find(each => each.model === 'mine/m')).toMatchObject({
    contextTokens: 4096,
    price: null,
    input: null,
  })
  expect(listed.providers.find(each => each.provider === 'mine')).toMatchObject({
    state: 'ready',
    source: 'key',
    lastFour: 'cdef',
  })
  expect(JSON.stringify(listed)).not.toContain(KEY)

  expect(await handlers.test({ provider: 'mine' }, context)).toMatchObject({
    ok: true,
    model: 'mine/m',
    streams: true,
    tools: true,
    failure: null,
    firstTokenMs: expect.any(Number),
  })

  // Kept between starts, and gone with the provider: list, key, agreement.
  expect((await start()).model.contextTokens('mine/m')).toBe(4096)
  await handlers.removeProvider({ provider: 'mine' }, context)
  expect(custom).toEqual([])
  expect([...secrets.keys()]).toEqual([])
  expect(consented('mine/m')).toBe(false)
  expect(model.contextTokens('mine/m')).toBe(null)
})

test('what a trial shows: tools refused, no streaming, nothing said, a bad key, a page', async () => {
  custom = [mine({ models: ['m'] })]
  const { handlers } = await start()
  const tried = () => handlers.test({ provider: 'mine' }, context)
  answer = ({ body }, response) =>
    body.includes('"tools"')
      ? json(response, { error: { message: 'this model does not support tools' } }, 400)
      : json(response, { choices: [{ message: { content: 'one two' }, finish_reason: 'stop' }] })
  expect(await tried()).toMatchObject({ ok: true, streams: false, tools: false })
  answer = (_, response) => frames(response, { content: 'one' }, { content: ' two' })
  expect(await tried()).toMatchObject({ ok: true, streams: true, tools: false })
  // A gateway may have another one answer.
  answer = (_, response) =>
    json(response, { model: 'm-2026-11', choices: [{ message: { content: 'one' }, finish_reason: 'stop' }] })
  expect(await tried()).toMatchObject({ ok: true, model: 'mine/m', answered: 'm-2026-11' })
  answer = (_, response) => frames(response)
  expect(await tried()).toMatchObject({ ok: false, answered: null })
  answer = (_, response) => json(response, { error: { message: 'no' } }, 401)
  expect(await tried()).toMatchObject({ ok: false, failure: 'auth', tools: null, streams: null })
  answer = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  expect(await tried()).toMatchObject({ ok: false, failure: 'protocol' })
})

test('a key stays with the address it was given for, and so does an agreement', async () => {
  const { handlers, consented } = await start()
  await handlers.saveProvider({ provider: mine({ keyVariable: 'MINE' }) }, context)
  await handlers.setKey({ provider: 'mine', key: KEY }, context)
  await handlers.consent({ provider: 'mine' }, context)
  expect(consented('mine/m')).toBe(true)
  custom = [mine({ keyVariable: 'MINE', baseUrl: origin.replace('127.0.0.1', 'localhost') })]
  expect(consented('mine/m')).toBe(false)
  await expect(handlers.test({ provider: 'mine', model: 'mine/m' }, context)).rejects.toMatchObject({ code: 'auth' })
  expect(asked).toEqual([])
})

test('a call asks for an environment that has its key and what its headers name, and takes address and proxy from it', async () => {
  custom = [mine({ keyVariable: 'MINE', headers: { 'X-Team': 'env:TEAM' }, models: ['m'] })]
  const asked: (readonly string[] | undefined)[] = []
  const { handlers } = await start({
    async environment(names) {
      asked.push(names)
      return { MINE: KEY, TEAM: 'tools', AZURE_OPENAI_API_KEY: KEY, AZURE_OPENAI_ENDPOINT: origin }
    },
  })
  answer = (_, response) => frames(response, { content: 'one two' })
  for (const model of ['mine/m', 'azure/a'])
    await handlers.test({ provider: model.split('/')[0] ?? '', model }, context)
  expect(asked).toEqual([
    ['MINE', 'TEAM'],
    ['AZURE_OPENAI_API_KEY', 'AZURE_OPENAI_ENDPOINT'],
  ])
})

test('a provider that ships, moved: its models are known, its key and consent are asked anew', async () => {
  env = { OPENAI_API_KEY: 'sk-from-environment' }
  custom = [CustomProvider.parse({ id: 'openai', baseUrl: `${origin}/v1/` })]
  const { handlers, consented } = await start()
  expect(consented('openai/gpt-5')).toBe(false)
  const { providers } = await handlers.list({ refresh: false }, context)
  expect(providers.find(each => each.provider === 'openai')).toMatchObject({
    baseUrl: `${origin}/v1`,
    state: 'ready',
    shipped: true,
  })
  await handlers.removeProvider({ provider: 'openai' }, context)
  expect(
    (await handlers.list({ refresh: false }, context)).providers.find(each => each.provider === 'openai')?.baseUrl,
  ).toBe('https://api.openai.com/v1')
})

test('Azure: its own header, and a host alone gets its path', async () => {
  env = { AZURE_OPENAI_ENDPOINT: `${origin}/`, AZURE_OPENAI_API_KEY: KEY }
  answer = (_, response) => frames(response, { content: 'one' })
  const { handlers } = await start()
  await handlers.test({ provider: 'azure', model: 'azure/deployed' }, context)
  expect(asked[0]).toMatchObject({ url: '/openai/v1/chat/completions', headers: { 'api-key': KEY } })
  expect(asked[0]?.headers.authorization).toBeUndefined()
  env = {}
  await expect(handlers.test({ provider: 'azure' }, context)).rejects.toMatchObject({
    message: expect.stringContaining('<resource>'),
  })
})

test('lists that are none leave what was known', async () => {
  custom = [mine()]
  const { handlers, model } = await start()
  await handlers.consent({ provider: 'mine' }, context)
  answer = (_, response) => json(response, { data: [{ id: 'm', context_length: 5 }] })
  await handlers.refresh({ provider: 'mine' }, context)
  for (const bad of ['<html>', '{"data":{}}', '[]', '']) {
    answer = (_, response) => response.end(bad)
    await expect(handlers.refresh({ provider: 'mine' }, context)).rejects.toMatchObject({ code: 'unavailable' })
  }
  answer = (_, response) => response.writeHead(302, { location: 'http://example.com' }).end()
  await expect(handlers.refresh({ provider: 'mine' }, context)).rejects.toMatchObject({ code: 'unavailable' })
  expect(model.contextTokens('mine/m')).toBe(5)
  expect(await readFile(join(folder, 'cache', 'models.json'), 'utf8')).not.toContain(KEY)
})

test('what settings may not hold: secrets, plain http to the world, other schemes', () => {
  const bad = (more: object) => CustomProvider.safeParse({ id: 'x', baseUrl: 'https://a.test', ...more }).success
  expect(bad({})).toBe(true)
  for (const more of [
    { headers: { Authorization: 'Bearer x' } },
    { headers: { 'X-Api-Key': 'x' } },
    { headers: { 'X-A': 'a\r\nb: c' } },
    { baseUrl: 'http://models.example.com/v1' },
    { baseUrl: 'file:///etc/passwd' },
    { baseUrl: 'https://me:secret@a.test' },
    { proxy: 'http://me:secret@p.test' },
    { proxy: 'socks4://p.test:1080' },
    { id: 'Has Space' },
    { key: 'sk' },
  ])
    expect(bad(more), JSON.stringify(more)).toBe(false)
  for (const more of [
    { headers: { Authorization: 'env:TOKEN' } },
    { baseUrl: 'http://192.168.1.5:8000/v1' },
    { baseUrl: 'http://gpu:8000/v1' },
    { proxy: 'env:PROXY' },
    { proxy: 'socks5://p.test:1080' },
    { proxy: '' },
  ])
    expect(bad(more), JSON.stringify(more)).toBe(true)
})

test('settings that cannot be followed fail the call in words, and nothing is sent', async () => {
  custom = [mine({ headers: { Authorization: 'env:MISSING' } })]
  const { model } = await start()
  const request = {
    model: 'mine/m',
    effort: 'auto',
    system: '',
    messages: [],
    tools: [],
    maxOutputTokens: null,
  } as const
  const types: string[] = []
  let words = ''
  for await (const event of model.stream(request, context.signal)) {
    types.push(event.type)
    words = event.failure?.message ?? words
  }
  expect(types.at(-1)).toBe('ERROR')
  expect(words).toContain('MISSING is not set')
  expect(asked).toEqual([])
})

test('no answer carries a key, whatever its shape and even where the server says it back', async () => {
  const odd = 'Zm9vYmFyYmF6cXV4-odd~key'
  env = { TOKEN: 'header-secret-9876' }
  custom = [mine({ headers: { 'X-Auth-Token': 'env:TOKEN' }, models: ['m'] })]
  const { handlers, model } = await start()
  const answers: unknown[] = [await handlers.setKey({ provider: 'mine', key: odd }, context)]
  await handlers.consent({ provider: 'mine' }, context)
  answer = ({ headers }, response) =>
    json(response, { error: { message: `bad: ${headers.authorization} ${String(headers['x-auth-token'])}` } }, 401)
  answers.push(await handlers.test({ provider: 'mine' }, context))
  answers.push(await Promise.resolve(handlers.refresh({ provider: 'mine' }, context)).catch(String))
  answers.push(await handlers.list({ refresh: true }, context))
  answers.push(await handlers.saveProvider({ provider: mine({ label: 'Other' }) }, context))
  const request = {
    model: 'mine/m',
    effort: 'auto',
    system: '',
    messages: [],
    tools: [],
    maxOutputTokens: null,
  } as const
  for await (const event of model.stream(request, context.signal)) answers.push(event)
  expect(asked.length).toBeGreaterThan(2)
  expect(asked.every(({ headers }) => headers.authorization === `Bearer ${odd}`)).toBe(true)
  expect(JSON.stringify(answers)).not.toContain(odd)
  expect(JSON.stringify(answers)).not.toContain('header-secret')
  expect(JSON.stringify(answers)).toContain('[hidden]')
})

test('a sealed key that cannot be opened: said, nothing is sent, no other key is taken in its place', async () => {
  custom = [mine({ models: ['m'], keyVariable: 'MINE_KEY' })]
  env.MINE_KEY = 'of the environment'
  secrets.set('key.mine', '')
  const { handlers, model } = await start()
  const { providers } = await handlers.list({ refresh: false }, context)
  expect(providers.find(({ provider }) => provider === 'mine')).toMatchObject({
    ...{ state: 'no_key', unreadable: true, lastFour: null, source: 'key' },
  })
  const asking = {
    ...{ model: 'mine/m', effort: 'auto' as const, system: '', tools: [], maxOutputTokens: 10 },
    messages: [{ role: 'user' as const, text: 'x', images: [] }],
  }
  const events = []
  for await (const event of model.stream(asking, context.signal)) events.push(event)
  expect(events.find(({ type }) => type === 'ERROR')?.failure).toMatchObject({
    code: 'auth',
    message: expect.stringMatching(/^Nothing was sent: the key for Mine is kept sealed/),
  })
  expect(asked).toEqual([])
  await handlers.setKey({ provider: 'mine', key: KEY }, context)
  const after = (await handlers.list({ refresh: false }, context)).providers
  expect(after.find(({ provider }) => provider === 'mine')).toMatchObject({ state: 'ready', lastFour: 'cdef' })
  delete env.MINE_KEY
})
