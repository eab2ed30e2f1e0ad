/**
 * The frames of a streaming answer: one POST, server-sent events out, four time budgets (spec of the model layer).
 * Promise: the socket is closed when the consumer stops or aborts, even before an answer came.
 */

import { createParser } from 'eventsource-parser'
import type { ChatFailure } from '#contract/chat-event'
import type { Emitter } from '../base/emitter.ts'
import { failure, failureOfBreak, failureOfStatus, failureOfThrown, hostOf } from './failure.ts'
import type { Fetch } from './network.ts'
import { type Budgets, createPace } from './pace.ts'

export interface Frame {
  readonly event: string | null
  readonly data: string
}
export type FrameOrFailure = { frame: Frame } | { failure: ChatFailure }

export interface FrameRequest {
  /** Its label, for messages. */
  readonly provider: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly framing: Framing
  readonly fetch?: Fetch | undefined
  readonly budgets: Budgets
  /** Told when this machine has slept: the connection is probably cut off without a word. */
  readonly resumed?: Emitter<void> | undefined
  /** Whether the frames so far are a complete answer: then only what trails it, like usage, is waited for, and not long. */
  readonly isComplete?: () => boolean
}
/** UTF-16 units: more than any answer is, and what a hostile server could fill the memory with. */
const MAX_FRAME_CHARS = 64 * 1024 * 1024
/** Server-sent events, or a JSON document on each line. */
export type Framing = 'sse' | 'lines'

/** Ends after the last frame or the first failure. When `signal` aborts it just ends. Never throws. */
export async function* postForFrames(request: FrameRequest, signal: AbortSignal): AsyncGenerator<FrameOrFailure> {
  const { provider, url, budgets } = request
  const socket = new AbortController()
  const abort = () => socket.abort()
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  let any = false
  const pace = createPace(provider, budgets, abort, request.resumed)
  try {
    const response = await (request.fetch ?? fetch)(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...request.headers },
      body: request.body,
      signal: socket.signal,
      redirect: 'manual',
    })
    const unfit = await unfitAnswer(provider, url, response)
    if (unfit) return yield { failure: unfit }
    const framer = createFramer(request.framing)
    const decoder = new TextDecoder()
    let head = ''
    let unframed = 0
    for await (const bytes of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      pace.heard()
      const text = decoder.decode(bytes, { stream: true })
      if (head.length < 200) head += text.slice(0, 200)
      unframed += text.length
      for (const frame of framer.feed(text)) {
        any = true
        unframed = 0
        yield { frame }
      }
      if (unframed > MAX_FRAME_CHARS) return yield { failure: failure('protocol', endless(provider)) }
      if (request.isComplete?.()) pace.completed()
    }
    for (const frame of framer.end()) {
      any = true
      yield { frame }
    }
    if (!any) yield { failure: failure('protocol', noFrames(provider, head.trim())) }
  } catch (thrown) {
    if (pace.late) yield { failure: pace.late }
    else if (!signal.aborted)
      yield { failure: any ? failureOfBreak(provider, thrown) : failureOfThrown(provider, url, thrown) }
  } finally {
    pace.end()
    signal.removeEventListener('abort', abort)
    socket.abort()
  }
}

const noFrames = (provider: string, head: string): string =>
  head
    ? `${provider} answered with something that is no event stream: ${head.slice(0, 200)}. What was said so far is kept; check the base URL.`
    : `${provider} answered with nothing at all: the response is empty. What was said so far is kept. Try again; if it stays so, check the base URL.`

const endless = (provider: string): string =>
  `${provider} sent more than ${MAX_FRAME_CHARS / 1024 / 1024} MB as one piece, so Belay stopped reading. What was answered so far is kept.`

/** Text to frames, wherever it is cut. */
export interface Framer {
  feed(text: string): Frame[]
  /** What was left without its end: a last event without its blank line is still an event. */
  end(): Frame[]
}

export function createFramer(framing: Framing): Framer {
  if (framing === 'lines') return createLineFramer()
  let framer: Framer | null = null
  let head = ''
  return {
    feed(text) {
      if (framer) return framer.feed(text)
      head += text
      const first = head.trimStart()[0]
      if (first === undefined) return []
      // An event never begins like JSON: a server that does not stream, whatever it calls its answer, sent one document.
      framer = first === '{' || first === '[' ? createWholeFramer() : createEventFramer()
      return framer.feed(head)
    },
    end: () => framer?.end() ?? [],
  }
}

function createWholeFramer(): Framer {
  const pieces: string[] = []
  return {
    feed(text) {
      pieces.push(text)
      return []
    },
    end: () => documentIn(pieces.join('')),
  }
}

function createLineFramer(): Framer {
  let rest: string[] = []
  const documents = (text: string): Frame[] => text.split(/\r?\n/).flatMap(documentIn)
  return {
    feed(text) {
      const end = text.lastIndexOf('\n')
      if (end < 0) {
        rest.push(text)
        return []
      }
      const whole = rest.join('') + text.slice(0, end)
      rest = [text.slice(end + 1)]
      return documents(whole)
    },
    end: () => documents(rest.join('')),
  }
}

const documentIn = (text: string): Frame[] => (text.trim() === '' ? [] : [{ event: null, data: text.trim() }])

function createEventFramer(): Framer {
  let frames: Frame[] = []
  const parser = createParser({ onEvent: ({ event, data }) => frames.push({ event: event ?? null, data }) })
  const taken = (): Frame[] => {
    const out = frames
    frames = []
    return out
  }
  return {
    feed(text) {
      parser.feed(text)
      return taken()
    },
    end() {
      parser.feed('\n\n')
      return taken()
    },
  }
}

/** Why this answer is none of a model; its body is read only where it says why. */
async function unfitAnswer(provider: string, url: string, response: Response): Promise<ChatFailure | null> {
  const { status, headers } = response
  if (status >= 300 && status < 400) {
    const to = headers.get('location') ?? 'nowhere'
    const words = `${provider} wants the request sent on to ${hostOf(URL.canParse(to, url) ? new URL(to, url).href : to)}. Belay does not send a key on; if that address is right, make it the base URL.`
    return failure('protocol', words, status)
  }
  if (!response.ok) return failureOfStatus(provider, status, await textOf(response), headers)
  if (!/^(text\/html|text\/xml|application\/(xml|xhtml))/i.test(headers.get('content-type') ?? '')) return null
  return failure(
    'protocol',
    `${provider} answered with a web page instead of a model's answer. The base URL is probably wrong, or a proxy stands between. What was said so far is kept; check the base URL under Settings, Models.`,
    status,
  )
}

/** At most 64 KB of an error's body. */
async function textOf(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const bytes of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      text += decoder.decode(bytes, { stream: true })
      if (text.length > 64 * 1024) break
    }
  } catch {
    // What came before the break is enough for a message.
  }
  return text
}
