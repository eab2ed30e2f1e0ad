/** A conversation of one step with a played server, or with bytes in memory: for the tests of every dialect. */

import { expect } from 'vitest'
import type { ChatEvent, ChatEventType } from '#contract/chat-event'
import { groupOf, isTerminal, phaseOf } from '#contract/chat-event'
import type { ModelRequest } from '../../agent/ports.ts'
import { allEvents } from '../filter.ts'
import type { Budgets } from '../pace.ts'
import { type DialectName, type Provider, providers } from '../provider.ts'
import { type Account, streamRemote } from '../remote.ts'
import { encode, frameTexts } from './encode.case.ts'
import type { PlayedAnswer } from './script.case.ts'
import { type PlayedServer, speakers } from './server.case.ts'

export const names: readonly DialectName[] = ['anthropic', 'openai-chat', 'openai-responses', 'gemini', 'ollama']
export const KEY = 'sk-secret-1234567890'
export const providerId: Readonly<Record<DialectName, string>> = {
  anthropic: 'anthropic',
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  gemini: 'gemini',
  ollama: 'ollama',
}
export const providerOf = (name: DialectName): Provider => {
  const found = providers.find(({ id }) => id === providerId[name])
  if (!found) throw new Error(name)
  return { ...found, dialect: name }
}
export const requestOf = (name: DialectName, facts: Partial<ModelRequest> = {}): ModelRequest => ({
  model: `${providerId[name]}/some-model`,
  effort: 'auto',
  system: 'be brief',
  messages: [{ role: 'user', text: 'hi', images: [] }],
  tools: [
    { name: 'read', description: 'reads', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
  ],
  maxOutputTokens: null,
  ...facts,
})
export const quick: Budgets = { firstMs: 8000, idleMs: 8000, totalMs: 16_000 }

export interface TalkOptions {
  readonly request?: Partial<ModelRequest>
  readonly budgets?: Budgets
  readonly signal?: AbortSignal
  readonly account?: Partial<Account>
  readonly seen?: (event: ChatEvent) => void
}

export async function talk(name: DialectName, baseUrl: string, options: TalkOptions = {}): Promise<ChatEvent[]> {
  const { request = {}, budgets = quick, signal = new AbortController().signal, account: more = {}, seen } = options
  const account: Account = { provider: providerOf(name), baseUrl, key: KEY, facts: null, ...more }
  const events: ChatEvent[] = []
  for await (const event of streamRemote(account, requestOf(name, request), signal, { budgets, filter: allEvents })) {
    events.push(event)
    seen?.(event)
  }
  return events
}

/** Over HTTP. */
export function hear(
  server: PlayedServer,
  name: DialectName,
  answer: PlayedAnswer,
  options?: TalkOptions,
): Promise<ChatEvent[]> {
  server.play(answer)
  return talk(name, server.baseUrl(name), options)
}

/** The same bytes without a socket: thousands of ways to cut them take no time. */
export function hearPieces(name: DialectName, pieces: readonly Uint8Array[]): Promise<ChatEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece)
      controller.close()
    },
  })
  const response = new Response(body, { headers: { 'content-type': speakers[name].contentType } })
  return talk(name, 'http://127.0.0.1:1', { account: { fetch: async () => response } })
}
export const piecesOfAnswer = (name: DialectName, answer: PlayedAnswer): Buffer[] =>
  encode(frameTexts(speakers[name], answer, 'some-model'), answer.sending ?? {})

/** Event types with what they carry, deltas joined, without what a line says of itself. */
export function told(events: readonly ChatEvent[]): string[] {
  const out: string[] = []
  for (const { type, text, toolCall, failure } of events) {
    if (type === 'HEARTBEAT') continue
    const word =
      phaseOf(type) === 'DELTA'
        ? `${type}:${text}`
        : toolCall
          ? `${type}:${toolCall.name}(${toolCall.arguments})`
          : failure
            ? `${type}:${failure.code}`
            : type
    const joins = phaseOf(type) === 'DELTA' && out.at(-1)?.startsWith(`${type}:`)
    if (joins) out[out.length - 1] = `${out.at(-1)}${text}`
    else out.push(word)
  }
  return out
}

/** Balanced, one terminal event and that last, and the deltas are the texts of the whole. */
export function expectLawful(events: readonly ChatEvent[]): void {
  expect(events.filter(({ type }) => isTerminal(type))).toHaveLength(1)
  expect(isTerminal(events.at(-1)?.type ?? 'RAW')).toBe(true)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i))
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
  const joined = (type: ChatEventType) =>
    events.flatMap(event => (event.type === type ? [event.text ?? ''] : [])).join('')
  const whole = events.at(-1)?.response
  expect(whole?.text).toBe(joined('TEXT_DELTA'))
  expect(whole?.thinking).toBe(joined('THINKING_DELTA'))
  expect(whole?.refusal).toBe(joined('REFUSAL_DELTA'))
  expect(JSON.stringify(events)).not.toContain(KEY)
}
