/** The laws of a response: balanced boundaries, one terminal event, texts byte for byte, usage added once; whatever a dialect says. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ChatEvent,
  type ChatEventDraft,
  type ChatEventType,
  chatEventTypes,
  groupOf,
  isTerminal,
  phaseOf,
} from '#contract/chat-event'
import { failure } from './failure.ts'
import { allEvents, type ChatFilter, either, eventsOf, usualEvents } from './filter.ts'
import { createResponse, reduceResponse, respond } from './response.ts'

const played = (drafts: readonly ChatEventDraft[]): ChatEvent[] => {
  const response = createResponse()
  return [...response.begin(), ...drafts.flatMap(draft => response.take(draft)), ...response.end()]
}
const told = (events: readonly ChatEvent[]): string[] =>
  events.map(({ type, text, toolCall, guessed }) =>
    [type, type === 'TOOL_CALL_START' ? toolCall?.name : text, guessed ? '(guessed)' : null]
      .filter(part => part !== null && part !== undefined && part !== '')
      .join(' '),
  )
/** What stands between STEP_START and STEP_END. */
const inside = (...drafts: ChatEventDraft[]): string[] => told(played(drafts)).slice(2, -2)

const text = (words: string, index = -1): ChatEventDraft => ({ type: 'TEXT_DELTA', text: words, index })
const thought = (words: string): ChatEventDraft => ({ type: 'THINKING_DELTA', text: words })
const begin = (id: string | null, index = -1): ChatEventDraft => ({
  type: 'TOOL_CALL_START',
  index,
  blockId: id,
  toolCall: { id, name: 'read', arguments: '' },
})
const args = (words: string, blockId: string | null, index = -1): ChatEventDraft => ({
  type: 'TOOL_CALL_ARGS_DELTA',
  text: words,
  blockId,
  index,
})
const end = (id: string | null, index = -1, words = '{}'): ChatEventDraft => ({
  type: 'TOOL_CALL_END',
  index,
  blockId: id,
  toolCall: { id, name: 'read', arguments: words },
})

describe('boundaries', () => {
  const cases: [string, ChatEventDraft[], string[]][] = [
    ['a delta alone', [text('a')], ['TEXT_START', 'TEXT_DELTA a', 'TEXT_END']],
    [
      'a start twice',
      [{ type: 'TEXT_START' }, { type: 'TEXT_START' }, text('a')],
      ['TEXT_START', 'TEXT_DELTA a', 'TEXT_END'],
    ],
    ['an end without a start', [{ type: 'TEXT_END' }, text('a')], ['TEXT_START', 'TEXT_DELTA a', 'TEXT_END']],
    [
      'thinking ends where text begins',
      [thought('h'), text('a')],
      ['THINKING_START', 'THINKING_DELTA h', 'THINKING_END', 'TEXT_START', 'TEXT_DELTA a', 'TEXT_END'],
    ],
    [
      'two texts at once, by their place',
      [text('a', 0), text('b', 1), text('c', 0)],
      ['TEXT_START', 'TEXT_DELTA a', 'TEXT_START', 'TEXT_DELTA b', 'TEXT_DELTA c', 'TEXT_END', 'TEXT_END'],
    ],
    [
      'a nameless delta between two open texts opens a third',
      [text('a', 0), text('b', 1), text('c')],
      [
        'TEXT_START',
        'TEXT_DELTA a',
        'TEXT_START',
        'TEXT_DELTA b',
        'TEXT_START',
        'TEXT_DELTA c',
        ...Array(3).fill('TEXT_END'),
      ],
    ],
    [
      'a nameless delta goes to the only open text',
      [text('a', 4), text('b')],
      ['TEXT_START', 'TEXT_DELTA a', 'TEXT_DELTA b', 'TEXT_END'],
    ],
    [
      'a signature passes, wherever it stands',
      [{ type: 'THINKING_SIGNATURE' }, thought('h'), { type: 'THINKING_SIGNATURE' }],
      ['THINKING_SIGNATURE', 'THINKING_START', 'THINKING_DELTA h', 'THINKING_SIGNATURE', 'THINKING_END'],
    ],
    [
      'a call closes text',
      [text('a'), begin('1'), end('1')],
      ['TEXT_START', 'TEXT_DELTA a', 'TEXT_END', 'TOOL_CALL_START read', 'TOOL_CALL_END {}'],
    ],
    [
      'arguments without a start',
      [args('{}', '1')],
      ['TOOL_CALL_START', 'TOOL_CALL_ARGS_DELTA {}', 'TOOL_CALL_END {}'],
    ],
    [
      'arguments of another call while one is open',
      [begin('1'), args('{}', '2')],
      ['TOOL_CALL_START read', 'TOOL_CALL_START', 'TOOL_CALL_ARGS_DELTA {}', 'TOOL_CALL_END {}', 'TOOL_CALL_END {}'],
    ],
    ['an end alone is a whole call', [end('1')], ['TOOL_CALL_START read', 'TOOL_CALL_END {}']],
    [
      'the same call twice runs once',
      [begin('1'), begin('1'), end('1'), end('1'), begin('1')],
      ['TOOL_CALL_START read', 'TOOL_CALL_END {}'],
    ],
    [
      'an end by a name that nobody knows closes the oldest, and says that it is a guess',
      [begin(null, 0), begin(null, 1), end('late')],
      ['TOOL_CALL_START read', 'TOOL_CALL_START read', 'TOOL_CALL_END {} (guessed)', 'TOOL_CALL_END {}'],
    ],
    [
      'interleaved calls, by their place',
      [
        begin(null, 0),
        begin(null, 1),
        args('[1', null, 1),
        args('[0', null, 0),
        args(',1]', null, 1),
        args(']', null, 0),
      ],
      [
        'TOOL_CALL_START read',
        'TOOL_CALL_START read',
        'TOOL_CALL_ARGS_DELTA [1',
        'TOOL_CALL_ARGS_DELTA [0',
        'TOOL_CALL_ARGS_DELTA ,1]',
        'TOOL_CALL_ARGS_DELTA ]',
        'TOOL_CALL_END [0]',
        'TOOL_CALL_END [1,1]',
      ],
    ],
    [
      'text within a call does not end it',
      [begin('1'), text('a'), end('1')],
      ['TOOL_CALL_START read', 'TEXT_START', 'TEXT_DELTA a', 'TOOL_CALL_END {}', 'TEXT_END'],
    ],
    [
      'calls close before texts',
      [begin('1'), text('a')],
      ['TOOL_CALL_START read', 'TEXT_START', 'TEXT_DELTA a', 'TOOL_CALL_END {}', 'TEXT_END'],
    ],
    [
      'a call that a new step closed does not begin again',
      [begin('1'), { type: 'STEP_START', step: 1 }, args('{}', '1')],
      ['TOOL_CALL_START read', 'TOOL_CALL_END {}', 'STEP_START', 'STEP_END'],
    ],
    ['a result passes', [{ type: 'TOOL_RESULT', text: 'ok' }], ['TOOL_RESULT ok']],
    ['other groups pass', [{ type: 'RAW' }, { type: 'CITATION' }, { type: 'CUSTOM' }], ['RAW', 'CITATION', 'CUSTOM']],
  ]
  it.each(cases)('%s', (_, drafts, expected) => expect(inside(...drafts)).toEqual(expected))

  it('a second step closes nothing of the first twice', () => {
    const events = played([
      text('a'),
      { type: 'STEP_END', step: 0 },
      { type: 'STEP_START', step: 1 },
      { type: 'STEP_START', step: 1 },
      text('b'),
    ])
    expect(events.map(({ type, step }) => `${type} ${step}`)).toEqual([
      'RESPONSE_START 0',
      'STEP_START 0',
      'TEXT_START 0',
      'TEXT_DELTA 0',
      'TEXT_END 0',
      'STEP_END 0',
      'STEP_START 1',
      'TEXT_START 1',
      'TEXT_DELTA 1',
      'TEXT_END 1',
      'STEP_END 1',
      'RESPONSE_END 1',
    ])
  })
})

describe('the end', () => {
  const broken = { type: 'ERROR', failure: failure('network', 'gone'), rawType: 'x' } as const

  it('holds an error back until everything is closed, and keeps what there was', () => {
    const events = played([text('half'), broken, text('never')])
    expect(told(events).slice(2)).toEqual(['TEXT_START', 'TEXT_DELTA half', 'TEXT_END', 'STEP_END', 'ERROR'])
    expect(events.at(-1)).toMatchObject({
      rawType: 'x',
      failure: { code: 'network' },
      response: { text: 'half', failure: { code: 'network' } },
    })
    expect(events.at(-2)?.response?.failure).toBeNull()
  })
  it('an abort of the provider is the terminal event', () => {
    expect(told(played([text('a'), { type: 'ABORT' }])).slice(-2)).toEqual(['STEP_END', 'ABORT'])
  })
  it('an error in the very beginning has an empty response', () => {
    const last = played([broken]).at(-1)
    expect(last?.response).toMatchObject({ text: '', blocks: [], toolCalls: [] })
  })
  it('what the drafts throw becomes an error; what is aborted just stops', async () => {
    const throwing = async function* (): AsyncGenerator<ChatEventDraft> {
      yield text('a')
      throw new Error('oops')
    }
    const seen: ChatEvent[] = []
    for await (const event of respond(throwing(), new AbortController().signal)) seen.push(event)
    expect(seen.at(-1)).toMatchObject({ type: 'ERROR', failure: { code: 'internal' }, response: { text: 'a' } })
    const stop = new AbortController()
    const types: string[] = []
    for await (const { type } of respond(throwing(), stop.signal)) {
      types.push(type)
      if (type === 'TEXT_DELTA') stop.abort()
    }
    expect(types).toEqual(['RESPONSE_START', 'STEP_START', 'TEXT_START', 'TEXT_DELTA'])
  })
  it('the same drafts can be played twice: nothing is shared', async () => {
    const drafts = async function* (): AsyncGenerator<ChatEventDraft> {
      yield text('a')
    }
    const whole = () => reduceResponse(respond(drafts(), new AbortController().signal))
    expect((await whole())?.text).toBe('a')
    expect((await whole())?.text).toBe('a')
  })
})

describe('usage', () => {
  const used = (usage: object): ChatEventDraft => ({ type: 'USAGE', usage })
  it('merges a step’s snapshots field by field', () => {
    const events = played([used({ input: 10, cacheRead: 5 }), used({ output: 3 }), used({ output: 7 })])
    expect(events.filter(({ type }) => type === 'USAGE').map(({ usage }) => usage?.output)).toEqual([0, 3, 7])
    expect(events.at(-1)?.usage).toEqual({
      input: 10,
      output: 7,
      cacheRead: 5,
      cacheWrite: 0,
      reasoning: 0,
      known: true,
    })
  })
  it('adds each step once', () => {
    const events = played([
      used({ input: 10, output: 1 }),
      used({ output: 2 }),
      { type: 'STEP_END', step: 0 },
      { type: 'STEP_START', step: 1 },
      used({ input: 20, output: 4 }),
    ])
    expect(events.filter(({ type }) => type === 'STEP_END').map(({ usage }) => usage?.input)).toEqual([10, 20])
    expect(events.at(-1)?.usage).toMatchObject({ input: 30, output: 6, known: true })
  })
  it('of a failed step counts too', () => {
    const events = played([used({ input: 10 }), { type: 'ERROR', failure: failure('network', 'x') }])
    expect(events.at(-1)?.usage).toMatchObject({ input: 10, known: true })
  })
  it('is told where a dialect told it, and nowhere else', () => {
    const types = played([text('a'), used({ input: 1 }), text('b'), text('c')]).map(({ type }) => type)
    expect(types.filter(type => type === 'USAGE')).toHaveLength(1)
    expect(types.indexOf('USAGE')).toBe(types.indexOf('TEXT_DELTA') + 1)
  })
  it('a snapshot that is less than the one before counts too: the last word is the provider’s', () =>
    expect(played([used({ output: 9 }), used({ output: 7 })]).at(-1)?.usage?.output).toBe(7))
  it('a field that a later snapshot leaves out stays; one that is zero is zero', () =>
    expect(played([used({ input: 5, cacheWrite: 4 }), used({ input: 0 })]).at(-1)?.usage).toMatchObject({
      ...{ input: 0, cacheWrite: 4 },
    }))
  it('of a step that ended is not changed by the next one, nor counted with it', () => {
    const step = (n: number): ChatEventDraft[] => [
      { type: 'STEP_START', step: n },
      used({ input: 1 }),
      used({ input: 10 }),
    ]
    const events = played([0, 1, 2].flatMap(n => [...step(n), { type: 'STEP_END', step: n } as const]))
    expect(events.filter(({ type }) => type === 'STEP_END').map(({ usage }) => usage?.input)).toEqual([10, 10, 10])
    expect(events.at(-1)?.usage?.input).toBe(30)
  })
  it('the same step ended twice is added once', () => {
    const events = played([used({ input: 10 }), { type: 'STEP_END', step: 0 }, { type: 'STEP_END', step: 0 }])
    expect(events.at(-1)?.usage?.input).toBe(10)
  })
  it('of the steps before a failure, and of the failing one, is the failure’s', () => {
    const events = played([
      used({ input: 10 }),
      { type: 'STEP_END', step: 0 },
      { type: 'STEP_START', step: 1 },
      used({ input: 20, output: 3 }),
      { type: 'ERROR', failure: failure('network', 'x') },
    ])
    expect(events.at(-1)).toMatchObject({ type: 'ERROR', usage: { input: 30, output: 3, known: true } })
    expect(events.at(-1)?.response?.usage).toEqual(events.at(-1)?.usage)
  })
  it('that nobody told is unknown', () => expect(played([text('a')]).at(-1)?.usage?.known).toBe(false))
  it('known in one step and unknown in another is unknown in sum', () => {
    const events = played([used({ input: 1 }), { type: 'STEP_END' }, { type: 'STEP_START', step: 1 }, text('a')])
    expect(events.at(-1)?.usage).toMatchObject({ input: 1, known: false })
  })
})

describe('the aggregate', () => {
  it('keeps text and media in order, and text after an image is a new block', () => {
    const media = { mediaType: 'image/png', base64: 'AA==', url: null }
    const response = played([text('a'), text('b'), { type: 'MEDIA_DONE', media }, text('c')]).at(-1)?.response
    expect(response?.blocks).toEqual([{ text: 'ab' }, { media }, { text: 'c' }])
    expect(response?.text).toBe('abc')
  })
  it('puts calls together from their pieces, also where an index comes late', () => {
    const drafts = [begin('1'), args('{"a"', '1'), args(':1}', '1', 3), { ...end('1', 3), toolCall: null }]
    expect(played(drafts).at(-1)?.response?.toolCalls).toEqual([{ id: '1', name: 'read', arguments: '{"a":1}' }])
  })
  it('never deduplicates sources', () => {
    const citation = { url: 'https://a', title: null, quote: null }
    const drafts: ChatEventDraft[] = [
      { type: 'CITATION', citation },
      { type: 'CITATION', citation },
      { type: 'SEARCH_RESULT', searchResult: { url: 'https://a', title: 'A', snippet: null } },
      { type: 'REFUSAL_DELTA', text: 'no' },
    ]
    expect(played(drafts).at(-1)?.response).toMatchObject({
      citations: [citation, citation],
      searchResults: [{ title: 'A' }],
      refusal: 'no',
    })
  })
})

describe('filters', () => {
  const drafts: ChatEventDraft[] = [{ type: 'HEARTBEAT' }, { type: 'RAW' }, { type: 'STATUS' }, text('a')]
  const through = async (filter?: ChatFilter) => {
    const seen: ChatEventType[] = []
    const source = async function* () {
      yield* drafts
    }
    for await (const { type } of respond(source(), new AbortController().signal, filter)) seen.push(type)
    return seen
  }
  const frame = (...types: ChatEventType[]) => ['RESPONSE_START', 'STEP_START', ...types, 'STEP_END', 'RESPONSE_END']
  it('the usual one hides heartbeats and unknown frames', async () =>
    expect(await through()).toEqual(frame('STATUS', 'TEXT_START', 'TEXT_DELTA', 'TEXT_END')))
  it('all are all', async () => expect(await through(allEvents)).toContain('HEARTBEAT'))
  it('some still have their lifecycle, but no heartbeat', async () =>
    expect(await through(eventsOf('TEXT_DELTA'))).toEqual(frame('STATUS', 'TEXT_DELTA')))
  it('none still ends', async () => expect(await through(eventsOf())).toEqual(frame('STATUS')))
  it('either of two', async () =>
    expect(await through(either(eventsOf('RAW'), eventsOf('TEXT_END')))).toEqual(frame('RAW', 'STATUS', 'TEXT_END')))
  it('what is hidden still counts', async () => {
    const source = async function* (): AsyncGenerator<ChatEventDraft> {
      yield text('a')
    }
    const whole = await reduceResponse(respond(source(), new AbortController().signal, eventsOf()))
    expect(whole?.text).toBe('a')
  })
  it('the usual filter is the default', () =>
    expect(usualEvents({ ...(played([])[0] as ChatEvent), type: 'RAW' })).toBe(false))
})

describe('the laws', () => {
  const types = Object.keys(chatEventTypes) as ChatEventType[]
  const draft: fc.Arbitrary<ChatEventDraft> = fc
    .record({
      type: fc.constantFrom(...types.filter(type => !type.startsWith('RESPONSE'))),
      blockId: fc.option(fc.constantFrom('a', 'b', 'c')),
      index: fc.constantFrom(-1, 0, 1, 2),
      step: fc.constantFrom(0, 1, 2),
      text: fc.option(fc.string({ unit: 'grapheme', maxLength: 5 })),
      named: fc.boolean(),
    })
    .map(({ named, step, ...rest }) => ({
      ...rest,
      ...(rest.type.startsWith('STEP') ? { step } : {}),
      ...(named && rest.type.startsWith('TOOL_CALL')
        ? { toolCall: { id: rest.blockId, name: 'n', arguments: '' } }
        : {}),
      ...(rest.type === 'USAGE' ? { usage: { input: rest.index + 1 } } : {}),
    }))
  const sequence = fc.array(draft, { maxLength: 40 })

  it('boundaries balance, exactly one terminal event comes last, seq counts', () =>
    fc.assert(
      fc.property(sequence, fc.boolean(), (drafts, twice) => {
        const began = Date.now()
        const events = played(twice ? drafts.flatMap(each => [each, each]) : drafts)
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i))
        expect(events.every(({ at }) => at >= began && at <= Date.now())).toBe(true)
        expect(events.filter(({ type }) => isTerminal(type))).toHaveLength(1)
        expect(isTerminal(events.at(-1)?.type ?? 'RAW')).toBe(true)
        for (const group of ['TEXT', 'THINKING', 'TOOL_CALL', 'STEP'] as const) {
          let open = 0
          for (const { type } of events.filter(event => groupOf(event.type) === group)) {
            if (phaseOf(type) === 'START') open++
            if (phaseOf(type) === 'END') open--
            if (phaseOf(type) === 'DELTA') expect(open).toBeGreaterThan(0)
            expect(open).toBeGreaterThanOrEqual(0)
          }
          expect(open).toBe(0)
        }
      }),
    ))

  it('the deltas are the final text, byte for byte; a call with an id ends once', () =>
    fc.assert(
      fc.property(sequence, drafts => {
        const events = played(drafts)
        const joined = (type: ChatEventType) =>
          events.flatMap(event => (event.type === type ? [event.text ?? ''] : [])).join('')
        const whole = events.at(-1)?.response
        expect(whole?.text).toBe(joined('TEXT_DELTA'))
        expect(whole?.thinking).toBe(joined('THINKING_DELTA'))
        expect(whole?.refusal).toBe(joined('REFUSAL_DELTA'))
        const ended = events.flatMap(event =>
          event.type === 'TOOL_CALL_END' && event.toolCall?.id ? [event.toolCall.id] : [],
        )
        expect(new Set(ended).size).toBe(ended.length)
      }),
    ))
})
