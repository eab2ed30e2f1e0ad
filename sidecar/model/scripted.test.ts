/** The test model keeps the promises of the port: pairs closed, one terminal event, silence after an abort. */
import { describe, expect, it } from 'vitest'
import { isTerminal } from '#contract/chat-event'
import type { ModelMessage, ModelRequest } from '../agent/ports.ts'
import { createScripted } from './scripted.ts'
import type { ScriptInput } from './scripted-script.ts'

const user = (text: string): ModelMessage => ({ role: 'user', text, images: [] })
const assistant = (text: string): ModelMessage => ({ role: 'assistant', parts: [{ kind: 'text', text }] })
const result: ModelMessage = { role: 'tool', callId: 'c', tool: 't', text: 'ok', failed: false }
const request = (...messages: ModelMessage[]): ModelRequest => ({
  model: 'scripted/default',
  effort: 'auto',
  system: '',
  messages,
  tools: [],
  maxOutputTokens: null,
})

async function played(script: ScriptInput | undefined, ...messages: ModelMessage[]): Promise<string[]> {
  const seen: string[] = []
  for await (const event of createScripted({ script }).stream(request(...messages), new AbortController().signal)) {
    const say = event.text ?? event.toolCall?.name ?? event.failure?.code ?? event.finish
    seen.push(say ? `${event.type} ${say}` : event.type)
  }
  return seen
}

describe('the scripted model', () => {
  it('speaks, thinks and calls in whole pairs and ends once', async () => {
    const step = [{ reasoning: ['a', 'b'] }, { text: 'hi' }, { call: 'read', arguments: { path: 'x' } }]
    expect(await played([step], user('go'))).toEqual([
      'RESPONSE_START',
      'STEP_START',
      'THINKING_START',
      'THINKING_DELTA a',
      'THINKING_DELTA b',
      'THINKING_END',
      'TEXT_START',
      'TEXT_DELTA hi',
      'TEXT_END',
      'TOOL_CALL_START read',
      'TOOL_CALL_ARGS_DELTA {"path":"x"}',
      'TOOL_CALL_END {"path":"x"}',
      'USAGE',
      'STEP_END tool',
      'RESPONSE_END tool',
    ])
  })

  it('finds its step in the history, also when words came in between', async () => {
    const script = user('script:[[{"text":"one"}],[{"text":"two"}]]')
    const texts = async (...m: ModelMessage[]) =>
      (await played(undefined, ...m)).filter(x => x.startsWith('TEXT_DELTA'))
    expect(await texts(script)).toEqual(['TEXT_DELTA one'])
    expect(await texts(script, assistant('one'), result, user('by the way'))).toEqual(['TEXT_DELTA two'])
    expect(await texts(script, assistant('one'), user('hello'))).toEqual(['TEXT_DELTA You said: hello'])
  })

  it('says what is wrong with a script', async () => {
    expect((await played(undefined, user('script:[[{"txt":1}]]'))).at(-1)).toBe('ERROR bad_request')
  })

  it('plays the first rule that fits the words', async () => {
    const script: ScriptInput = { rules: [{ when: 'b+', steps: [[{ text: 'B' }]] }], steps: [[{ text: 'other' }]] }
    expect(await played(script, user('abba'))).toContain('TEXT_DELTA B')
    expect(await played(script, user('x'))).toContain('TEXT_DELTA other')
  })

  it('fails as often as it was told', async () => {
    const model = createScripted({
      script: [[{ error: 'rate_limit', times: 2, retryAfterMs: 1 }, { text: 'done' }]],
    })
    const ends: string[] = []
    for (let i = 0; i < 3; i++) {
      for await (const event of model.stream(request(user('go')), new AbortController().signal)) {
        if (isTerminal(event.type)) ends.push(event.failure?.code ?? event.type)
      }
    }
    expect(ends).toEqual(['rate_limit', 'rate_limit', 'RESPONSE_END'])
  })

  it('falls silent when it is aborted, also in a delay', async () => {
    const stop = new AbortController()
    const model = createScripted({ script: [[{ text: 'a' }, { delayMs: 60_000 }, { text: 'b' }]] })
    const seen: string[] = []
    for await (const event of model.stream(request(user('go')), stop.signal)) {
      seen.push(event.type)
      if (event.type === 'TEXT_END') stop.abort()
    }
    expect(seen).toEqual(['RESPONSE_START', 'STEP_START', 'TEXT_START', 'TEXT_DELTA', 'TEXT_END'])
  })
})
