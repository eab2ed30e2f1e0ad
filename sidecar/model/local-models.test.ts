import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { modelsAt } from './local-models.ts'

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

test('null where nothing listens', async () => {
  expect(await modelsAt('http://127.0.0.1:1/v1', 'openai', 300)).toBe(null)
})
