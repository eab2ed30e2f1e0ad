/** What each dialect sends: the same bytes from step to step, what a provider gave goes back to it alone, what is lost is said. */
import { describe, expect, it } from 'vitest'
import type { AssistantPart, ModelMessage, ModelRequest } from '../../agent/ports.ts'
import type { ModelFacts } from '../catalog.ts'
import { FOREIGN_REASONING } from '../dialect.ts'
import type { DialectName } from '../provider.ts'
import type { Said } from '../server/script.case.ts'
import { hearPieces, names, piecesOfAnswer, providerId, requestOf } from '../server/talk.case.ts'
import { dialects } from './index.ts'

const facts = (changes: Partial<ModelFacts> = {}): ModelFacts => ({
  contextTokens: 200_000,
  outputTokens: 32_000,
  input: ['image', 'pdf'],
  reasoning: { control: 'effort', levels: { low: 'low', high: 'high' } },
  price: null,
  ...changes,
})
const bodyOf = (name: DialectName, request: Partial<ModelRequest>, known: ModelFacts | null = facts()) => {
  const { json, dropped } = dialects[name].body(requestOf(name, request), known)
  return { json, dropped, body: JSON.parse(json) as Record<string, unknown> }
}
const user = (text: string): ModelMessage => ({ role: 'user', text, images: [] })
const result = (callId: string, text: string, failed = false): ModelMessage => ({
  role: 'tool',
  callId,
  tool: 'read',
  text,
  failed,
})

/** What the agent makes of an answer: its events as the parts of the next request. */
async function partsOf(name: DialectName, said: readonly Said[]): Promise<AssistantPart[]> {
  const events = await hearPieces(name, piecesOfAnswer(name, { said }))
  const parts: AssistantPart[] = []
  const opaqueOf = (data: unknown) => (data ? { provider: providerId[name], data } : null)
  let text = ''
  let opaque: unknown = null
  for (const event of events) {
    if (event.type.endsWith('_START')) text = ''
    if (event.type === 'TEXT_DELTA' || event.type === 'THINKING_DELTA') text += event.text ?? ''
    if (event.opaque) opaque = event.opaque
    if (event.type === 'TEXT_END') parts.push({ kind: 'text', text, opaque: opaqueOf(opaque) })
    else if (event.type === 'THINKING_END')
      parts.push({ kind: 'reasoning', text, redacted: false, opaque: opaqueOf(opaque) })
    else if (event.type === 'THINKING_REDACTED')
      parts.push({ kind: 'reasoning', text: '', redacted: true, opaque: opaqueOf(opaque) })
    else if (event.type === 'SERVER_TOOL_RESULT')
      parts.push({ kind: 'server', tool: event.subType ?? '', text: event.text ?? '', opaque: opaqueOf(opaque) })
    else if (event.type === 'TOOL_CALL_END' && event.toolCall)
      parts.push({
        kind: 'call',
        callId: event.toolCall.id ?? 'call_x',
        tool: event.toolCall.name,
        arguments: event.toolCall.arguments,
      })
    else continue
    opaque = null
  }
  return parts
}
const answer: readonly Said[] = [
  { thinking: 'hm', signature: 'SIG-1' },
  { text: 'I look.' },
  {
    parallel: [
      { call: 'read', id: 'call_1', arguments: { path: 'a' } },
      { call: 'read', id: 'call_2', arguments: { path: 'b' } },
    ],
  },
]

describe.each(names)('%s', name => {
  it('each step begins with the bytes of the one before', async () => {
    const parts = await partsOf(name, answer)
    const history: ModelMessage[] = [
      user('do it'),
      { role: 'assistant', parts },
      result('call_1', 'text a'),
      result('call_2', 'no such file', true),
      { role: 'assistant', parts: [{ kind: 'text', text: 'Done.' }] },
      user('and now?'),
    ]
    // Anthropic's mark moves with the end, and is no part of what is compared.
    const bytes = (count: number) =>
      bodyOf(name, { messages: history.slice(0, count) }).json.replaceAll(',"cache_control":{"type":"ephemeral"}', '')
    const inner = (json: string) => json.slice(0, json.lastIndexOf(']'))
    for (const [before, after] of [
      [1, 4],
      [4, 5],
      [5, 6],
    ] as const)
      expect(bytes(after).startsWith(inner(bytes(before)).replace(/\]\}$/, ''))).toBe(true)
    expect(bytes(6)).toBe(bytes(6))
  })

  it('what was thought goes back to who thought it, and to no other', async () => {
    const parts = await partsOf(name, answer)
    const messages = [
      user('do it'),
      { role: 'assistant', parts } as const,
      result('call_1', 'a'),
      result('call_2', 'b'),
    ]
    const own = bodyOf(name, { messages })
    expect(own.dropped).toEqual([])
    expect(own.json).toContain(
      { 'openai-chat': '"reasoning_content":"hm"', ollama: '"thinking":"hm"' }[name as string] ?? 'SIG-1',
    )
    for (const other of names.filter(each => providerId[each] !== providerId[name])) {
      const foreign = bodyOf(other, { messages })
      expect(foreign.dropped, other).toEqual([FOREIGN_REASONING])
      expect(foreign.json).not.toMatch(/SIG-1|"hm"/)
      expect(foreign.json).toContain('I look.')
      expect(foreign.json).toMatch(/"path"|\\"path\\"/)
    }
  })

  it('says which files it does not take, and sends the rest', () => {
    const image = { mediaType: 'image/png', base64: 'AA==' }
    const pdf = { mediaType: 'application/pdf', base64: 'UERG', name: 'a.pdf' }
    const sound = { mediaType: 'audio/mp3', base64: 'U09VTkQ=' }
    const messages: ModelMessage[] = [{ role: 'user', text: 'see', images: [image], files: [pdf, sound] }]
    const { json, dropped } = bodyOf(name, { messages })
    const takesPdf = name !== 'ollama'
    expect(json).toContain('AA==')
    expect(json.includes('UERG')).toBe(takesPdf)
    expect(json).not.toContain('U09VTkQ=')
    expect(dropped).toEqual([
      ...(takesPdf ? [] : ['This model takes no application/pdf, so it was not sent.']),
      'This model takes no audio/mp3, so it was not sent.',
    ])
    expect(bodyOf(name, { messages }, facts({ input: [] })).json).not.toMatch(/AA==|UERG/)
  })

  it('asks for effort by the level that is known, and for nothing where none is', () => {
    const thinks = /effort|thinking|think"|reasoning/
    expect(bodyOf(name, { effort: 'high' }).json).toMatch(thinks)
    expect(bodyOf(name, { effort: 'high' }, null).json.replace('"messages"', '')).not.toMatch(thinks)
    expect(bodyOf(name, { effort: 'high' }, facts({ reasoning: null })).json).not.toMatch(thinks)
  })

  it('asks for an answer of a schema', () => {
    const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }
    const answer = { name: 'title', schema }
    const { json } = bodyOf(name, { answer, tools: [] })
    expect(json).toContain('"title":{"type":"string"}')
    // These two could call no tool any more if they were held to it.
    const beside = bodyOf(name, { answer }).json.includes('"title":{"type":"string"}')
    expect(beside).toBe(name !== 'gemini' && name !== 'ollama')
  })
})

describe('Anthropic', () => {
  it('marks for the cache the system prompt, the last tool, and the end of what was said', () => {
    const tools = ['list', 'read'].map(name => ({ name, description: '', parameters: {} }))
    const messages = [user('do it'), result('call_1', 'a'), result('call_2', 'b')]
    const { body } = bodyOf('anthropic', { tools, messages })
    const marked = (blocks: unknown) => (blocks as object[]).map(each => 'cache_control' in each)
    expect([marked(body.system), marked(body.tools)]).toEqual([[true], [false, true]])
    expect((body.messages as { content: object[] }[]).map(({ content }) => marked(content))).toEqual([
      [false, false, true],
    ])
  })
  it('marks the end of the request before too: one step of many calls is longer than the cache looks back', () => {
    const parts = Array.from({ length: 15 }, (_, i) => ({
      ...({ kind: 'call', callId: `call_${i}`, tool: 'read', arguments: '{}' } as const),
    }))
    const history: ModelMessage[] = [
      user('do it'),
      { role: 'assistant', parts },
      ...parts.map(({ callId }) => result(callId, 'a')),
    ]
    const ends = (messages: ModelMessage[]) =>
      (bodyOf('anthropic', { messages }).body.messages as { content: object[] }[]).map(({ content }) =>
        content.map((each, i) => ('cache_control' in each ? i : -1)).filter(i => i >= 0),
      )
    expect(ends(history)).toEqual([[0], [], [14]])
    const done: ModelMessage = { role: 'assistant', parts: [{ kind: 'text', text: 'Done.' }] }
    const later = [...history, done, user('more')]
    expect(ends(later)).toEqual([[], [], [14], [], [0]])
    expect(bodyOf('anthropic', { messages: later }).json.match(/cache_control/g)).toHaveLength(4)
  })
  it('tells effort and the schema of an answer in one place, each without the other too', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false }
    const answer = { name: 'title', schema }
    const output = (request: Partial<ModelRequest>) => bodyOf('anthropic', request).body.output_config
    const format = { type: 'json_schema', schema }
    expect(output({ answer, effort: 'high' })).toEqual({ effort: 'high', format })
    expect(output({ answer })).toEqual({ format })
    expect(output({ effort: 'high' })).toEqual({ effort: 'high' })
    expect(output({})).toBeUndefined()
  })
})

describe('OpenAI Responses', () => {
  const name = 'openai-responses'
  it('keeps nothing there, and has one cache key for a session', () => {
    const first = bodyOf(name, { messages: [user('do it')] }).body
    const later = bodyOf(name, {
      messages: [user('do it'), { role: 'assistant', parts: [{ kind: 'text', text: 'a' }] }, user('b')],
    }).body
    const other = bodyOf(name, { messages: [user('something else')] }).body
    expect(first).toMatchObject({ store: false, include: ['reasoning.encrypted_content'], instructions: 'be brief' })
    expect(first.prompt_cache_key).toBe(later.prompt_cache_key)
    expect(first.prompt_cache_key).not.toBe(other.prompt_cache_key)
  })
  it('does not send back reasoning that nothing followed', () => {
    const item = { type: 'reasoning', summary: [], encrypted_content: 'E' }
    const alone: AssistantPart = {
      kind: 'reasoning',
      text: '',
      redacted: false,
      opaque: { provider: 'openai', data: { item } },
    }
    expect(
      bodyOf(name, { messages: [user('a'), { role: 'assistant', parts: [alone] }, user('b')] }).json,
    ).not.toContain('"E"')
  })
})

describe('Gemini', () => {
  const name = 'gemini'
  const called: ModelMessage[] = [
    user('a'),
    { role: 'assistant', parts: [{ kind: 'call', callId: 'c', tool: 'read', arguments: '{"path":"x"}' }] },
    result('c', 'it failed', true),
  ]
  it('tells results by name, beside each other', () => {
    const { body } = bodyOf(name, { messages: called, model: 'gemini/gemini-2.5-pro' })
    expect(body.contents).toEqual([
      { role: 'user', parts: [{ text: 'a' }] },
      { role: 'model', parts: [{ functionCall: { name: 'read', args: { path: 'x' } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'read', response: { error: 'it failed' } } }] },
    ])
  })
  it('signs a call of another model by the word that Google has for it', () =>
    expect(bodyOf(name, { messages: called, model: 'gemini/gemini-3-pro' }).json).toContain(
      'skip_thought_signature_validator',
    ))
  it('gives a call its own signature back, and only the first of several', async () => {
    const parts = await partsOf(name, [
      {
        parallel: [
          { call: 'read', arguments: {} },
          { call: 'read', arguments: {} },
        ],
      },
    ])
    const { body } = bodyOf(name, { messages: [user('a'), { role: 'assistant', parts }] })
    const [, model] = body.contents as { parts: { thoughtSignature?: string }[] }[]
    expect(model?.parts.map(part => part.thoughtSignature)).toEqual(['Ep8BCpwB', undefined])
  })
  it('keeps the key out of the address', () =>
    expect(dialects.gemini.url('https://x/v1beta/openai', requestOf(name))).toBe(
      'https://x/v1beta/models/some-model:streamGenerateContent?alt=sse',
    ))
})
