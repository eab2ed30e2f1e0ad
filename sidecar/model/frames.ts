/**
 * The frames of a streaming answer: one POST, server-sent events out, four time budgets (spec of the model layer).
 * Promise: the socket is closed when the consumer stops or aborts, even before an answer came.
 */

import { createParser } from 'eventsource-parser'
import type { ChatFailure } from '#contract/chat-event'
import { failure, failureOfStatus, failureOfThrown } from './failure.ts'

export interface Frame {
  readonly event: string | null
  readonly data: string
}
export type FrameOrFailure = { frame: Frame } | { failure: ChatFailure }

export interface Budgets {
  /** ms until the first frame. */
  readonly firstMs: number
  /** ms between frames. */
  readonly idleMs: number
  readonly totalMs: number
}

/** `baseMs` 120,000: the first frame may take longer for a long request; gaps and the whole have their own bounds. */
export function budgetsFor(requestChars: number, baseMs = 120_000): Budgets {
  const long = Math.min(5, Math.max(1, Math.ceil(requestChars / 100_000)))
  return {
    firstMs: Math.min(baseMs * long, 600_000),
    idleMs: Math.max(15_000, Math.min(baseMs, 60_000)),
    totalMs: Math.min(Math.max(baseMs * 10, 600_000), 1_500_000),
  }
}

/** Ends after the last frame or the first failure. When `signal` aborts it just ends. Never throws. */
export async function* postForFrames(
  request: { provider: string; url: string; headers: Record<string, string>; body: string; budgets: Budgets },
  signal: AbortSignal,
): AsyncGenerator<FrameOrFailure> {
  const { provider, url, budgets } = request
  const socket = new AbortController()
  const abort = () => socket.abort()
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  let late: ChatFailure | null = null
  const deadline = (ms: number, words: string) =>
    setTimeout(() => {
      late = failure(
        'timeout',
        `${provider} ${words} What was answered so far is kept. Try again, or choose another model.`,
      )
      socket.abort()
    }, ms)
  const total = deadline(budgets.totalMs, `did not finish within ${Math.round(budgets.totalMs / 1000)} s.`)
  let pace = deadline(budgets.firstMs, `sent nothing for ${Math.round(budgets.firstMs / 1000)} s.`)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...request.headers },
      body: request.body,
      signal: socket.signal,
      redirect: 'error',
    })
    if (!response.ok) {
      yield { failure: failureOfStatus(provider, response.status, await textOf(response), response.headers) }
      return
    }
    const unfit = unfitType(provider, response)
    if (unfit) {
      yield { failure: unfit }
      return
    }
    const frames: Frame[] = []
    let head = ''
    const parser = createParser({ onEvent: ({ event, data }) => frames.push({ event: event ?? null, data }) })
    const decoder = new TextDecoder()
    let any = false
    for await (const bytes of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      clearTimeout(pace)
      pace = deadline(
        budgets.idleMs,
        `went silent for ${Math.round(budgets.idleMs / 1000)} s in the middle of its answer.`,
      )
      const text = decoder.decode(bytes, { stream: true })
      if (head.length < 200) head += text.slice(0, 200)
      parser.feed(text)
      for (const frame of frames.splice(0)) {
        any = true
        yield { frame }
      }
    }
    // A last event without its blank line is still an event.
    parser.feed('\n\n')
    for (const frame of frames.splice(0)) {
      any = true
      yield { frame }
    }
    if (!any)
      yield {
        failure: failure(
          'protocol',
          head.trim()
            ? `${provider} answered with something that is no event stream: ${head.trim().slice(0, 200)}. Check the base URL.`
            : `${provider} answered with nothing at all. Try again; if it stays so, check the base URL.`,
        ),
      }
  } catch (thrown) {
    if (late) yield { failure: late }
    else if (!signal.aborted) yield { failure: failureOfThrown(provider, url, thrown) }
  } finally {
    clearTimeout(total)
    clearTimeout(pace)
    signal.removeEventListener('abort', abort)
    socket.abort()
  }
}

function unfitType(provider: string, response: Response): ChatFailure | null {
  const type = response.headers.get('content-type') ?? ''
  if (!/^(text\/html|text\/xml|application\/(xml|xhtml))/i.test(type)) return null
  return failure(
    'protocol',
    `${provider} answered with a web page instead of a model's answer. The base URL is probably wrong, or a proxy stands between.`,
    response.status,
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
