import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createAccounts } from './accounts.ts'
import { listModels } from './listing.ts'
import { modelsAt } from './local-models.ts'
import { providers } from './provider.ts'

const open: { close(): void; closeAllConnections(): void }[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  open.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

test('the ids of a server that lists its models', async () => {
  const base = await serving((request, response) =>
    response.end(request.url === '/v1/models' ? '{"data":[{"id":"a"},{"id":7},{"id":"b"}]}' : ''),
  )
  expect(await modelsAt(base, 'openai', 5000)).toMatchObject([{ id: 'a' }, { id: 'b' }])
})

test.each<[string, RequestListener]>([
  ['an error', (_, response) => response.writeHead(500).end('{"data":[{"id":"a"}]}')],
  ['a redirection', (_, response) => response.writeHead(302, { location: 'http://example.com/' }).end()],
  ['no JSON', (_, response) => response.end('<html>')],
  [
    'half an answer',
    (_, response) => response.writeHead(200, { 'content-length': 99 }).write('{}', () => response.destroy()),
  ],
  ['no end', (_, response) => response.write('x'.repeat(5_000_000))],
  ['silence', () => {}],
])('null for %s', async (_, listener) => {
  expect(await modelsAt(await serving(listener), 'openai', 300)).toBe(null)
})

test('of Ollama the window a model runs with, what it takes, and no models that only embed', async () => {
  const told: Record<string, object> = {
    set: { capabilities: ['completion', 'tools'], parameters: 'stop "x"\nnum_ctx                        8192' },
    loaded: { capabilities: ['completion', 'vision'], parameters: 'num_ctx 8192' },
    trained: { model_info: { 'general.architecture': 'llama', 'llama.context_length': 131072 } },
    hosted: { remote_model: 'big', model_info: { 'general.architecture': 'g', 'g.context_length': 262144 } },
    embeds: { capabilities: ['embedding'] },
  }
  const models = [...Object.keys(told), 'silent'].map(name => ({ name }))
  const base = await serving(async (request, response) => {
    if (request.url === '/api/tags') return response.end(JSON.stringify({ models }))
    if (request.url === '/api/ps')
      return response.end(JSON.stringify({ models: [{ name: 'loaded', context_length: 4096 }, { name: 'other' }] }))
    let body = ''
    for await (const piece of request) body += piece
    const said = told[JSON.parse(body).model]
    return said && request.url === '/api/show' ? response.end(JSON.stringify(said)) : response.writeHead(404).end()
  })
  const found = [
    { id: 'set', contextTokens: 8192, tools: true, input: [] },
    { id: 'loaded', contextTokens: 4096, tools: false, input: ['image'] },
    { id: 'trained' },
    { id: 'hosted', contextTokens: 262144 },
    { id: 'silent' },
  ]
  expect(await modelsAt(base, 'ollama', 5000)).toEqual(found)
  expect(await listModels({ baseUrl: base, listing: 'ollama', headers: {}, timeoutMs: 5000 })).toEqual(found)
})

test('null where nothing listens', async () => {
  expect(await modelsAt('http://127.0.0.1:1/v1', 'openai', 300)).toBe(null)
})

test('a server of this machine is found without being named, one elsewhere is never looked for', async () => {
  let asked = 0
  const baseUrl = await serving((_, response) => {
    asked++
    response.end('{"data":[{"id":"a"}]}')
  })
  const found = async (url: string) => {
    const given = () => providers.filter(({ id }) => id === 'llamacpp').map(each => ({ ...each, baseUrl: url }))
    const accounts = createAccounts(
      async () => ({}),
      null,
      given,
      async () => null as never,
    )
    await accounts.probe()
    return [accounts.localModels(), (await accounts.infos(() => false))[0]?.state]
  }
  expect(await found(baseUrl)).toEqual([
    [{ provider: 'llamacpp', model: expect.objectContaining({ id: 'a' }) }],
    'ready',
  ])
  expect(await found(baseUrl.replace('127.0.0.1', '0.0.0.0'))).toEqual([[], 'unreachable'])
  expect(asked).toBe(1)
  const local = providers.filter(each => each.local).map(({ id, baseUrl }) => [id, baseUrl])
  expect(Object.fromEntries(local)).toEqual({
    ollama: 'http://127.0.0.1:11434/v1',
    lmstudio: 'http://127.0.0.1:1234/v1',
    llamacpp: 'http://127.0.0.1:8080/v1',
    vllm: 'http://127.0.0.1:8000/v1',
  })
})
