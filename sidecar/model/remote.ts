/** A model behind HTTP as a `Model`: frames through a dialect, whatever the network does. Stopping closes the socket. */
import type { ChatEvent, ChatEventDraft } from '#contract/chat-event'
import type { ModelRequest } from '../agent/ports.ts'
import { factsOf, type ModelFacts } from './catalog.ts'
import type { Dialect, FrameParser } from './dialect.ts'
import { dialects } from './dialects/index.ts'
import { failure } from './failure.ts'
import type { ChatFilter } from './filter.ts'
import { type Budgets, budgetsFor, postForFrames } from './frames.ts'
import type { Fetch } from './network.ts'
import type { Provider } from './provider.ts'
import { respond } from './response.ts'

/** Where to send and with what key; made fresh for every call, so that a changed key counts at once. */
export interface Account {
  readonly provider: Provider
  readonly baseUrl: string
  readonly key: string | null
  /** The person's own, laid over the dialect's. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Through a proxy, with a certificate; straight without it. */
  readonly fetch?: Fetch | undefined
  /** What is known of the model that is asked; the bundled table where it is undefined. */
  readonly facts?: ModelFacts | null | undefined
}

/** How a call says who asks. */
export const headersOf = ({ provider, key, headers }: Account, dialect: Dialect): Record<string, string> =>
  provider.auth && key !== null
    ? { ...dialect.headers(null), [provider.auth]: key, ...headers }
    : { ...dialect.headers(key), ...headers }

/** A provider that pauses more often than this in one answer goes round in a circle. */
const MOST_PAUSES = 8

/** Without `budgets` they follow the size of the request and `patienceMs`. */
export function streamRemote(
  account: Account,
  request: ModelRequest,
  signal: AbortSignal,
  options: { budgets?: Budgets | undefined; patienceMs?: number; filter?: ChatFilter | undefined } = {},
): AsyncGenerator<ChatEvent> {
  const { budgets, patienceMs, filter } = options
  const budgetsOf = (chars: number) => budgets ?? budgetsFor(chars, patienceMs)
  return respond(draftsOf(account, request, signal, budgetsOf), signal, filter)
}

/** One step, and one more for every time the provider pauses to be asked again. */
async function* draftsOf(
  account: Account,
  request: ModelRequest,
  signal: AbortSignal,
  budgetsOf: (chars: number) => Budgets,
): AsyncGenerator<ChatEventDraft> {
  const dialect = dialects[account.provider.dialect]
  const facts = account.facts === undefined ? factsOf(request.model) : account.facts
  let paused: unknown
  for (let step = 0; step <= MOST_PAUSES; step++) {
    yield { type: 'STEP_START', step }
    const { json, dropped } = dialect.body(request, facts, paused)
    for (const text of dropped) yield { type: 'STATUS', subType: 'dropped', text }
    const parser = dialect.parser()
    yield* framesOf(account, dialect, parser, request, { json, budgets: budgetsOf(json.length) }, signal)
    if (!parser.complete) {
      const words = `The answer of ${account.provider.label} broke off before it was complete and may be truncated. What came is kept; say "continue" to go on.`
      yield { type: 'ERROR', failure: failure('truncated', words) }
    }
    yield { type: 'STEP_END', step, finish: parser.finish }
    paused = parser.paused
    if (paused === undefined) return
  }
}

async function* framesOf(
  account: Account,
  dialect: Dialect,
  parser: FrameParser,
  request: ModelRequest,
  { json, budgets }: { json: string; budgets: Budgets },
  signal: AbortSignal,
): AsyncGenerator<ChatEventDraft> {
  const { provider, baseUrl } = account
  const frames = postForFrames(
    {
      provider: provider.label,
      url: dialect.url(baseUrl.replace(/\/+$/, ''), request),
      headers: headersOf(account, dialect),
      fetch: account.fetch,
      body: json,
      framing: dialect.framing,
      budgets,
    },
    signal,
  )
  let unread = ''
  let read = false
  for await (const each of frames) {
    if ('failure' in each) {
      // Complete is complete: how the line ended after that is nobody's concern.
      if (!parser.complete) yield { type: 'ERROR', failure: each.failure }
      return
    }
    if (/^\s*[[{]/.test(each.frame.data)) read = true
    else unread = each.frame.data
    yield* parser.next(each.frame)
    if (parser.over) return
  }
  if (!read && !parser.complete && unread !== '') {
    const words = `${provider.label} answered with frames that Belay cannot recognise: ${unread.slice(0, 200)}. Check the base URL and the kind of provider.`
    yield { type: 'ERROR', failure: failure('protocol', words) }
  }
}
