/**
 * A model server on this machine that plays scripts in every protocol that Belay speaks, byte for byte, whole and broken; it keeps
 * what it was asked, and sees when a client goes away. For tests and journeys; who starts it closes it.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DialectName } from '../provider.ts'
import { encode, frameTexts } from './encode.case.ts'
import type { PlayedAnswer, Speaker } from './script.case.ts'
import { speakAnthropic } from './speak-anthropic.case.ts'
import { speakGemini } from './speak-gemini.case.ts'
import { speakOllama } from './speak-ollama.case.ts'
import { speakOpenAiChat } from './speak-openai-chat.case.ts'
import { speakOpenAiResponses } from './speak-openai-responses.case.ts'

export const speakers: Readonly<Record<DialectName, Speaker>> = {
  anthropic: speakAnthropic,
  'openai-chat': speakOpenAiChat,
  'openai-responses': speakOpenAiResponses,
  gemini: speakGemini,
  ollama: speakOllama,
}

/** The path that each is asked at, and what a base URL of it looks like. */
const places: readonly [dialect: DialectName, path: RegExp, base: string][] = [
  ['anthropic', /\/v1\/messages$/, ''],
  ['openai-chat', /\/chat\/completions$/, '/v1'],
  ['openai-responses', /\/responses$/, '/v1'],
  ['gemini', /:streamGenerateContent$/, '/v1beta'],
  ['ollama', /\/api\/chat$/, ''],
]

export interface Asked {
  readonly dialect: DialectName
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly json: Readonly<Record<string, unknown>>
  readonly model: string
  /** Resolves when the exchange is over: whether the client went away before the answer had ended. */
  readonly over: Promise<{ clientLeft: boolean }>
}

export interface PlayedServer {
  readonly url: string
  baseUrl(dialect: DialectName): string
  /** In the order they came, only those that ask for an answer. */
  readonly asked: readonly Asked[]
  /** Resolves when so many have been asked. */
  untilAsked(count: number): Promise<void>
  /** Behind what is still to be played. */
  play(...answers: readonly PlayedAnswer[]): void
  close(): Promise<void>
}

export interface PlayedServerOptions {
  /** Asked when nothing is left to play. */
  readonly answer?: (asked: Asked) => PlayedAnswer | Promise<PlayedAnswer>
  /** What `/models` lists. */
  readonly models?: readonly string[]
}

const nothing: PlayedAnswer = { http: { status: 500, body: '{"error":{"message":"Nothing is left to play."}}' } }

export async function startPlayedServer({
  answer,
  models = ['played'],
}: PlayedServerOptions = {}): Promise<PlayedServer> {
  const queue: PlayedAnswer[] = []
  const asked: Asked[] = []
  let wake = () => {}
  const server = createServer((request, response) => {
    request.socket.setNoDelay(true)
    response.on('error', () => {})
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (request.method === 'GET') return list(url, models, response)
    void take(request, response, url).catch(() => response.destroy())
  })
  const take = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const place = places.find(([, path]) => path.test(url.pathname))
    const over = new Promise<{ clientLeft: boolean }>(resolve => {
      response.on('close', () => resolve({ clientLeft: !response.writableFinished }))
    })
    let body = ''
    request.setEncoding('utf8')
    for await (const piece of request) body += piece
    if (!place) return void response.writeHead(404).end('{"error":{"message":"no such path"}}')
    const json = JSON.parse(body) as Record<string, unknown>
    const model = String(json.model ?? /models\/([^:]+)/.exec(url.pathname)?.[1] ?? '')
    const one: Asked = { dialect: place[0], url, headers: request.headers, body, json, model, over }
    asked.push(one)
    wake()
    await send(response, queue.shift() ?? (await answer?.(one)) ?? nothing, speakers[one.dialect], model)
  }
  // Longer than any test: a line that is closed just when it is used again is another story.
  server.keepAliveTimeout = 120_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    baseUrl: dialect => `${url}${places.find(([name]) => name === dialect)?.[2] ?? ''}`,
    asked,
    async untilAsked(count) {
      while (asked.length < count)
        await new Promise<void>(resolve => {
          wake = resolve
        })
    },
    play: (...answers) => void queue.push(...answers),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function list({ pathname }: URL, models: readonly string[], response: ServerResponse): void {
  const body = pathname.endsWith('/api/tags')
    ? { models: models.map(name => ({ name, model: name })) }
    : pathname.startsWith('/v1beta/') && !pathname.includes('/openai/')
      ? { models: models.map(name => ({ name: `models/${name}`, displayName: name })) }
      : {
          object: 'list',
          data: models.map(id => ({ id, object: 'model', type: 'model', display_name: id })),
          has_more: false,
        }
  const known = /\/(models|tags)$/.test(pathname)
  response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
  response.end(known ? JSON.stringify(body) : '{}')
}

async function send(response: ServerResponse, answer: PlayedAnswer, speaker: Speaker, model: string): Promise<void> {
  const { sending = {}, http } = answer
  if (sending.hang === 'headers') return
  if (http) {
    response.writeHead(http.status, { 'content-type': 'application/json', ...http.headers })
    return void response.end(http.body ?? '')
  }
  response.writeHead(200, { 'content-type': sending.whole ? 'application/json' : speaker.contentType })
  response.flushHeaders()
  if (sending.hang === 'first') return
  const texts = sending.whole ? [JSON.stringify(speaker.whole(answer, model))] : frameTexts(speaker, answer, model)
  const kept = sending.hang === 'middle' ? texts.slice(0, Math.ceil(texts.length / 2)) : texts
  for (const piece of encode(kept, sending)) {
    if (response.destroyed) return
    response.write(piece)
    // Each piece on its way before the next: else they travel together.
    if (sending.delayMs) await new Promise(resolve => setTimeout(resolve, sending.delayMs))
    else if (sending.pieces) await new Promise(resolve => setImmediate(resolve))
  }
  if (!sending.hang) response.end()
}
