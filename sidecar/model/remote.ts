/** A model behind HTTP as a `Model`: frames through a dialect, whatever the network does. Stopping closes the socket. */
import type { ChatEvent, ChatEventDraft, ChatFailure } from '#contract/chat-event'
import type { ModelRequest } from '../agent/ports.ts'
import type { Emitter } from '../base/emitter.ts'
import { factsOf, type ModelFacts } from './catalog.ts'
import type { Dialect, FrameParser } from './dialect.ts'
import { dialects } from './dialects/index.ts'
import { failure } from './failure.ts'
import type { ChatFilter } from './filter.ts'
import { postForFrames } from './frames.ts'
import type { Fetch } from './network.ts'
import { type Budgets, budgetsFor } from './pace.ts'
import { dialectOf, type Provider, splitModel } from './provider.ts'
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
  options: {
    budgets?: Budgets | undefined
    patienceMs?: number
    filter?: ChatFilter | undefined
    /** Told when this machine has slept. */
    resumed?: Emitter<void>
  } = {},
): AsyncGenerator<ChatEvent> {
  const { budgets, patienceMs, filter, resumed } = options
  const budgetsOf = (chars: number) => budgets ?? budgetsFor(chars, patienceMs)
  return respond(withoutKey(account, draftsOf({ account, request, budgetsOf, resumed, signal })), signal, filter)
}

/** Servers say back what they were sent: a key, or a secret of a header, is struck out of what they say of a failure. */
export async function* withoutKey(
  { key, headers = {} }: Account,
  drafts: AsyncIterable<ChatEventDraft>,
): AsyncGenerator<ChatEventDraft> {
  const secrets = [key ?? '', ...Object.values(headers)].filter(({ length }) => length >= 8)
  const strike = (text: string) => secrets.reduce((left, secret) => left.replaceAll(secret, '[hidden]'), text)
  for await (const draft of drafts) {
    const { failure: said } = draft
    yield said ? { ...draft, failure: { ...said, message: strike(said.message) } } : draft
  }
}

/** What a server once refused is not asked of it again while Belay runs: by base URL and model. */
const refusals = new Map<string, Set<string>>()
const refusalsOf = (baseUrl: string, model: string): Set<string> => {
  const key = `${baseUrl} ${model}`
  const known = refusals.get(key) ?? new Set<string>()
  refusals.set(key, known)
  return known
}

/** One step, and one more for every time the provider pauses to be asked again. */
async function* draftsOf(
  asked: Pick<Call, 'account' | 'request' | 'budgetsOf' | 'resumed' | 'signal'>,
): AsyncGenerator<ChatEventDraft> {
  const { account, request } = asked
  const call: Call = {
    ...asked,
    facts: account.facts === undefined ? factsOf(request.model) : account.facts,
    dialect: dialects[dialectOf(account.provider, account.baseUrl)],
    without: refusalsOf(account.baseUrl, request.model),
  }
  let paused: unknown
  for (let step = 0; step <= MOST_PAUSES; step++) {
    yield { type: 'STEP_START', step }
    const parser = yield* answerOf(call, paused)
    if (!parser.complete) {
      const words = `The answer of ${account.provider.label} broke off before it was complete and may be truncated. What came is kept; say "continue" to go on.`
      yield { type: 'ERROR', failure: failure('truncated', words) }
    }
    yield { type: 'STEP_END', step, finish: parser.finish }
    paused = parser.paused
    if (paused === undefined) return
  }
}

interface Call {
  readonly account: Account
  readonly request: ModelRequest
  readonly facts: ModelFacts | null
  readonly dialect: Dialect
  /** Grows by what the server refuses. */
  readonly without: Set<string>
  readonly budgetsOf: (chars: number) => Budgets
  readonly resumed: Emitter<void> | undefined
  readonly signal: AbortSignal
}

/** Asks again without an optional field when the server refused the request for it; nothing was answered then. */
async function* answerOf(call: Call, paused: unknown): AsyncGenerator<ChatEventDraft, FrameParser> {
  const { account, request, facts, dialect, without } = call
  const told = new Set<string>()
  for (;;) {
    const { json, dropped } = dialect.body(request, facts, paused, without)
    for (const text of dropped) if (!told.has(text)) yield { type: 'STATUS', subType: 'dropped', text }
    for (const text of dropped) told.add(text)
    const parser = dialect.parser()
    const holds = (name: string) => dialect.body(request, facts, paused, new Set([...without, name])).json !== json
    let field: string | null = null
    for await (const draft of framesOf(call, parser, json)) {
      field = draft.failure ? refusedField(draft.failure, without, dialect, holds) : null
      if (field === null) yield draft
    }
    if (field === null) return parser
    without.add(field)
    const words = `${account.provider.label} does not take ${field} for ${splitModel(request.model).id}; it is asked without.`
    yield { type: 'STATUS', subType: 'dropped', text: words }
  }
}

/** `holds`: whether the request that was refused has it. */
function refusedField(
  { status, message }: ChatFailure,
  without: Set<string>,
  { optional = {} }: Dialect,
  holds: (name: string) => boolean,
): string | null {
  if (status !== 400 && status !== 422) return null
  if (
    !/unknown|unsupported|unrecogni[sz]ed|not (supported|support|allowed|permitted|enabled|valid)|extra|invalid|unexpected|verified|must (be|have|not|start)/i.test(
      message,
    )
  )
    return null
  const found = Object.entries(optional).find(
    ([name, words]) => !without.has(name) && words.test(message) && holds(name),
  )
  return found?.[0] ?? null
}

async function* framesOf(
  { account, request, dialect, budgetsOf, resumed, signal }: Call,
  parser: FrameParser,
  json: string,
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
      budgets: budgetsOf(json.length),
      resumed,
      isComplete: () => parser.complete,
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
