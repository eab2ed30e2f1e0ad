/** Real HTTP on loopback: what providers send, whole and broken, and what of it arrives. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { ChatEvent } from '#contract/chat-event'
import { isTerminal } from '#contract/chat-event'
import type { ModelRequest } from '../agent/ports.ts'
import { factsOf } from './catalog.ts'
import { anthropic } from './dialects/anthropic.ts'
import { openAiChat } from './dialects/openai-chat.ts'
import { allEvents } from './filter.ts'
import { type Provider, providers } from './provider.ts'
import { streamRemote } from './remote.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
})

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler)
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const provider = (id: string): Provider => {
  const found = providers.find(each => each.id === id)
  if (!found) throw new Error(id)
  return found
}
const request = (model: string): ModelRequest => ({
  model,
  effort: 'auto',
  system: 'be brief',
  messages: [{ role: 'user', text: 'hi', images: [] }],
  tools: [{ name: 'read', description: 'reads', parameters: { type: 'object' } }],
  maxOutputTokens: null,
})
const quick = { firstMs: 5000, idleMs: 5000, totalMs: 10_000 }

async function collect(id: string, handler: RequestListener, budgets = quick): Promise<ChatEvent[]> {
  const baseUrl = await listen(handler)
  const events: ChatEvent[] = []
  const account = { provider: provider(id), baseUrl, key: 'sk-secret-1234567890' }
  for await (const event of streamRemote(account, request(`${id}/some-model`), new AbortController().signal, {
    budgets,
    filter: allEvents,
  }))
    events.push(event)
  return events
}
const sse =
  (frames: (object | string)[], pieces?: (text: string) => string[]): RequestListener =>
  async (_, response) => {
    const text = frames
      .map(frame => (typeof frame === 'string' ? `data: ${frame}\n\n` : `event: x\ndata: ${JSON.stringify(frame)}\n\n`))
      .join('')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces?.(text) ?? [text]) response.write(piece)
    response.end()
  }
/** Event types with what they carry, deltas joined. */
const told = (events: ChatEvent[]): string[] => {
  const out: string[] = []
  for (const { type, text, toolCall, failure } of events) {
    const word = type.endsWith('_DELTA')
      ? `${type}:${text}`
      : toolCall
        ? `${type}:${toolCall.name}(${toolCall.arguments})`
        : failure
          ? `${type}:${failure.code}`
          : type
    const last = out.at(-1)
    if (type.endsWith('_DELTA') && last?.startsWith(`${type}:`)) out[out.length - 1] = `${last}${text}`
    else out.push(word)
  }
  return out
}

const anthropicFrames = [
  { type: 'message_start', message: { usage: { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'SIG' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hello ' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'wörld 你好' } },
  { type: 'content_block_stop', index: 1 },
  {
    type: 'content_block_start',
    index: 2,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} },
  },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"path":' } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '"a.ts"}' } },
  { type: 'content_block_stop', index: 2 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 25 } },
  { type: 'message_stop' },
]
const anthropicTold = [
  'RESPONSE_START',
  'STEP_START',
  'STATUS',
  'USAGE',
  'THINKING_START',
  'THINKING_DELTA:hm',
  'THINKING_SIGNATURE',
  'THINKING_END',
  'TEXT_START',
  'HEARTBEAT',
  'TEXT_DELTA:Hello wörld 你好',
  'TEXT_END',
  'TOOL_CALL_START:read()',
  'TOOL_CALL_ARGS_DELTA:{"path":"a.ts"}',
  'TOOL_CALL_END:read({"path":"a.ts"})',
  'USAGE',
  'STEP_END',
  'RESPONSE_END',
]

describe('Anthropic Messages', () => {
  it('maps every block and merges usage by field', async () => {
    const events = await collect('anthropic', sse(anthropicFrames))
    expect(told(events)).toEqual(anthropicTold)
    const end = events.at(-1)
    expect(end?.finish).toBe('tool')
    expect(end?.usage).toMatchObject({ input: 10, cacheRead: 90, output: 25, known: true })
    expect(events.map(event => event.seq)).toEqual(events.map((_, i) => i))
  })
  it('says the same whatever the split of the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 }), async sizes => {
        const cut = (text: string) => {
          const pieces: string[] = []
          for (let at = 0, i = 0; at < text.length; i++) {
            const size = sizes[i % sizes.length] as number
            pieces.push(text.slice(at, at + size))
            at += size
          }
          return pieces
        }
        expect(told(await collect('anthropic', sse(anthropicFrames, cut)))).toEqual(anthropicTold)
      }),
      { numRuns: 15 },
    )
  })
  it('ends with exactly one terminal event wherever the stream is cut', async () => {
    for (let length = 0; length < anthropicFrames.length; length++) {
      const events = await collect('anthropic', sse(anthropicFrames.slice(0, length)))
      expect(events.filter(event => isTerminal(event.type)).map(event => event.failure?.code)).toEqual([
        length === 0 ? 'protocol' : 'truncated',
      ])
      expect(events.at(-1)?.type).toBe('ERROR')
      const opened = events.filter(event => /^(TEXT|THINKING|TOOL_CALL)_START$/.test(event.type)).length
      const closed = events.filter(event => /^(TEXT|THINKING|TOOL_CALL)_END$/.test(event.type)).length
      expect(opened).toBe(closed)
    }
  })
  it('tells an error frame apart from a broken stream', async () => {
    const frames = [
      ...anthropicFrames.slice(0, 9),
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    ]
    expect((await collect('anthropic', sse(frames))).at(-1)?.failure?.code).toBe('overloaded')
  })
})

const chunk = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
})

describe('OpenAI Chat and compatible', () => {
  it('maps reasoning, text, parallel calls and usage in the last frame', async () => {
    const events = await collect(
      'openai',
      sse([
        chunk({ role: 'assistant', reasoning_content: 'let me see' }),
        chunk({ content: 'Hi' }),
        chunk({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'read', arguments: '' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }),
        chunk({ tool_calls: [{ index: 1, id: 'c2', function: { name: 'list', arguments: '{}' } }] }),
        chunk({}, 'tool_calls'),
        {
          choices: [],
          usage: { prompt_tokens: 100, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 60 } },
        },
        '[DONE]',
      ]),
    )
    expect(told(events)).toEqual([
      'RESPONSE_START',
      'STEP_START',
      'THINKING_START',
      'THINKING_DELTA:let me see',
      'THINKING_SIGNATURE',
      'THINKING_END',
      'TEXT_START',
      'TEXT_DELTA:Hi',
      'TEXT_END',
      'TOOL_CALL_START:read()',
      'TOOL_CALL_ARGS_DELTA:{"a":1}',
      'TOOL_CALL_START:list()',
      'TOOL_CALL_ARGS_DELTA:{}',
      'TOOL_CALL_END:read({"a":1})',
      'TOOL_CALL_END:list({})',
      'USAGE',
      'STEP_END',
      'RESPONSE_END',
    ])
    expect(events.at(-1)?.usage).toMatchObject({ input: 40, cacheRead: 60, output: 7 })
  })
  it('lives with servers that send no index, no [DONE] and no usage', async () => {
    const events = await collect(
      'lmstudio',
      sse([
        chunk({ tool_calls: [{ id: 'a', function: { name: 'read', arguments: '{"p":1}' } }] }),
        chunk({ tool_calls: [{ id: 'b', function: { name: 'list', arguments: '{}' } }] }),
        chunk({}, 'stop'),
      ]),
    )
    expect(told(events).filter(word => word.startsWith('TOOL_CALL_END'))).toEqual([
      'TOOL_CALL_END:read({"p":1})',
      'TOOL_CALL_END:list({})',
    ])
    expect(events.at(-1)).toMatchObject({ type: 'RESPONSE_END', usage: { known: false } })
  })
  it('keeps unknown and unreadable frames as RAW', async () => {
    const events = await collect(
      'openai',
      sse([{ object: 'new.thing' }, '{broken', chunk({ content: 'x' }), chunk({}, 'stop')]),
    )
    expect(told(events)).toContain('RAW')
    expect(events.at(-1)?.type).toBe('RESPONSE_END')
  })
})

describe('what can go wrong', () => {
  const answer =
    (
      status: number,
      body: string,
      headers: Record<string, string> = { 'content-type': 'application/json' },
    ): RequestListener =>
    (_, response) => {
      response.writeHead(status, headers)
      response.end(body)
    }
  const cases: [string, RequestListener, string, RegExp][] = [
    ['401', answer(401, '{"error":{"message":"invalid x-api-key sk-secret-1234567890"}}'), 'auth', /key/],
    ['404', answer(404, '{"error":{"message":"no such model"}}'), 'not_found', /no such model/],
    ['429', answer(429, '{}', { 'retry-after': '7', 'content-type': 'application/json' }), 'rate_limit', /429/],
    ['500', answer(500, 'oops'), 'overloaded', /500/],
    ['HTML with 200', answer(200, '<html>login</html>', { 'content-type': 'text/html' }), 'protocol', /web page/],
    ['HTML with 502', answer(502, '<html>bad gateway</html>', { 'content-type': 'text/html' }), 'overloaded', /502/],
    ['an empty body', answer(200, '', { 'content-type': 'text/event-stream' }), 'protocol', /nothing at all/],
    ['garbage', answer(200, 'what is this', { 'content-type': 'text/event-stream' }), 'protocol', /no event stream/],
    [
      'too long a prompt',
      answer(400, '{"error":{"message":"prompt is too long: 300000 tokens"}}'),
      'context_too_long',
      /longer/,
    ],
    [
      'no credit left',
      answer(429, '{"error":{"message":"You exceeded your current quota.","code":"insufficient_quota"}}'),
      'auth',
      /plan and billing/,
    ],
    [
      'a redirect',
      answer(302, '', { location: 'http://127.0.0.1:1/' }),
      'protocol',
      /127\.0\.0\.1:1\. Belay does not send a key on/,
    ],
  ]
  it.each(cases)('%s', async (_, handler, code, words) => {
    for (const id of ['anthropic', 'openai']) {
      const events = await collect(id, handler)
      expect(events.filter(event => isTerminal(event.type)).map(event => event.failure?.code)).toEqual([code])
      expect(events.at(-1)?.failure?.message).toMatch(words)
      expect(JSON.stringify(events)).not.toContain('sk-secret')
    }
  })
  it('reads Retry-After', async () => {
    const events = await collect('anthropic', cases[2]?.[1] as RequestListener)
    expect(events.at(-1)?.failure?.retryAfterMs).toBe(7000)
  })
  it('nobody listens', async () => {
    const events: ChatEvent[] = []
    const account = { provider: provider('openai'), baseUrl: 'http://127.0.0.1:9', key: 'k' }
    for await (const event of streamRemote(account, request('openai/x'), new AbortController().signal))
      events.push(event)
    expect(events.at(-1)?.failure?.code).toBe('network')
  })
  it('nothing for too long, and silence in the middle', async () => {
    const silent: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
    }
    const first = await collect('anthropic', silent, { firstMs: 150, idleMs: 5000, totalMs: 9000 })
    expect(first.at(-1)?.failure).toMatchObject({ code: 'timeout', message: expect.stringContaining('sent nothing') })
    const stalls: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(anthropicFrames[0])}\n\n`)
    }
    const idle = await collect('anthropic', stalls, { firstMs: 5000, idleMs: 150, totalMs: 9000 })
    expect(idle.at(-1)?.failure).toMatchObject({ code: 'timeout', message: expect.stringContaining('silent') })
  })
  it('closes the socket when the consumer aborts, before and after the answer began', async () => {
    for (const early of [true, false]) {
      let closed: () => void = () => {}
      const gone = new Promise<void>(resolve => {
        closed = resolve
      })
      const abort = new AbortController()
      const baseUrl = await listen((message, response) => {
        message.socket.on('close', closed)
        if (early) return abort.abort()
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(`data: ${JSON.stringify(anthropicFrames[0])}\n\n`)
      })
      const account = { provider: provider('anthropic'), baseUrl, key: 'k' }
      const types: string[] = []
      for await (const event of streamRemote(account, request('anthropic/x'), abort.signal, { budgets: quick })) {
        types.push(event.type)
        if (event.type === 'USAGE') abort.abort()
      }
      await gone
      expect(types.some(type => isTerminal(type as ChatEvent['type']))).toBe(false)
    }
  })
})

describe('requests', () => {
  const long: ModelRequest = {
    ...request('anthropic/claude-sonnet-4-5'),
    effort: 'high',
    messages: [
      { role: 'user', text: 'q', images: [{ mediaType: 'image/png', base64: 'AA==' }] },
      {
        role: 'assistant',
        parts: [
          {
            kind: 'reasoning',
            text: 'hm',
            redacted: false,
            opaque: { provider: 'anthropic', data: { signature: 'S' } },
          },
          { kind: 'reasoning', text: 'foreign', redacted: false, opaque: { provider: 'openai', data: {} } },
          { kind: 'text', text: 'a' },
          { kind: 'call', callId: 'call_1', tool: 'read', arguments: '{"path":"x"}' },
          { kind: 'call', callId: 'call_2', tool: 'read', arguments: '{broken' },
        ],
      },
      { role: 'tool', callId: 'call_1', tool: 'read', text: 'text', failed: false },
      { role: 'tool', callId: 'call_2', tool: 'read', text: '', failed: true },
    ],
  }
  it('Anthropic: results of parallel calls come in one message, own reasoning goes back signed', () => {
    const { messages, thinking } = JSON.parse(anthropic.body(long, factsOf(long.model)).json)
    expect(thinking).toEqual({ type: 'enabled', budget_tokens: 16_384 })
    expect(messages.map((message: { role: string }) => message.role)).toEqual(['user', 'assistant', 'user'])
    expect(messages[1].content.map((block: { type: string }) => block.type)).toEqual([
      'thinking',
      'text',
      'tool_use',
      'tool_use',
    ])
    expect(messages[2].content[1]).toMatchObject({ tool_use_id: 'call_2', is_error: true, content: '(empty)' })
  })
  it('OpenAI: one assistant message with its calls, then one message a result', () => {
    const { messages } = JSON.parse(openAiChat.body({ ...long, model: 'openai/gpt-5' }, factsOf('openai/gpt-5')).json)
    expect(messages.map((message: { role: string }) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
    ])
    expect(messages[2].tool_calls[1].function.arguments).toBe('{broken')
  })
})
