/** What one call gets to work with: the doors to the session, to the person, and to hosts. */
import type { CallId } from '#contract/id'
import { limited } from '../base/limited.ts'
import { untold } from './advice.ts'
import type { RequestedCall, StepPlace } from './blocks.ts'
import { askAlone, authorityOf, decide, type JudgeDeps } from './judge.ts'
import type { SessionPort, ToolContext } from './ports.ts'
import { rulingsOf } from './ruling.ts'

/** A client that waits longer for a connection has given up by then. */
const REACH_MS = 120_000

export function contextOf(
  deps: JudgeDeps & Pick<ToolContext, 'atTurnEnd'>,
  place: StepPlace,
  { callId }: RequestedCall,
  signal: AbortSignal,
): Omit<ToolContext, 'output'> {
  const { session, turnId } = place
  // Questions and plans are for the person who follows the conversation, whoever puts them.
  const asking = { ...(deps.principal ?? place), signal, callId }
  /** What a person said of a place holds for this call: a command connects to one host many times. */
  const answers = new Map<string, boolean>()
  return {
    workspaceId: session.workspaceId,
    sessionId: session.sessionId,
    turnId,
    callId,
    signal,
    persona: deps.persona,
    blob: bytes => session.blob(bytes),
    readBlob: id => session.readBlob(id),
    todo: async items => void (await session.append({ type: 'todo.changed', items })),
    askQuestions: questions => deps.gate.askQuestions({ ...asking, questions }),
    async proposePlan(markdown) {
      const decided = await deps.gate.proposePlan({ ...asking, markdown })
      if (decided?.decision !== 'approved') return { approved: false, mode: null, words: decided?.words ?? null }
      const { mode, words } = decided
      if (mode) await asking.session.append({ type: 'mode.changed', mode, by: 'plan' })
      return { approved: true, mode, words }
    },
    ...rulingsOf(deps, place, callId, signal),
    mode: () => asking.session.state.facts.mode,
    wrote: async files => void (await session.append({ type: 'tool.wrote', callId, files })),
    atTurnEnd: deps.atTurnEnd,
    untold: ids => untold(session, callId, ids),
    reach: (host, port) => reach(deps, place, { callId, host, port, answers }, signal),
  }
}

interface Reaching {
  readonly callId: CallId
  readonly host: string
  readonly port: number
  /** Those given in this call so far. A rule counts before them, whenever it came. */
  readonly answers: Map<string, boolean>
}

/** Places that are being asked about now, by session. */
const underWay = new WeakMap<SessionPort, Map<string, Promise<boolean>>>()

async function reach(
  deps: JudgeDeps,
  place: StepPlace,
  { callId, host, port, answers }: Reaching,
  signal: AbortSignal,
): Promise<boolean> {
  const asking = deps.principal ?? place
  const { session } = asking
  const action = { kind: 'network' as const, host, port }
  try {
    const request = { callId, tool: 'network', action }
    const [decision] = await decide(deps, authorityOf(deps, session), [request])
    if (decision?.verdict !== 'ask') return decision?.verdict === 'allow'
    // A command that outlived its turn has nobody to ask: a rule may still let it through.
    if (session.state.facts.running !== asking.turnId) return false
    const asked = underWay.get(session) ?? new Map<string, Promise<boolean>>()
    underWay.set(session, asked)
    const key = `${host}:${port}`
    const known = answers.get(key) ?? asked.get(key)
    if (known !== undefined) {
      answers.set(key, await known)
      return await known
    }
    const within = limited(signal, deps.reachMs ?? REACH_MS)
    const answer = askAlone(deps, { ...asking, signal: within }, request, decision.call).then(
      given => given?.verdict === 'allow',
    )
    asked.set(key, answer)
    try {
      const allowed = await answer
      answers.set(key, allowed)
      return allowed
    } finally {
      asked.delete(key)
    }
  } catch {
    // The session cannot be written: then nobody can be asked either.
    return false
  }
}
