/** Every dialect over real HTTP: what is said arrives, whatever the protocol calls it and however the bytes travel. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatEvent, ChatResponse } from '#contract/chat-event'
import type { DialectName } from '../provider.ts'
import type { PlayedAnswer, Said } from '../server/script.case.ts'
import { type PlayedServer, startPlayedServer } from '../server/server.case.ts'
import { expectLawful, hear, hearPieces, KEY, names, piecesOfAnswer, told } from '../server/talk.case.ts'

let server: PlayedServer
beforeAll(async () => {
  server = await startPlayedServer()
})
afterAll(() => server.close())

const only = (...dialects: DialectName[]) => dialects
const call = (name: string, id: string | null, given: object, pieces?: string[]) => ({
  call: name,
  id,
  arguments: given,
  ...(pieces ? { pieces } : {}),
})
const two = [
  call('read', 'call_a', { path: 'a.ts' }, ['{"pa', 'th":"a.ts"}']),
  call('list', 'call_b', { path: 'b' }, ['{"path"', ':"b"}']),
]
const source = { url: 'https://example.org/a', title: 'A', quote: 'so it is' }
const found = [
  { url: 'https://example.org/1', title: 'One' },
  { url: 'https://example.org/2', title: 'Two' },
]

interface Case {
  readonly said: readonly Said[]
  readonly finish?: 'length'
  /** What the whole comes to; null: the protocol has no such thing. */
  readonly whole: (name: DialectName) => Partial<ChatResponse> | null
  readonly types?: (name: DialectName) => readonly string[]
}
const cases: Readonly<Record<string, Case>> = {
  text: {
    said: [{ text: ['Hello ', 'wörld ', '你好 🙂'] }],
    whole: () => ({
      text: 'Hello wörld 你好 🙂',
      blocks: [{ text: 'Hello wörld 你好 🙂' }],
      finish: 'stop',
      toolCalls: [],
    }),
    types: () => ['TEXT_START', 'TEXT_DELTA', 'TEXT_END'],
  },
  thinking: {
    said: [{ thinking: ['let me ', 'see'], signature: 'SIG' }, { text: 'ok' }],
    whole: () => ({ thinking: 'let me see', text: 'ok', finish: 'stop' }),
    types: () => ['THINKING_START', 'THINKING_DELTA', 'THINKING_SIGNATURE', 'THINKING_END', 'TEXT_START'],
  },
  'hidden thinking': {
    said: [{ redacted: 'c2VjcmV0' }, { text: 'ok' }],
    whole: name => (only('anthropic', 'openai-responses').includes(name) ? { thinking: '', text: 'ok' } : null),
    types: name => [name === 'anthropic' ? 'THINKING_REDACTED' : 'THINKING_SIGNATURE'],
  },
  'a tool': {
    said: [{ text: 'I look.' }, ...two.slice(0, 1)],
    whole: () => ({
      text: 'I look.',
      toolCalls: [{ id: 'call_a', name: 'read', arguments: '{"path":"a.ts"}' }],
      finish: 'tool',
    }),
    types: () => ['TEXT_END', 'TOOL_CALL_START', 'TOOL_CALL_ARGS_DELTA', 'TOOL_CALL_END'],
  },
  'parallel calls, their pieces in turn': {
    said: [{ parallel: two }],
    whole: () => ({
      toolCalls: [
        { id: 'call_a', name: 'read', arguments: '{"path":"a.ts"}' },
        { id: 'call_b', name: 'list', arguments: '{"path":"b"}' },
      ],
      finish: 'tool',
    }),
  },
  'calls without ids': {
    said: [{ parallel: [call('read', null, { path: 'a' }), call('read', null, { path: 'b' })] }],
    whole: name =>
      only('openai-chat', 'gemini', 'ollama').includes(name)
        ? {
            toolCalls: [
              { id: null, name: 'read', arguments: '{"path":"a"}' },
              { id: null, name: 'read', arguments: '{"path":"b"}' },
            ],
          }
        : null,
  },
  citations: {
    said: [{ text: 'It is so.', citations: [source, source] }],
    whole: name => {
      if (name === 'ollama') return null
      const quote = only('anthropic', 'openai-chat').includes(name) ? source.quote : null
      return {
        text: 'It is so.',
        citations: [
          { ...source, quote },
          { ...source, quote },
        ],
      }
    },
  },
  'a search at the provider': {
    said: [{ search: 'so', results: found }, { text: 'It is so.' }],
    whole: name => {
      if (only('openai-chat', 'ollama').includes(name)) return null
      const title = (each: { url: string; title: string }) => (name === 'openai-responses' ? each.url : each.title)
      return {
        text: 'It is so.',
        searchResults: found.map(each => ({ url: each.url, title: title(each), snippet: null })),
        toolCalls: [],
        finish: 'stop',
      }
    },
    types: () => ['SERVER_TOOL_START', 'SERVER_TOOL_ARGS_DELTA', 'SEARCH_RESULT', 'SERVER_TOOL_RESULT'],
  },
  'a refusal': {
    said: [{ refusal: 'I will not.' }],
    whole: name =>
      only('gemini', 'ollama').includes(name)
        ? { text: 'I will not.', finish: 'stop' }
        : { refusal: 'I will not.', text: '', finish: 'refusal' },
  },
  'a filter': {
    said: [{ text: 'How to' }, { filter: 'PROHIBITED_CONTENT' }],
    whole: name => (name === 'ollama' ? null : { text: 'How to', finish: name === 'anthropic' ? 'refusal' : 'filter' }),
    types: name => (name === 'anthropic' ? [] : ['CONTENT_FILTER']),
  },
  'a filter before anything': {
    said: [{ filter: 'SAFETY' }],
    whole: name => (name === 'gemini' ? { text: '', finish: 'filter' } : null),
    types: () => ['CONTENT_FILTER'],
  },
  'no more room': {
    said: [{ text: 'and then' }],
    finish: 'length',
    whole: () => ({ text: 'and then', finish: 'length' }),
  },
  'frames nobody knows': {
    said: [
      { text: 'a' },
      { raw: { strange: 1, type: 'response.new.thing', object: 'new.thing' } },
      { raw: '{broken' },
      { text: 'b' },
    ],
    whole: () => ({ text: 'ab', finish: 'stop' }),
    types: () => ['RAW'],
  },
  'nothing at all': { said: [], whole: () => ({ text: '', blocks: [], finish: 'stop' }) },
}
const everything: readonly Said[] = [
  { thinking: ['hm ', 'ja'], signature: 'SIG' },
  { text: ['Grüße ', '你好 🙂'] },
  { ping: true },
  { parallel: two },
]
const whole = (events: readonly ChatEvent[]) => events.at(-1)?.response

describe.each(names)('%s', name => {
  const shown = Object.entries(cases).filter(([, { whole: expected }]) => expected(name) !== null)
  it.each(shown)('%s', async (_, { said, finish, whole: expected, types }) => {
    const events = await hear(server, name, { said, ...(finish ? { finish } : {}) })
    expectLawful(events)
    expect(events.at(-1)).toMatchObject({ type: 'RESPONSE_END', failure: null })
    expect(whole(events)).toMatchObject(expected(name) ?? {})
    const order = events.map(({ type }) => type as string)
    let at = -1
    for (const type of types?.(name) ?? []) {
      at = order.indexOf(type, at + 1)
      expect(at, `${type} in ${order.join(' ')}`).toBeGreaterThanOrEqual(0)
    }
  })

  it('counts: cached and thought apart, or says that nobody told', async () => {
    const usage = { input: 1000, output: 70, cacheRead: 900, reasoning: 50 }
    const known = await hear(server, name, { said: [{ text: 'a' }], usage })
    const told = { anthropic: { reasoning: 0 }, ollama: { input: 1000, cacheRead: 0, reasoning: 0 } }
    const expected = { input: 100, output: 70, cacheRead: 900, reasoning: 50, known: true }
    expect(known.at(-1)?.usage).toMatchObject({ ...expected, ...told[name as keyof typeof told] })
    const unknown = await hear(server, name, { said: [{ text: 'a' }], usage: null })
    expect(unknown.at(-1)?.usage?.known).toBe(false)
  })

  it('says which model answered, also where it does not stream', async () => {
    for (const whole of [false, true]) {
      const events = await hear(server, name, { said: [{ text: 'a' }], sending: { whole } })
      expect(events.at(-1)).toMatchObject({ type: 'RESPONSE_END', providerModel: 'some-model' })
    }
  })

  it('an error within a 200 keeps what was said', async () => {
    const kind = name === 'gemini' ? 'unavailable' : name === 'openai-responses' ? 'server_error' : 'overloaded_error'
    const events = await hear(server, name, { said: [{ text: 'half' }, { error: kind, message: 'Too busy' }] })
    expectLawful(events)
    expect(events.at(-1)).toMatchObject({
      type: 'ERROR',
      failure: { code: name === 'ollama' ? 'bad_request' : 'overloaded', message: expect.stringContaining('Too busy') },
      response: { text: 'half' },
    })
  })

  it('the same, however the bytes travel', async () => {
    const plain = told(await hear(server, name, { said: everything }))
    expect(plain.filter(word => word.startsWith('TOOL_CALL_END'))).toHaveLength(2)
    const ways: PlayedAnswer['sending'][] = [
      { lineEnd: '\r\n', byteOrderMark: true, comments: true },
      { pieces: [7, 2, 3, 64] },
      ...(name === 'ollama' ? [] : [{ lineEnd: '\r', comments: true } as const]),
    ]
    for (const sending of ways)
      expect(told(await hear(server, name, { said: everything, sending })), JSON.stringify(sending)).toEqual(plain)
  })

  it('the same, byte by byte', async () => {
    const said: Said[] = [{ text: 'wö🙂' }, two[0] as Said]
    const plain = told(await hear(server, name, { said }))
    const sending = { lineEnd: '\r\n', byteOrderMark: true, pieces: [1] } as const
    expect(told(await hear(server, name, { said, sending }))).toEqual(plain)
  })

  it('the same from a server that does not stream', async () => {
    const said: Said[] = [{ thinking: 'hm', signature: 'SIG' }, { text: 'ok' }, two[0] as Said]
    const streamed = whole(await hear(server, name, { said }))
    const events = await hear(server, name, { said, sending: { whole: true } })
    expectLawful(events)
    expect(whole(events)).toEqual(streamed)
  })

  it('cut off anywhere, it ends once, with what there was, and says so', async () => {
    const frames = piecesOfAnswer(name, { said: everything }).length
    expect(frames).toBe(1)
    for (let cutAfter = 0; ; cutAfter++) {
      const events = await hear(server, name, { said: everything, sending: { cutAfter } })
      expectLawful(events)
      if (events.at(-1)?.type === 'RESPONSE_END') break
      expect(events.at(-1)?.failure?.code).toBe(cutAfter === 0 ? 'protocol' : 'truncated')
      expect(cutAfter).toBeLessThan(60)
    }
  })

  it('bytes that are no text are shown as such, and nothing breaks', async () => {
    const [bytes = Buffer.alloc(0)] = piecesOfAnswer(name, { said: [{ text: 'A§B' }] })
    const broken = Buffer.from(bytes)
    for (let at = broken.indexOf('§'); at >= 0; at = broken.indexOf('§')) broken.set([0xff, 0xfe], at)
    const events = await hearPieces(name, [broken])
    expectLawful(events)
    expect(whole(events)?.text).toBe('A\uFFFD\uFFFDB')
  })

  it('ten megabytes of arguments take no more time than reading them', async () => {
    const content = 'x'.repeat(10_000_000)
    const text = JSON.stringify({ content })
    const pieces = Array.from({ length: Math.ceil(text.length / 4096) }, (_, i) => text.slice(i * 4096, (i + 1) * 4096))
    const [bytes = Buffer.alloc(0)] = piecesOfAnswer(name, {
      said: [{ call: 'write', id: 'c', arguments: text, pieces }],
    })
    const chunks = Array.from({ length: Math.ceil(bytes.length / 16_384) }, (_, i) =>
      bytes.subarray(i * 16_384, (i + 1) * 16_384),
    )
    const before = process.cpuUsage()
    const events = await hearPieces(name, chunks)
    const { user, system } = process.cpuUsage(before)
    expect(whole(events)?.toolCalls[0]?.arguments.length).toBe(text.length)
    expect((user + system) / 1000).toBeLessThan(4000)
  })
})

describe('the laws', () => {
  const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  const played = fc.record({
    call: fc.constantFrom('read', 'list'),
    id: fc.option(fc.constantFrom('a', 'b', 'c')),
    path: words,
  })
  const asCall = ({ call: name, id, path }: { call: string; id: string | null; path: string }) =>
    call(name, id, { path })
  const said: fc.Arbitrary<Said> = fc.oneof(
    fc.record({ text: fc.array(words, { minLength: 1, maxLength: 3 }) }),
    fc.record({ thinking: fc.array(words, { minLength: 1, maxLength: 3 }), signature: words }),
    played.map(asCall),
    fc.array(played.map(asCall), { minLength: 2, maxLength: 3 }).map(parallel => ({ parallel })),
    fc.record({ search: words, results: fc.constant(found) }),
    fc.record({ refusal: words }),
    fc.record({
      raw: fc.constantFrom<unknown>({ type: 'x' }, { choices: null }, [], 'nonsense', 'null', '{"candidates":[{}]}'),
    }),
    fc.record({ error: fc.constantFrom('overloaded_error', ''), message: words }),
    fc.constant<Said>({ ping: true }),
  )
  const sending = fc.record(
    {
      pieces: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 6 }),
      times: fc.constantFrom(1, 2, 3),
      cutAfter: fc.integer({ min: 0, max: 30 }),
      comments: fc.boolean(),
      lineEnd: fc.constantFrom('\n' as const, '\r\n' as const),
      byteOrderMark: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  const answer = fc.record({ said: fc.array(said, { maxLength: 6 }), sending })

  it('any script, split, doubled or cut off: balanced, ended once, its deltas its text', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), answer, async (name, each) => {
        expectLawful(await hearPieces(name, piecesOfAnswer(name, each)))
      }),
      { numRuns: 120 },
    ))

  it('any bytes at all: ended once, nothing thrown', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 5 }),
        async (name, pieces) => {
          const events = await hearPieces(name, pieces)
          expectLawful(events)
          expect(events.at(-1)?.type).toBe('ERROR')
        },
      ),
      { numRuns: 60 },
    ))
})

it('the key goes where the dialect says, and never into an address', async () => {
  const before = server.asked.length
  for (const name of names) await hear(server, name, { said: [{ text: 'a' }] })
  const asked = server.asked.slice(before)
  const places = asked.map(
    ({ headers }) => Object.entries(headers).find(([, value]) => String(value).includes(KEY))?.[0],
  )
  expect(places).toEqual(['x-api-key', 'authorization', 'authorization', 'x-goog-api-key', 'authorization'])
  for (const { url, body } of asked) expect(`${url.href}${body}`).not.toContain(KEY)
})
