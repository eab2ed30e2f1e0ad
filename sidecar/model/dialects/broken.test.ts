/** Every dialect against a server or a line that fails: what a person is told, that the key stays home, that the socket is closed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTerminal } from '#contract/chat-event'
import type { PlayedAnswer, Sending } from '../server/script.case.ts'
import { type PlayedServer, speakers, startPlayedServer } from '../server/server.case.ts'
import { expectLawful, hear, KEY, names, quick, talk } from '../server/talk.case.ts'

let server: PlayedServer
let elsewhere: PlayedServer
beforeAll(async () => {
  server = await startPlayedServer()
  elsewhere = await startPlayedServer({ answer: () => ({ said: [{ text: 'caught' }] }) })
})
afterAll(() => Promise.all([server.close(), elsewhere.close()]))

const html = { 'content-type': 'text/html; charset=utf-8' }
const stream = { 'content-type': 'text/event-stream' }

describe.each(names)('%s', name => {
  const error = (status: number, kind: string, message: string, headers?: Record<string, string>): PlayedAnswer => ({
    http: {
      status,
      body: JSON.stringify(speakers[name].error(status, kind, message)),
      ...(headers ? { headers } : {}),
    },
  })
  const cases: readonly [string, PlayedAnswer, code: string, words: RegExp][] = [
    ['a wrong key', error(401, 'authentication_error', `invalid key ${KEY}`), 'auth', /key/],
    ['no such model', error(404, 'not_found_error', 'model x not found'), 'not_found', /model x not found/],
    [
      'too much at once',
      error(429, 'rate_limit_error', 'slow down', { 'retry-after': '7' }),
      'rate_limit',
      /slow down/,
    ],
    ['overloaded', error(529, 'overloaded_error', 'Overloaded'), 'overloaded', /529/],
    [
      'too long',
      error(400, 'invalid_request_error', 'the prompt is too long: 300000 tokens'),
      'context_too_long',
      /longer/,
    ],
    ['a bad request', error(400, 'invalid_request_error', 'no'), 'bad_request', /refused/],
    ['a page with 200', { http: { status: 200, headers: html, body: '<html>log in</html>' } }, 'protocol', /web page/],
    [
      'a page with 502',
      { http: { status: 502, headers: html, body: '<html>bad gateway</html>' } },
      'overloaded',
      /502/,
    ],
    ['nothing with 200', { http: { status: 200, headers: stream, body: '' } }, 'protocol', /nothing at all/],
    ['words with 200', { http: { status: 200, headers: stream, body: 'what is this' } }, 'protocol', /what is this/],
    [
      'an error as the body of a 200',
      { http: { status: 200, body: JSON.stringify(speakers[name].error(429, 'rate_limit_error', 'slow down')) } },
      name === 'ollama' ? 'bad_request' : 'rate_limit',
      /slow down/,
    ],
    [
      'a whole body that is cut off',
      { http: { status: 200, body: '{"id":"x","object":"resp' } },
      'truncated',
      /broke off/,
    ],
  ]
  it.each(cases)('%s', async (_, answer, code, words) => {
    const events = await hear(server, name, answer)
    expectLawful(events)
    expect(events.at(-1)).toMatchObject({ type: 'ERROR', failure: { code, message: expect.stringMatching(words) } })
    if (answer.http?.headers?.['retry-after']) expect(events.at(-1)?.failure?.retryAfterMs).toBe(7000)
  })

  it('is not sent on to another host, nor is the key', async () => {
    for (const status of [301, 302, 307, 308]) {
      const location = `${elsewhere.baseUrl(name)}/v1/messages`
      const events = await hear(server, name, { http: { status, headers: { location } } })
      expect(events.at(-1)?.failure).toMatchObject({
        code: 'protocol',
        message: expect.stringContaining('does not send a key on'),
      })
    }
    expect(elsewhere.asked).toEqual([])
  })

  const said = [{ text: ['one ', 'two ', 'three'] }]
  const brief = { ...quick, closingMs: 100 }
  const stages: readonly NonNullable<Sending['hang']>[] = ['headers', 'first', 'middle', 'last']
  it.each(stages)('a server that hangs (%s) is left alone in time', async hang => {
    const before = server.asked.length
    const budgets = hang === 'last' ? brief : { firstMs: 250, idleMs: 250, totalMs: 5000 }
    const events = await hear(server, name, { said, sending: { hang } }, { budgets })
    expectLawful(events)
    if (hang === 'last')
      expect(events.at(-1)).toMatchObject({ type: 'RESPONSE_END', response: { text: 'one two three' } })
    else
      expect(events.at(-1)?.failure).toMatchObject({
        code: 'timeout',
        message: expect.stringMatching(/sent nothing|went silent/),
      })
    expect(await server.asked[before]?.over).toEqual({ clientLeft: true })
  })

  it.each(stages)('Stop closes the socket (%s), and nothing more is said', async hang => {
    const before = server.asked.length
    const stop = new AbortController()
    const asked = server.untilAsked(before + 1)
    const heard = hear(
      server,
      name,
      { said, sending: { hang } },
      {
        signal: stop.signal,
        budgets: brief,
        seen: ({ type }) => {
          if (hang === 'middle' && type === 'TEXT_DELTA') stop.abort()
        },
      },
    )
    await asked
    // Before the headers and after them: wherever the client stands then.
    if (hang === 'headers' || hang === 'first') stop.abort()
    const events = await heard
    expect(events.some(({ type }) => isTerminal(type))).toBe(hang === 'last')
    expect(await server.asked[before]?.over).toEqual({ clientLeft: true })
  })

  it('a consumer that stops reading closes the socket too', async () => {
    const before = server.asked.length
    const thrown = hear(
      server,
      name,
      { said, sending: { hang: 'middle' } },
      {
        seen: ({ type }) => {
          if (type === 'TEXT_DELTA') throw new Error('enough')
        },
      },
    )
    await expect(thrown).rejects.toThrow('enough')
    expect(await server.asked[before]?.over).toEqual({ clientLeft: true })
  })
})

describe('what a server does not take', () => {
  const refusal = (message: string): PlayedAnswer => ({
    http: { status: 400, body: JSON.stringify({ error: { message } }) },
  })
  it('is left out, once and for all, and a person is told', async () => {
    const before = server.asked.length
    const request = { model: 'openai/old-model', maxOutputTokens: 99 }
    server.play(refusal('Unknown parameter: stream_options'), refusal("Unsupported parameter: 'max_completion_tokens'"))
    const events = await hear(server, 'openai-chat', { said: [{ text: 'ok' }] }, { request })
    expectLawful(events)
    expect(events.at(-1)?.response?.text).toBe('ok')
    expect(events.filter(({ subType }) => subType === 'dropped').map(({ text }) => text)).toEqual([
      'OpenAI does not take stream_options for old-model; it is asked without.',
      'OpenAI does not take max_tokens for old-model; it is asked without.',
    ])
    await hear(server, 'openai-chat', { said: [{ text: 'ok' }] }, { request })
    const bodies = server.asked
      .slice(before)
      .map(({ body }) => [body.includes('stream_options'), body.includes('_tokens')])
    expect(bodies).toEqual([
      [true, true],
      [false, true],
      [false, false],
      [false, false],
    ])
  })
  it('is an error where nothing can be left out', async () => {
    const before = server.asked.length
    // The second names what this request does not even hold.
    for (const words of ['Invalid value: messages', 'Unknown parameter: response_format'])
      expect((await hear(server, 'openai-chat', refusal(words))).at(-1)?.failure?.code).toBe('bad_request')
    expect(server.asked.length).toBe(before + 2)
  })
  it('a schema that Anthropic cannot hold an answer to is told in words alone, and effort stays', async () => {
    const before = server.asked.length
    const answer = { name: 'any', schema: { type: 'object' } }
    const request = { model: 'anthropic/some-model', effort: 'high', answer } as const
    const facts = {
      ...{ contextTokens: null, outputTokens: null, input: [], price: null },
      reasoning: { control: 'effort', levels: { high: 'high' } },
    } as const
    server.play(refusal("output_config.format.schema: For 'object' type, 'additionalProperties' must be set to false"))
    const events = await hear(server, 'anthropic', { said: [{ text: '{}' }] }, { request, account: { facts } })
    expect(events.at(-1)?.response?.text).toBe('{}')
    expect(server.asked.slice(before).map(({ json }) => json.output_config)).toEqual([
      { effort: 'high', format: { type: 'json_schema', schema: { type: 'object' } } },
      { effort: 'high' },
    ])
  })
  it('Google says in the body when to come back, and calls a wrong key a bad request', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' }]
    const limit = JSON.stringify([{ error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED', details } }])
    const limited = await hear(server, 'gemini', { http: { status: 429, body: limit } })
    expect(limited.at(-1)?.failure).toMatchObject({
      code: 'rate_limit',
      retryAfterMs: 34_400,
      message: expect.stringContaining('Quota'),
    })
    const key = {
      error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' },
    }
    const wrong = await hear(server, 'gemini', { http: { status: 400, body: JSON.stringify(key) } })
    expect(wrong.at(-1)?.failure?.code).toBe('auth')
  })
})

it('when to come back is told by the clock of who says it, however wrong it or ours is', async () => {
  const headers = { date: 'Mon, 03 Sep 2001 10:00:00 GMT', 'retry-after': 'Mon, 03 Sep 2001 10:00:30 GMT' }
  const late = await hear(server, 'anthropic', { http: { status: 429, headers, body: '{}' } })
  expect(late.at(-1)?.failure).toMatchObject({ code: 'rate_limit', retryAfterMs: 30_000 })
  const past = { date: 'Mon, 03 Sep 2101 10:00:30 GMT', 'retry-after': 'Mon, 03 Sep 2101 10:00:00 GMT' }
  const over = await hear(server, 'anthropic', { http: { status: 503, headers: past, body: '{}' } })
  expect(over.at(-1)?.failure).toMatchObject({ code: 'overloaded', retryAfterMs: 0 })
})

it('nobody listens', async () => {
  for (const name of names) expect((await talk(name, 'http://127.0.0.1:9')).at(-1)?.failure?.code).toBe('network')
})
