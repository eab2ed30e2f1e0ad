/**
 * The calls of one step: read, described, authorised as a whole, asked about once, then run. The loop asks here and not in
 * the tools, so that no tool can forget; nothing of a batch starts while a person still decides about it.
 */
import { toFault } from '#contract/error'
import type { RunFlags } from '#contract/session'
import type { AskedCall, PermissionAnswer } from '#contract/session-event'
import type { Log } from '../base/log.ts'
import { readArguments } from './arguments.ts'
import type { RequestedCall, StepPlace } from './blocks.ts'
import { judgeByFlags } from './flags.ts'
import type { Gate } from './gate.ts'
import type { Action, Authorize, Decision, SessionPort, Tool, ToolContext } from './ports.ts'
import { runCall, unrun } from './run-call.ts'

export interface BatchDeps {
  tools: readonly Tool[]
  authorize: Authorize
  gate: Gate
  flags: RunFlags | null
  /** Absolute folders of the workspace. */
  roots: readonly string[]
  /** Awaited before the first call that may have an effect; settles with the signal at the latest. */
  beforeEffects(): Promise<void>
  log: Log
}

interface Ready {
  call: RequestedCall
  tool: Tool
  args: unknown
  action: Action
  context: Omit<ToolContext, 'output'>
}

/** Every call has its end in the log when this resolves. Rejects only when the session cannot be written. */
export async function runBatch(
  deps: BatchDeps,
  place: StepPlace,
  calls: readonly RequestedCall[],
  signal: AbortSignal,
): Promise<void> {
  const { session } = place
  const ready = (await Promise.all(calls.map(call => prepare(deps, place, call, signal)))).filter(each => each !== null)
  if (signal.aborted) return endAll(session, ready, 'stopped', BEFORE_START)
  const allowed = await authorizeAll(deps, place, ready, signal)
  if (signal.aborted) return endAll(session, allowed, 'stopped', BEFORE_START)
  if (allowed.every(({ tool }) => tool.parallel)) {
    await start(session, allowed)
    await Promise.all(allowed.map(each => finish(deps, session, each)))
    return
  }
  for (const each of allowed) {
    if (!each.tool.parallel) await deps.beforeEffects()
    if (signal.aborted) await session.append(unrun(each.call, 'stopped', BEFORE_START))
    else {
      await start(session, [each])
      await finish(deps, session, each)
    }
  }
}

export const BEFORE_START = 'The person stopped the turn before this ran. Nothing of it was done.'

const endAll = async (session: SessionPort, all: readonly Ready[], outcome: 'stopped', text: string): Promise<void> => {
  await session.append(...all.map(({ call }) => unrun(call, outcome, text)))
}

/** Write-ahead: exactly what will run is on disk before it does. */
const start = async (session: SessionPort, all: readonly Ready[]): Promise<void> => {
  await session.append(
    ...all.map(({ call, args }) => ({ type: 'tool.started' as const, callId: call.callId, arguments: args })),
  )
}

const finish = async (deps: BatchDeps, session: SessionPort, each: Ready): Promise<void> => {
  await session.append(await runCall(session, each.call, each.tool, each.args, each.context, deps.log))
}

/** Null when the call cannot be made at all: then it has ended with words that say what would have worked. */
async function prepare(
  deps: BatchDeps,
  place: StepPlace,
  call: RequestedCall,
  signal: AbortSignal,
): Promise<Ready | null> {
  const refuse = async (text: string): Promise<null> => {
    await place.session.append(unrun(call, 'failed', text))
    return null
  }
  const read = readArguments(call, deps.tools)
  if ('refusal' in read) return refuse(read.refusal)
  const context = contextOf(deps.gate, place, call, signal)
  try {
    const action = await read.tool.describe(read.args, { ...context, output: () => {} })
    return { call, tool: read.tool, args: read.args, action, context }
  } catch (thrown) {
    if (!signal.aborted) return refuse(toFault(thrown).message)
    await place.session.append(unrun(call, 'stopped', BEFORE_START))
    return null
  }
}

function contextOf(
  gate: Gate,
  { session, turnId }: StepPlace,
  { callId }: RequestedCall,
  signal: AbortSignal,
): Omit<ToolContext, 'output'> {
  const asking = { session, turnId, signal, callId }
  return {
    workspaceId: session.workspaceId,
    sessionId: session.sessionId,
    turnId,
    callId,
    signal,
    blob: bytes => session.blob(bytes),
    readBlob: id => session.readBlob(id),
    todo: async items => void (await session.append({ type: 'todo.changed', items })),
    askQuestions: questions => gate.askQuestions({ ...asking, questions }),
    async proposePlan(markdown) {
      const decided = await gate.proposePlan({ ...asking, markdown })
      if (decided?.decision !== 'approved') return { approved: false, mode: null, words: decided?.words ?? null }
      const { mode, words } = decided
      if (mode) await session.append({ type: 'mode.changed', mode, by: 'plan' })
      return { approved: true, mode, words }
    },
  }
}

/** The calls that may run. Those that may not have ended, denied, with the reason. */
async function authorizeAll(
  deps: BatchDeps,
  place: StepPlace,
  ready: readonly Ready[],
  signal: AbortSignal,
): Promise<Ready[]> {
  if (ready.length === 0) return []
  const { session, turnId } = place
  const decisions = await decide(deps, session, ready)
  const asks = decisions.flatMap(decision => (decision.verdict === 'ask' ? decision.call : []))
  const answers = asks.length > 0 ? await deps.gate.askPermission({ session, turnId, signal, calls: asks }) : []
  const allowed: Ready[] = []
  for (const [i, each] of ready.entries()) {
    const verdict = settle(decisions[i], each, answers)
    if (verdict === 'allow') allowed.push(each)
    else if (verdict === 'withdrawn') await session.append(unrun(each.call, 'stopped', BEFORE_START))
    else await session.append(unrun(each.call, 'denied', verdict.denied))
  }
  return allowed
}

/** Flags first, then the rules; what only a person may allow (`firm`) no flag does. */
async function decide(deps: BatchDeps, session: SessionPort, ready: readonly Ready[]): Promise<Decision[]> {
  const { mode } = session.state.facts
  const requests = ready.map(({ call, action }) => ({ callId: call.callId, tool: call.tool, action }))
  // `dontAsk` is `default` in which nobody is there to ask: then the flags can still allow what would have asked.
  const scope = {
    sessionId: session.sessionId,
    workspaceId: session.workspaceId,
    mode: mode === 'dontAsk' ? ('default' as const) : mode,
  }
  const decisions = await deps.authorize(requests, scope)
  return requests.map((request, i): Decision => {
    const decision = decisions[i] ?? { verdict: 'deny', rule: null, reason: 'no rule judged it' }
    const flag = judgeByFlags(deps.flags, request, deps.roots)
    if (flag?.verdict === 'deny') return { ...flag, verdict: 'deny' }
    if (decision.verdict !== 'ask') return decision
    if (flag && !decision.firm) return { ...flag, verdict: 'allow' }
    if (mode === 'dontAsk') {
      return {
        verdict: 'deny',
        rule: decision.call.rule,
        reason: 'it would have to be asked about, and this mode does not ask',
      }
    }
    return decision
  })
}

type Verdict = 'allow' | 'withdrawn' | { denied: string }

function settle(decision: Decision | undefined, { call }: Ready, answers: readonly PermissionAnswer[] | null): Verdict {
  if (decision?.verdict === 'allow') return 'allow'
  if (decision?.verdict !== 'ask') {
    const rule = decision?.rule ? ` (rule: ${decision.rule})` : ''
    return {
      denied: `Denied: ${decision?.reason ?? 'no rule judged it'}${rule}. Nothing was done. Choose another way, or ask the person.`,
    }
  }
  if (!answers) return 'withdrawn'
  const answer = answers.find(({ callId }) => callId === call.callId)
  return answer?.verdict === 'allow' ? 'allow' : { denied: byPerson(decision.call, answer?.words) }
}

const byPerson = ({ tool }: AskedCall, words: string | undefined): string =>
  words?.trim()
    ? `The person denied this ${tool} call. Nothing was done. They say: ${words.trim()}`
    : `The person denied this ${tool} call. Nothing was done. Do not try the same in another way; go on without it, or ask what they would rather have.`
