/**
 * The calls of one step: read, described, authorised as a whole, asked about once, then run. The loop asks here and not in
 * the tools, so that no tool can forget; nothing of a batch starts while a person still decides about it.
 */
import { toFault } from '#contract/error'
import type { Log } from '../base/log.ts'
import { readArguments } from './arguments.ts'
import type { RequestedCall, StepPlace } from './blocks.ts'
import { contextOf } from './call-context.ts'
import { type JudgeDeps, judge, type Ready } from './judge.ts'
import { expectVerdict } from './later-verdicts.ts'
import type { SessionPort, Tool, ToolContext } from './ports.ts'
import { BEFORE_START, runCall, unrun } from './run-call.ts'

export interface BatchDeps extends JudgeDeps {
  tools: readonly Tool[]
  /** Awaited before the first call that may have an effect; settles with the signal at the latest. */
  beforeEffects(): Promise<void>
  atTurnEnd: ToolContext['atTurnEnd']
  log: Log
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
  const allowed = await judge(deps, place, ready, signal)
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

const endAll = async (session: SessionPort, all: readonly Ready[], outcome: 'stopped', text: string): Promise<void> => {
  await session.append(...all.map(({ call }) => unrun(call, outcome, text)))
}

/** Write-ahead: exactly what will run is on disk before it does. */
const start = async (session: SessionPort, all: readonly Ready[]): Promise<void> => {
  const { items } = session.state
  // A question that a restart interrupted has begun already.
  const begin = all.filter(({ call }) => {
    const item = items.get(call.itemId)
    return item?.kind !== 'tool' || item.state === 'requested'
  })
  await session.append(
    ...begin.map(({ call, args }) => ({ type: 'tool.started' as const, callId: call.callId, arguments: args })),
  )
}

const finish = async (deps: BatchDeps, session: SessionPort, each: Ready): Promise<void> => {
  const { ended, later } = await runCall(session, each.call, each.tool, each.args, each.context, deps.log)
  await session.append(ended)
  if (later) expectVerdict(session, each.call.callId, later, deps.log)
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
  const context = contextOf(deps, place, call, signal)
  try {
    const action = await read.tool.describe(read.args, { ...context, output: () => {} })
    return { call, tool: read.tool, args: read.args, action, context }
  } catch (thrown) {
    if (!signal.aborted) return refuse(toFault(thrown).message)
    await place.session.append(unrun(call, 'stopped', BEFORE_START))
    return null
  }
}
