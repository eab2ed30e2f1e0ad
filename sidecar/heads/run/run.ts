/**
 * One prompt, one answer, over the same wire as a window. It answers the asks of its own turn, by its flags only: the core
 * has applied them already, so what still asks is denied, and the denial names the flag that would have allowed it.
 */

import type { MessageConnection } from 'vscode-jsonrpc'
import { type Client, createClient } from '#contract/client'
import { BelayError, type Fault, toFault } from '#contract/error'
import type { RequestId, SessionId, TurnId, WorkspaceId } from '#contract/id'
import { type BelayContract, contract } from '#contract/index'
import { lastWords } from '#contract/last-words'
import { PROTOCOL_VERSION } from '#contract/protocol'
import type { PromptPart } from '#contract/session'
import type { AskedCall, SessionEvent, SessionEventOf } from '#contract/session-event'
import { addUsage, foldSession, type SessionState } from '#contract/session-fold'
import { stateFrom } from '#contract/session-window'
import { newId } from '../../base/id.ts'
import type { RunArguments } from './arguments.ts'

export interface RunRequest {
  connection: MessageConnection
  workspaceId: WorkspaceId
  arguments: RunArguments
  prompt: string
  /** What came on stdin beside a prompt on the command line; '' for nothing. */
  context: string
  /** Aborts on the first signal: the turn is stopped, what it said is still told. */
  signal: AbortSignal
}

export interface RunResult {
  /** The answer; '' when there is none. */
  text: string
  sessionId: SessionId | ''
  outcome: SessionEventOf<'turn.ended'>['outcome']
  error: Fault | { code: string; message: string } | null
  usage: { input: number; output: number } | null
  cost: number | null
  durationMs: number
  /** Calls that were denied because nobody was there to ask, each with the flag that would have allowed it. */
  denied: string[]
}

/** Never rejects: faults are an `error` outcome. */
export async function run(request: RunRequest): Promise<RunResult> {
  const startedAt = performance.now()
  const result: RunResult = {
    text: '',
    sessionId: '',
    outcome: 'error',
    error: null,
    usage: null,
    cost: null,
    durationMs: 0,
    denied: [],
  }
  try {
    await talk(request, result)
  } catch (thrown) {
    result.error = toFault(thrown)
  }
  result.durationMs = Math.round(performance.now() - startedAt)
  return result
}

async function talk(request: RunRequest, result: RunResult): Promise<void> {
  const client = createClient(contract, request.connection)
  const { mode, model, allowedTools, disallowedTools, maxTurns } = request.arguments
  await client.link.hello({ protocol: PROTOCOL_VERSION, name: 'run', clientId: newId('run') })
  const { sessionId } = await client.session.create({
    workspaceId: request.workspaceId,
    mode: mode ?? undefined,
    model: model ?? undefined,
    flags: { allowedTools: allowedTools ?? undefined, disallowedTools, maxTurns: maxTurns ?? undefined },
  })
  result.sessionId = sessionId
  const following = follow(client, sessionId)
  const state = stateFrom(await client.session.open({ sessionId }))
  const requestId = crypto.randomUUID() as RequestId
  const onAbort = () => void client.session.stop({ sessionId }).catch(() => {})
  request.signal.addEventListener('abort', onAbort, { once: true })
  try {
    const prompted = client.session.prompt({ sessionId, requestId, parts: partsOf(request), whenRunning: 'queue' })
    prompted.catch(following.fail)
    request.connection.onClose(() =>
      following.fail(new BelayError('disconnected', 'The core ended before the answer did.')),
    )
    if (request.signal.aborted) void prompted.then(onAbort)
    let turnId: TurnId | null = null
    const helpers: SessionEventOf<'subagent.ended'>[] = []
    for await (const event of following.events) {
      if (foldSession(state, event) === 'reopen') throw new BelayError('internal', 'An event of the session was lost.')
      if (event.type === 'message.added' && event.requestId === requestId) turnId = event.turnId
      if (turnId && 'turnId' in event && event.turnId === turnId) void answer(client, sessionId, event, request, result)
      if (event.type === 'subagent.ended') helpers.push(event)
      if (event.type === 'turn.ended' && event.turnId === turnId) return finish(state, event, helpers, result)
    }
  } finally {
    request.signal.removeEventListener('abort', onAbort)
    following.end()
  }
}

function partsOf({ prompt, context }: RunRequest): PromptPart[] {
  const parts: PromptPart[] = [{ kind: 'text', text: prompt }]
  if (context.trim() === '') return parts
  const base64 = Buffer.from(context, 'utf8').toString('base64')
  return [...parts, { kind: 'bytes', name: 'stdin', mediaType: 'text/plain', base64 }]
}

/** The session's events one by one, from now on. */
function follow(client: Client<BelayContract>, sessionId: SessionId) {
  const waiting: SessionEvent[] = []
  let fault: unknown = null
  let ended = false
  let wake = () => {}
  const forget = client.on('session/happened', batch => {
    if (batch.sessionId !== sessionId) return
    waiting.push(...batch.events)
    wake()
  })
  async function* events(): AsyncGenerator<SessionEvent> {
    while (!ended) {
      const event = waiting.shift()
      if (event) yield event
      else if (fault) throw fault
      else
        await new Promise<void>(resolve => {
          wake = resolve
        })
    }
  }
  return {
    events: events(),
    fail(thrown: unknown) {
      fault ??= thrown
      wake()
    },
    end() {
      ended = true
      forget()
      wake()
    },
  }
}

/** Never rejects: an ask that is gone by now needs no answer. */
async function answer(
  { session }: Client<BelayContract>,
  sessionId: SessionId,
  event: SessionEvent,
  request: RunRequest,
  result: RunResult,
): Promise<void> {
  try {
    if (event.type === 'permission.asked') {
      const answers = event.calls.map(call => {
        const way = wayFor(call, request.arguments.allowedTools)
        const what = call.kind === 'command' ? call.exact.split('\n', 1)[0]?.slice(0, 80) : call.where
        result.denied.push(`${call.tool} ${what} (${way})`)
        const words = `Nobody is there to ask in this run. ${way} Go on without it, and say so in your answer.`
        return { callId: call.callId, verdict: 'deny' as const, remember: 'once' as const, words }
      })
      await session.answerPermission({ sessionId, batchId: event.batchId, answers })
    } else if (event.type === 'question.asked') {
      await session.answerQuestion({ sessionId, askId: event.askId, answers: null })
    } else if (event.type === 'plan.proposed') {
      const words = 'Nobody is there to decide in this run. Give the plan as your answer and end.'
      await session.decidePlan({ sessionId, askId: event.askId, decision: 'rejected', words })
    }
  } catch {
    // Told by the turn's own end.
  }
}

/** What would have let it run. The core applied the flags already: what they name and still asks, only a person may allow. */
function wayFor({ tool, kind, exact, remember }: AskedCall, allowedTools: readonly string[] | null): string {
  const named = allowedTools?.some(entry => entry.split('(')[0]?.trim().toLowerCase() === tool.toLowerCase())
  if (named || (kind === 'edit' && remember.length === 0))
    return 'A protected place: only a person may allow it, in Belay itself.'
  const simple = kind === 'command' && !/[\n,;&|<>`$()"]/.test(exact) && exact.length < 100
  const list = `--allowedTools ${simple ? `"${tool}(${exact})"` : tool}`
  return `It would run with ${list}${kind === 'edit' ? ' or --permission-mode acceptEdits' : ''}.`
}

/** What sub-agents took is part of what the run took. */
function finish(
  state: SessionState,
  ended: SessionEventOf<'turn.ended'>,
  helpers: readonly SessionEventOf<'subagent.ended'>[],
  result: RunResult,
): void {
  const all = [ended, ...helpers]
  const usage = all.map(each => each.usage).reduce(addUsage)
  result.outcome = ended.outcome
  result.error = ended.error
  result.cost = all.reduce<number | null>((sum, { cost }) => (sum === null || cost === null ? null : sum + cost), 0)
  result.usage = usage.known ? { input: usage.input + usage.cacheRead + usage.cacheWrite, output: usage.output } : null
  result.text = answerOf(state, ended.turnId)
}

function answerOf({ path, items }: SessionState, turnId: TurnId): string {
  return lastWords(path.flatMap(id => items.get(id) ?? []).filter(item => item.turnId === turnId))
}
