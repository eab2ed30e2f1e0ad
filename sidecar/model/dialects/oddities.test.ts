/** Servers that are compatible in their own way: what each was seen to send, and what must come of it. */
import { describe, expect, it } from 'vitest'
import type { ChatEvent } from '#contract/chat-event'
import type { DialectName } from '../provider.ts'
import { expectLawful, hearPieces, told } from '../server/talk.case.ts'

async function heard(name: DialectName, ...frames: (object | string)[]): Promise<ChatEvent[]> {
  const lines = frames.map(frame => (typeof frame === 'string' ? frame : JSON.stringify(frame)))
  const text = name === 'ollama' ? lines.map(line => `${line}\n`) : lines.map(line => `data: ${line}\n\n`)
  const events = await hearPieces(name, [Buffer.from(text.join(''))])
  expectLawful(events)
  return events
}
const last = (events: readonly ChatEvent[]) => events.at(-1)
const callsOf = (events: readonly ChatEvent[]) =>
  last(events)?.response?.toolCalls.map(({ id, name, arguments: text }) => [id, name, text])

describe('OpenAI Chat and compatible', () => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  })
  const calls = (...tool_calls: object[]) => chunk({ tool_calls })
  const part = (text: string, name?: string) => ({ function: { ...(name ? { name } : {}), arguments: text } })
  const stop = chunk({}, 'tool_calls')
  const cases: readonly [string, object[], unknown[]][] = [
    [
      'one index for all',
      [
        calls({ index: 0, id: 'a', ...part('{"n":', 'read') }),
        calls({ index: 0, ...part('1}') }),
        calls({ index: 0, id: 'b', ...part('{}', 'list') }),
      ],
      [
        ['a', 'read', '{"n":1}'],
        ['b', 'list', '{}'],
      ],
    ],
    [
      'one id for all',
      [calls({ index: 0, id: 'a', ...part('{"n":1}', 'read') }, { index: 1, id: 'a', ...part('{"n":2}', 'read') })],
      [
        ['a', 'read', '{"n":1}'],
        [null, 'read', '{"n":2}'],
      ],
    ],
    [
      'another id for every piece',
      [calls({ index: 0, id: 'x1', ...part('{"n":', 'read') }), calls({ index: 0, id: 'x2', ...part('1}') })],
      [['x1', 'read', '{"n":1}']],
    ],
    [
      'an id that is empty later',
      [calls({ index: 0, id: 'a', ...part('{"n":', 'read') }), calls({ index: 0, id: '', ...part('1}') })],
      [['a', 'read', '{"n":1}']],
    ],
    [
      'an id that comes late',
      [calls({ index: 0, ...part('{"n":', 'read') }), calls({ index: 0, id: 'a', ...part('1}') })],
      [['a', 'read', '{"n":1}']],
    ],
    [
      'neither index nor id, whole calls',
      [calls(part('{"n":1}', 'read')), calls(part('{"n":2}', 'read'))],
      [
        [null, 'read', '{"n":1}'],
        [null, 'read', '{"n":2}'],
      ],
    ],
    [
      'the name with every piece',
      [calls(part('{"n":', 'read')), calls(part('1}', 'read'))],
      [[null, 'read', '{"n":1}']],
    ],
    [
      'indices that leave out some and come in disorder',
      [
        calls({ index: 4, id: 'b', ...part('', 'list') }, { index: 2, id: 'a', ...part('', 'read') }),
        calls({ index: 2, ...part('{"a":1}') }, { index: 4, ...part('{"b":1}') }),
      ],
      [
        ['b', 'list', '{"b":1}'],
        ['a', 'read', '{"a":1}'],
      ],
    ],
    [
      'the way before there were tools',
      [chunk({ function_call: { name: 'read', arguments: '{"n"' } }), chunk({ function_call: { arguments: ':1}' } })],
      [[null, 'read', '{"n":1}']],
    ],
    ['no arguments at all', [calls({ index: 0, id: 'a', function: { name: 'read' } })], [['a', 'read', '{}']]],
  ]
  it.each(cases)('%s', async (_, frames, expected) => {
    const events = await heard('openai-chat', ...frames, stop, '[DONE]')
    expect(callsOf(events)).toEqual(expected)
    expect(last(events)?.finish).toBe('tool')
  })

  it.each(['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'])('thinks in %s', async field => {
    const events = await heard(
      'openai-chat',
      chunk({ [field]: 'h', content: '' }),
      chunk({ [field]: 'm' }),
      chunk({ content: 'ok' }),
      chunk({}, 'stop'),
    )
    expect(last(events)?.response).toMatchObject({ thinking: 'hm', text: 'ok' })
    expect(events.find(({ type }) => type === 'THINKING_SIGNATURE')?.opaque).toEqual({ field })
  })
  it('thinks in details that go back as they came', async () => {
    const detail = (text: string) => ({ type: 'reasoning.text', index: 0, text, format: 'x' })
    const events = await heard(
      'openai-chat',
      chunk({ reasoning_details: [detail('h')] }),
      chunk({ reasoning_details: [detail('m')] }),
      chunk({ content: 'ok' }, 'stop'),
    )
    expect(last(events)?.response?.thinking).toBe('hm')
    expect(events.findLast(({ type }) => type === 'THINKING_SIGNATURE')?.opaque).toEqual({ details: [detail('hm')] })
  })
  it('thinks in parts of the content', async () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }
    const events = await heard(
      'openai-chat',
      chunk({ content: [thinking] }),
      chunk({ content: [{ type: 'text', text: 'ok' }] }, 'stop'),
    )
    expect(last(events)?.response).toMatchObject({ thinking: 'hm', text: 'ok' })
  })

  it('thinks in the text', async () => {
    const events = await heard(
      'openai-chat',
      chunk({ content: '<thi' }),
      chunk({ content: 'nk>hm</think>\n' }),
      chunk({ content: 'ok' }, 'stop'),
    )
    expect(last(events)?.response).toMatchObject({ thinking: 'hm', text: 'ok' })
  })

  const usage = { prompt_tokens: 10, completion_tokens: 5 }
  const told: readonly [string, object[]][] = [
    ['first', [{ ...chunk({ content: 'a' }), usage }, chunk({}, 'stop')]],
    [
      'in every frame',
      [
        { ...chunk({ content: 'a' }), usage: { prompt_tokens: 10, completion_tokens: 1 } },
        { ...chunk({}, 'stop'), usage },
      ],
    ],
    ['after the end', [chunk({ content: 'a' }), chunk({}, 'stop'), { choices: [], usage }]],
    ['in the choice', [chunk({ content: 'a' }), { choices: [{ delta: {}, finish_reason: 'stop', usage }] }]],
    ['where Groq has it', [chunk({ content: 'a' }), { ...chunk({}, 'stop'), x_groq: { usage } }]],
  ]
  it.each(told)('usage %s', async (_, frames) =>
    expect(last(await heard('openai-chat', ...frames, '[DONE]'))?.usage).toMatchObject({
      input: 10,
      output: 5,
      known: true,
    }),
  )

  it('an end without a reason is an end; a call then is complete', async () => {
    const events = await heard('openai-chat', calls({ index: 0, id: 'a', ...part('{}', 'read') }), '[DONE]')
    expect(last(events)?.type).toBe('RESPONSE_END')
    expect(callsOf(events)).toEqual([['a', 'read', '{}']])
  })
  const errors: readonly [string, object, string][] = [
    ['a word', { error: 'boom' }, 'bad_request'],
    ['a frame of its own', { object: 'error', message: 'boom', type: 'internal_error', code: 500 }, 'overloaded'],
    [
      'within a choice',
      { choices: [{ delta: {}, finish_reason: 'error', error: { code: 429, message: 'boom' } }] },
      'rate_limit',
    ],
  ]
  it.each(errors)('an error as %s', async (_, frame, code) =>
    expect(last(await heard('openai-chat', chunk({ content: 'a' }), frame))).toMatchObject({
      type: 'ERROR',
      failure: { code },
      response: { text: 'a' },
    }),
  )
  it('an image is an image', async () => {
    const url = 'data:image/webp;base64,AAAA'
    const events = await heard('openai-chat', chunk({ images: [{ type: 'image_url', image_url: { url } }] }, 'stop'))
    expect(last(events)?.response?.blocks).toEqual([{ media: { mediaType: 'image/webp', base64: 'AAAA', url: null } }])
  })
})

describe('OpenAI Responses', () => {
  const done = (output: object[] = []) => ({
    type: 'response.completed',
    response: { id: 'r', status: 'completed', output },
  })
  it('ids that change on the way', async () => {
    const events = await heard(
      'openai-responses',
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { id: 'x1', type: 'message', role: 'assistant', content: [] },
      },
      { type: 'response.output_text.delta', output_index: 0, item_id: 'x2', content_index: 0, delta: 'a' },
      { type: 'response.output_text.delta', output_index: 0, item_id: 'x3', content_index: 0, delta: 'b' },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { id: 'x4', type: 'message', content: [{ type: 'output_text', text: 'ab' }] },
      },
      done([{ id: 'x5', type: 'message', content: [{ type: 'output_text', text: 'ab' }] }]),
    )
    expect(told(events)).toEqual([
      'RESPONSE_START',
      'STEP_START',
      'TEXT_START',
      'TEXT_DELTA:ab',
      'TEXT_END',
      'STEP_END',
      'RESPONSE_END',
    ])
  })
  it('parts of an item that was never begun', async () => {
    const events = await heard(
      'openai-responses',
      { type: 'response.output_text.delta', output_index: 0, delta: 'a' },
      { type: 'response.function_call_arguments.delta', output_index: 1, item_id: 'fc', delta: '{}' },
      {
        type: 'response.output_item.done',
        output_index: 1,
        item: { id: 'fc', call_id: 'c', type: 'function_call', name: 'read', arguments: '{}' },
      },
      done(),
    )
    expect(last(events)?.response).toMatchObject({ text: 'a', finish: 'tool' })
    expect(last(events)?.response?.toolCalls).toMatchObject([{ name: 'read', arguments: '{}' }])
  })
  it('an answer that comes only with the end', async () => {
    const output = [
      { id: 'rs', type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'E' },
      {
        id: 'msg',
        type: 'message',
        content: [
          { type: 'output_text', text: 'a', annotations: [{ type: 'url_citation', url: 'https://a', title: 'A' }] },
        ],
      },
      { id: 'fc', call_id: 'c', type: 'function_call', name: 'read', arguments: '{"n":1}' },
    ]
    const events = await heard('openai-responses', done(output))
    expect(last(events)?.response).toMatchObject({
      thinking: 'hm',
      text: 'a',
      citations: [{ url: 'https://a', title: 'A' }],
      finish: 'tool',
    })
    expect(callsOf(events)).toEqual([['c', 'read', '{"n":1}']])
  })
  it('the same frame twice is one', async () => {
    const delta = { type: 'response.output_text.delta', sequence_number: 3, output_index: 0, delta: 'a' }
    expect(last(await heard('openai-responses', delta, delta, done()))?.response?.text).toBe('a')
  })
  it('several summaries are told apart', async () => {
    const at = { output_index: 0, item_id: 'rs' }
    const events = await heard(
      'openai-responses',
      { type: 'response.output_item.added', output_index: 0, item: { id: 'rs', type: 'reasoning', summary: [] } },
      { type: 'response.reasoning_summary_part.added', ...at, summary_index: 0 },
      { type: 'response.reasoning_summary_text.delta', ...at, summary_index: 0, delta: 'one' },
      { type: 'response.reasoning_summary_part.added', ...at, summary_index: 1 },
      { type: 'response.reasoning_summary_text.delta', ...at, summary_index: 1, delta: 'two' },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { id: 'rs', type: 'reasoning', summary: [], encrypted_content: 'E' },
      },
      done(),
    )
    expect(last(events)?.response?.thinking).toBe('one\n\ntwo')
    expect(events.find(({ type }) => type === 'THINKING_SIGNATURE')?.opaque).toEqual({
      item: { type: 'reasoning', summary: [], encrypted_content: 'E' },
    })
  })
  it('what ran there: code, images, files, servers', async () => {
    const item = (output_index: number, facts: object) => [
      {
        type: 'response.output_item.added',
        output_index,
        item: { status: 'in_progress', ...facts, outputs: null, result: null, results: null, output: null },
      },
      { type: 'response.output_item.done', output_index, item: { status: 'completed', ...facts } },
    ]
    const events = await heard(
      'openai-responses',
      ...item(0, {
        id: 'ci',
        type: 'code_interpreter_call',
        code: 'print(1)',
        outputs: [{ type: 'logs', logs: '1\n' }],
      }),
      {
        type: 'response.image_generation_call.partial_image',
        output_index: 1,
        item_id: 'ig',
        partial_image_b64: 'AA',
        output_format: 'webp',
      },
      ...item(1, { id: 'ig', type: 'image_generation_call', result: 'AAAA', output_format: 'webp' }),
      ...item(2, {
        id: 'fs',
        type: 'file_search_call',
        queries: ['q'],
        results: [{ filename: 'a.pdf', file_id: 'f1', text: 'words', score: 1 }],
      }),
      ...item(3, { id: 'mc', type: 'mcp_call', name: 'do', server_label: 'srv', arguments: '{"a":1}', error: 'no' }),
      done(),
    )
    const results = events.filter(({ type }) => type === 'SERVER_TOOL_RESULT')
    expect(results.map(({ subType, text, failed }) => [subType, text, failed])).toEqual([
      ['code_interpreter', '1\n', false],
      ['image_generation', 'An image was made.', false],
      ['file_search', 'a.pdf\nwords', false],
      ['mcp', 'It failed: no', true],
    ])
    const image = { mediaType: 'image/webp', url: null }
    expect(events.filter(({ media }) => media).map(({ type, media }) => [type, media])).toEqual([
      ['MEDIA_PARTIAL', { ...image, base64: 'AA' }],
      ['MEDIA_DONE', { ...image, base64: 'AAAA' }],
    ])
    expect(last(events)?.response?.searchResults).toEqual([{ url: 'f1', title: 'a.pdf', snippet: 'words' }])
  })
  it('stopped by itself is an abort; a policy is a filter', async () => {
    expect(last(await heard('openai-responses', { type: 'response.cancelled', response: {} }))?.type).toBe('ABORT')
    const failed = {
      type: 'response.failed',
      response: { error: { code: 'invalid_prompt', message: 'no' }, usage: { input_tokens: 3, output_tokens: 0 } },
    }
    expect(last(await heard('openai-responses', failed))).toMatchObject({
      failure: { code: 'content_filter' },
      usage: { input: 3 },
    })
  })
})

describe('Gemini', () => {
  const parts = (all: object[], facts: object = {}) => ({ candidates: [{ content: { parts: all }, ...facts }] })
  const stop = parts([], { finishReason: 'STOP' })
  it('code that ran there, with what goes back', async () => {
    const code = { executableCode: { language: 'PYTHON', code: 'print(1)' } }
    const result = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } }
    const events = await heard('gemini', parts([code, result]), stop)
    expect(told(events)).toContain('SERVER_TOOL_ARGS_DELTA:print(1)')
    expect(events.find(({ type }) => type === 'SERVER_TOOL_RESULT')).toMatchObject({
      text: '1\n',
      failed: false,
      opaque: { parts: [code, result] },
    })
  })
  it('an image between texts', async () => {
    const inlineData = { mimeType: 'image/png', data: 'AAAA' }
    const events = await heard('gemini', parts([{ text: 'a' }, { inlineData }, { text: 'b' }]), stop)
    const media = { mediaType: 'image/png', base64: 'AAAA', url: null }
    expect(last(events)?.response?.blocks).toEqual([{ text: 'a' }, { media }, { text: 'b' }])
  })
  it('a signature stands where it stood', async () => {
    const events = await heard(
      'gemini',
      parts([
        { text: 'a', thoughtSignature: 'S1' },
        { functionCall: { name: 'read', args: {} }, thoughtSignature: 'S2' },
      ]),
      stop,
    )
    expect(events.filter(({ opaque }) => opaque).map(({ type, opaque }) => [type, opaque])).toEqual([
      ['TEXT_END', { signature: 'S1' }],
      ['THINKING_SIGNATURE', { signature: 'S2', on: 'call' }],
    ])
  })
  it('sources that are told again are told once', async () => {
    const groundingMetadata = {
      webSearchQueries: ['q'],
      groundingChunks: [{ web: { uri: 'https://a', title: 'A' } }],
      groundingSupports: [{ segment: { text: 'a' }, groundingChunkIndices: [0] }],
    }
    const events = await heard(
      'gemini',
      parts([{ text: 'a' }], { groundingMetadata }),
      parts([], { groundingMetadata, finishReason: 'STOP' }),
    )
    expect(last(events)?.response).toMatchObject({
      searchResults: [{ url: 'https://a' }],
      citations: [{ url: 'https://a' }],
    })
    expect(events.filter(({ type }) => type === 'SERVER_TOOL_START')).toHaveLength(1)
  })
  it('a call that Google could not read is an error that another try may mend', async () =>
    expect(
      last(await heard('gemini', parts([{ text: 'a' }], { finishReason: 'MALFORMED_FUNCTION_CALL' }))),
    ).toMatchObject({ type: 'ERROR', failure: { code: 'truncated' } }))
})

describe('Anthropic', () => {
  it('a block that begins twice, and one that ends without a beginning', async () => {
    const start = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
    const events = await heard(
      'anthropic',
      { type: 'content_block_stop', index: 7 },
      start,
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } },
      start,
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'b' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    )
    expect(last(events)?.response?.blocks).toEqual([{ text: 'ab' }])
  })
  it('a gateway that has the whole input at the start of a call', async () => {
    const events = await heard(
      'anthropic',
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 't', name: 'read', input: { path: 'a' } },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_stop' },
    )
    expect(callsOf(events)).toEqual([['t', 'read', '{"path":"a"}']])
  })
})

describe('Ollama', () => {
  it('a line that is an error keeps what was said', async () =>
    expect(
      last(
        await heard(
          'ollama',
          { message: { content: 'a' }, done: false },
          { error: 'model runner has unexpectedly stopped' },
        ),
      ),
    ).toMatchObject({
      type: 'ERROR',
      response: { text: 'a' },
      failure: { message: expect.stringContaining('unexpectedly stopped') },
    }))
})
