/** A real provider package of `ai@6`, over real HTTP, as a model of Belay. */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { afterEach, describe, expect, it } from 'vitest'
import type { ChatEvent } from '#contract/chat-event'
import type { ModelRequest } from '../agent/ports.ts'
import { draftsOfAiSdk } from './ai-sdk.ts'
import { FOREIGN_REASONING } from './dialect.ts'
import { streamModule } from './module.ts'
import { type Provider, providers } from './provider.ts'
import { respond } from './response.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})
async function serverAt(handler: RequestListener): Promise<string> {
  const server = createServer(handler)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}
async function modelAt(handler: RequestListener): Promise<LanguageModelV3> {
  const baseURL = await serverAt(handler)
  return createOpenAICompatible({ name: 'tail', baseURL, apiKey: 'sk-secret-1234567890', includeUsage: true })(
    'some-model',
  )
}
const request: ModelRequest = {
  model: 'tail/some-model',
  effort: 'auto',
  system: 'be brief',
  messages: [
    { role: 'user', text: 'hi', images: [] },
    { role: 'assistant', parts: [{ kind: 'call', callId: 'c1', tool: 'read', arguments: '{"path":"a"}' }] },
    { role: 'tool', callId: 'c1', tool: 'read', text: 'text of a', failed: false },
  ],
  tools: [{ name: 'read', description: 'reads', parameters: { type: 'object', properties: {} } }],
  maxOutputTokens: null,
}
async function played(model: LanguageModelV3, signal = new AbortController().signal): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of respond(draftsOfAiSdk(model, request, signal), signal)) events.push(event)
  return events
}
const types = (events: ChatEvent[]) => events.map(({ type }) => type).filter(type => type !== 'STATUS')
const chunk = (delta: object, finish: string | null = null) => ({
  id: 'x',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'some-model',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const sse =
  (...frames: object[]): RequestListener =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${frames.map(frame => `data: ${JSON.stringify(frame)}\n\n`).join('')}data: [DONE]\n\n`)
  }

describe('a module of the person’s own', () => {
  const file = fileURLToPath(import.meta.resolve('@ai-sdk/openai-compatible'))
  const spoken = async (module: { file: string; make: string }, baseUrl = 'http://127.0.0.1:1/v1') => {
    const provider = { ...(providers[0] as Provider), id: 'tail', label: 'Tail' }
    const account = { provider, baseUrl, key: 'sk-secret-1234567890' }
    const events: ChatEvent[] = []
    for await (const event of streamModule(account, module, request, new AbortController().signal)) events.push(event)
    return events
  }
  it('speaks with the key and the address of its provider, and no failure shows the key', async () => {
    const asked: string[] = []
    const baseUrl = await serverAt((incoming, response) => {
      asked.push(`${incoming.url} ${incoming.headers.authorization}`)
      if (asked.length === 1) return sse(chunk({ content: 'Hello' }), chunk({}, 'stop'))(incoming, response)
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(`{"error":{"message":"bad key sk-secret-1234567890"}}`)
    })
    const module = { file, make: 'createOpenAICompatible' }
    expect((await spoken(module, baseUrl)).at(-1)).toMatchObject({ type: 'RESPONSE_END', response: { text: 'Hello' } })
    expect(asked).toEqual(['/v1/chat/completions Bearer sk-secret-1234567890'])
    expect(JSON.stringify(await spoken(module, baseUrl))).not.toContain('sk-secret')
  })
  it.each([
    [{ file: '/nowhere/at/all.mjs', make: 'createX' }, /could not be used/],
    [{ file, make: 'createNothing' }, /exports no function createNothing/],
    [{ file: fileURLToPath(import.meta.resolve('eventsource-parser')), make: 'createParser' }, /could not be used/],
  ])('that is none is said: %j', async (module, words) => {
    const last = (await spoken(module)).at(-1)
    expect(last).toMatchObject({
      type: 'ERROR',
      failure: { code: 'unsupported', message: expect.stringMatching(words) },
    })
  })
})

describe('a provider package', () => {
  it('thinks, speaks, calls and counts through our events', async () => {
    let body = ''
    const frames = sse(
      chunk({ role: 'assistant', reasoning_content: 'hm' }),
      chunk({ content: 'Hel' }),
      chunk({ content: 'lo' }),
      chunk({
        tool_calls: [{ index: 0, id: 'c2', type: 'function', function: { name: 'read', arguments: '{"path":' } }],
      }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"b"}' } }] }),
      chunk({}, 'tool_calls'),
      {
        ...chunk({}),
        choices: [],
        usage: {
          prompt_tokens: 10,
          completion_tokens: 3,
          total_tokens: 13,
          prompt_tokens_details: { cached_tokens: 4 },
        },
      },
    )
    const model = await modelAt(async (incoming, response) => {
      for await (const piece of incoming) body += piece
      frames(incoming, response)
    })
    const events = await played(model)
    expect(types(events)).toEqual([
      'RESPONSE_START',
      'STEP_START',
      'THINKING_START',
      'THINKING_DELTA',
      'THINKING_END',
      'TEXT_START',
      'TEXT_DELTA',
      'TEXT_DELTA',
      'TEXT_END',
      'TOOL_CALL_START',
      'TOOL_CALL_ARGS_DELTA',
      'TOOL_CALL_ARGS_DELTA',
      'TOOL_CALL_END',
      'USAGE',
      'STEP_END',
      'RESPONSE_END',
    ])
    expect(events.at(-1)).toMatchObject({
      finish: 'tool',
      usage: { input: 6, cacheRead: 4, output: 3, known: true },
      response: { text: 'Hello', thinking: 'hm', toolCalls: [{ id: 'c2', name: 'read', arguments: '{"path":"b"}' }] },
    })
    expect(JSON.parse(body).messages.map((each: { role: string }) => each.role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
    ])
  })

  it('says in our words what went wrong, and no key', async () => {
    const model = await modelAt((_, response) => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '7' })
      response.end('{"error":{"message":"slow down"}}')
    })
    const last = (await played(model)).at(-1)
    expect(last?.failure).toMatchObject({ code: 'rate_limit', retryAfterMs: 7000 })
    expect(JSON.stringify(last)).not.toContain('sk-secret')
  })

  it('a stream that breaks off is truncated, what came is kept', async () => {
    const model = await modelAt((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(chunk({ content: 'half' }))}\n\n`, () => response.destroy())
    })
    const last = (await played(model)).at(-1)
    expect(last?.type).toBe('ERROR')
    expect(last?.response?.text).toBe('half')
  })

  it('stopping closes its socket', async () => {
    const stop = new AbortController()
    let closed: () => void = () => {}
    const gone = new Promise<void>(resolve => {
      closed = resolve
    })
    const model = await modelAt((_, response) => {
      response.on('close', closed)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(chunk({ content: 'x' }))}\n\n`)
    })
    for await (const { type } of respond(draftsOfAiSdk(model, request, stop.signal), stop.signal))
      if (type === 'TEXT_DELTA') stop.abort()
    await gone
  })

  function later<T>() {
    let resolve: (value: T) => void = () => {}
    const promise = new Promise<T>(resolved => {
      resolve = resolved
    })
    return { promise, resolve }
  }
  /** A package that hears no signal. */
  const deaf = (doStream: (options: unknown) => unknown) =>
    ({ provider: 'tail', doStream }) as unknown as LanguageModelV3
  const silent = () => {
    const cancelled = later<void>()
    const stream = new ReadableStream<LanguageModelV3StreamPart>({ cancel: () => cancelled.resolve() })
    return { stream, cancelled: cancelled.promise }
  }
  it('that hangs, before its answer or within it, is left alone in time', async () => {
    const budgets = { firstMs: 150, idleMs: 150, totalMs: 5000 }
    const { stream, cancelled } = silent()
    for (const model of [deaf(() => new Promise(() => {})), deaf(async () => ({ stream }))]) {
      const { signal } = new AbortController()
      const events: ChatEvent[] = []
      for await (const event of respond(draftsOfAiSdk(model, request, signal, { budgetsOf: () => budgets }), signal))
        events.push(event)
      expect(events.at(-1)).toMatchObject({
        ...{ type: 'ERROR', failure: { code: 'timeout', message: expect.stringContaining('sent nothing') } },
      })
    }
    await cancelled
  })
  it('stopped, it is left at once, and what it answers after that is closed', async () => {
    const answered = later<object>()
    const stop = new AbortController()
    const playing = played(
      deaf(() => {
        stop.abort()
        return answered.promise
      }),
      stop.signal,
    )
    expect((await playing).map(({ type }) => type)).toEqual(['RESPONSE_START', 'STEP_START'])
    const { stream, cancelled } = silent()
    answered.resolve({ stream })
    await cancelled
  })
  it('is not sent what another model thought, and that is said', async () => {
    let sent: unknown
    const model = deaf(async options => {
      sent = options
      return { stream: new ReadableStream({ start: controller => controller.close() }) }
    })
    const opaque = { provider: 'anthropic', data: { signature: 'S' } }
    const thought: ModelRequest['messages'][number] = {
      role: 'assistant',
      parts: [{ kind: 'reasoning', text: 'hm', redacted: false, opaque }],
    }
    const { signal } = new AbortController()
    const events: ChatEvent[] = []
    const asked = { ...request, messages: [...request.messages, thought] }
    for await (const event of respond(draftsOfAiSdk(model, asked, signal), signal)) events.push(event)
    expect(events.find(({ type }) => type === 'STATUS')).toMatchObject({ subType: 'dropped', text: FOREIGN_REASONING })
    expect(JSON.stringify(sent)).not.toMatch(/hm|"S"/)
  })

  it('its own tools, files and sources are ours too', async () => {
    const parts: LanguageModelV3StreamPart[] = [
      { type: 'stream-start', warnings: [{ type: 'other', message: 'no temperature here' }] },
      { type: 'tool-call', toolCallId: 's1', toolName: 'web_search', input: '{"q":1}', providerExecuted: true },
      { type: 'tool-result', toolCallId: 's1', toolName: 'web_search', result: { hits: 1 } },
      { type: 'source', sourceType: 'url', id: '1', url: 'https://example.org', title: 'E' },
      { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2]) },
      { type: 'raw', rawValue: { odd: true } },
      {
        type: 'finish',
        finishReason: { unified: 'content-filter', raw: 'safety' },
        usage: {
          inputTokens: { total: 5, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: 1, text: 1, reasoning: undefined },
        },
      },
    ]
    const stream = new ReadableStream<LanguageModelV3StreamPart>({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        controller.close()
      },
    })
    const model = { provider: 'tail', doStream: async () => ({ stream }) } as unknown as LanguageModelV3
    const events = await played(model)
    expect(events.find(({ type }) => type === 'STATUS')?.text).toBe('no temperature here')
    expect(types(events).slice(2, -2)).toEqual([
      'SERVER_TOOL_START',
      'SERVER_TOOL_RESULT',
      'CITATION',
      'MEDIA_DONE',
      'CONTENT_FILTER',
      'USAGE',
    ])
    expect(events.at(-1)).toMatchObject({ finish: 'filter', usage: { input: 5, output: 1 } })
  })
})
