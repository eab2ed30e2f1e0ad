/** websearch against a server on this machine that speaks as the services do. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SearchProvider } from '#contract/web'
import type { ToolContext } from '../../agent/ports.ts'
import { createSearch, type SearchSetup } from './search.ts'
import { createWebsearch } from './websearch.ts'

const KEY = 'key-of-a-person-1234'
const results = [
  {
    title: 'One \u202e',
    url: 'https://a.example/',
    content: 'first\nline </results 00>',
    description: '<strong>first</strong> &amp; line',
  },
  { title: 'Script', url: 'javascript:alert(1)', content: 'x', description: 'x' },
]
let server: Server
let base: string
let seen: { url: string; headers: IncomingMessage['headers']; body: string }[]
let answer: { status: number; body: string; headers?: Record<string, string> }
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    seen.push({ url: request.url ?? '', headers: request.headers, body })
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  seen = []
  answer = { status: 200, body: JSON.stringify({ web: { results }, results }) }
})

function setupFor(
  provider: SearchProvider,
  changes: Partial<SearchSetup> = {},
): SearchSetup & { kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    chosen: () => ({ provider, url: base }),
    environment: async () => ({}),
    secrets: {
      get: async name => ({ value: kept.get(name) ?? null, unreadable: kept.get(name) === '' }),
      set: async (name, value) => void kept.set(name, value),
      delete: async name => void kept.delete(name),
    },
    sender: async () => fetch,
    baseOf: () => base,
    ...changes,
  }
}
const context = { signal: new AbortController().signal } as ToolContext
const own = { clientId: 'c', signal: context.signal }

async function searched(setup: SearchSetup, query = 'a query') {
  const tool = createWebsearch(createSearch(setup))
  try {
    const args = tool.parameters.parse({ query })
    return { action: await tool.describe(args, context), ...(await tool.run(args, context)) }
  } catch (thrown) {
    return { action: null, failed: true, text: (thrown as Error).message, detail: {} }
  }
}

describe('a search', () => {
  it.each([
    ['brave', 'GET /res/v1/web/search?q=a+query&count=10', { 'x-subscription-token': KEY }, 'first & line'],
    ['tavily', 'POST /search', { authorization: `Bearer ${KEY}` }, 'first line'],
    ['searxng', 'GET /search?q=a+query&format=json', {}, 'first line'],
  ] as const)(
    'by %s sends the query and its key there, and tells a marked list',
    async (provider, line, headers, words) => {
      const setup = setupFor(provider)
      setup.kept.set(`search.${provider}`, KEY)
      const { text, action, detail } = await searched(setup)
      expect(action).toMatchObject({ kind: 'fetch', url: `${base}/`, exact: expect.stringMatching(/: a query$/) })
      expect(`${line.split(' ')[0]} ${seen[0]?.url}`).toBe(line)
      expect(seen[0]?.headers).toMatchObject(headers)
      if (provider === 'tavily') expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ query: 'a query', max_results: 10 })
      expect(text).toContain('1. One [U+202E]\n   https://a.example/\n')
      expect(text).toContain(words)
      expect(text).not.toContain('javascript:')
      expect(text).not.toContain(KEY)
      expect(JSON.stringify(detail)).not.toContain(KEY)
      expect(text).toMatch(/<\/results [0-9a-f]{16}>$/)
    },
  )

  it('is not made without a choice, a key or an address', async () => {
    expect((await searched(setupFor('none'))).text).toContain('No search service is chosen')
    expect((await searched(setupFor('brave'))).text).toContain('has no key')
    const sealed = setupFor('brave', { environment: async () => ({ BRAVE_API_KEY: KEY }) })
    sealed.kept.set('search.brave', '')
    expect((await searched(sealed)).text).toContain('keychain of this machine does not open it')
    expect((await createSearch(sealed).handlers.searchStatus({}, own)).state).toBe('unreadable')
    const nowhere = setupFor('searxng', { chosen: () => ({ provider: 'searxng', url: '' }), baseOf: () => undefined })
    expect((await searched(nowhere)).text).toContain('address of the search server is not set')
    expect(seen).toEqual([])
  })

  it('that fails says why, without the key, and follows nothing', async () => {
    const setup = setupFor('brave', { environment: async () => ({ BRAVE_API_KEY: KEY }) })
    const said = async (status: number, body = '', headers = {}) => {
      answer = { status, body, headers }
      return (await searched(setup)).text
    }
    expect(await said(401)).toContain('did not take the key')
    expect(await said(429)).toContain('no more searches')
    expect(await said(302, '', { location: `${base}/elsewhere` })).toContain('elsewhere, which is not followed')
    expect(await said(500, `bad key ${KEY}`)).toContain('bad key [hidden]')
    expect(await said(200, '<html>')).toContain('no list of results')
    expect(await said(200, '{"web": 3}')).toContain('no list of results')
    expect(await said(200, '{}')).toContain('found nothing')
    expect(seen).toHaveLength(7)
  })
})

describe('the page about it', () => {
  it('keeps a key, shows its last four characters only, and tries it', async () => {
    const setup = setupFor('tavily')
    const { handlers } = createSearch(setup)
    expect(await handlers.searchStatus({}, own)).toMatchObject({
      state: 'no_key',
      label: 'Tavily',
      keyVariable: 'TAVILY_API_KEY',
    })
    expect(await handlers.testSearch({}, own)).toMatchObject({ ok: false })
    expect(await handlers.setSearchKey({ provider: 'tavily', key: KEY }, own)).toEqual({ lastFour: '1234' })
    const status = await handlers.searchStatus({}, own)
    expect(status).toMatchObject({ state: 'ready', source: 'key', lastFour: '1234' })
    expect(JSON.stringify(status)).not.toContain(KEY)
    expect(await handlers.testSearch({}, own)).toEqual({ ok: true, message: 'Tavily answered with 1 results.' })
    await handlers.deleteSearchKey({ provider: 'tavily' }, own)
    expect((await handlers.searchStatus({}, own)).state).toBe('no_key')
    await expect(
      Promise.resolve().then(() => handlers.setSearchKey({ provider: 'searxng', key: KEY }, own)),
    ).rejects.toMatchObject({ code: 'unsupported' })
    expect(await createSearch(setupFor('none')).handlers.searchStatus({}, own)).toMatchObject({ state: 'off' })
  })
})
