/**
 * Which calls of a batch may run: the flags, then the rules, then the person, who is asked once for the whole batch. Nothing
 * of it starts before that; what is not allowed ends here, with the reason. Everything that was decided is told to `record`.
 */
import { toFault } from '#contract/error'
import type { TurnId } from '#contract/id'
import type { RunFlags } from '#contract/session'
import type { AskedCall, PermissionAnswer } from '#contract/session-event'
import { readArguments } from './arguments.ts'
import type { RequestedCall, StepPlace } from './blocks.ts'
import { judgeByFlags } from './flags.ts'
import type { Gate } from './gate.ts'
import type {
  Action,
  ActionRequest,
  Authority,
  Authorize,
  Decision,
  Persona,
  SessionPort,
  Settled,
  Tool,
  ToolContext,
} from './ports.ts'
import { BEFORE_START, unrun } from './run-call.ts'

export interface JudgeDeps {
  authorize: Authorize
  gate: Gate
  flags: RunFlags | null
  /** Absolute folders of the workspace. */
  roots: readonly string[]
  persona: Persona | null
  /** The session that a person follows: its mode and rules count, and asks stand in it. Null: the turn's own. */
  principal: { session: SessionPort; turnId: TurnId } | null
  record?: ((settled: Settled) => void) | undefined
  /** How long a person has to say whether a host may be reached; two minutes without it. */
  reachMs?: number | undefined
}

/** A call that can be made, if it may. */
export interface Ready {
  call: RequestedCall
  tool: Tool
  args: unknown
  action: Action
  context: Omit<ToolContext, 'output'>
}

/** Rejects only when the session cannot be written. */
export async function judge(
  deps: JudgeDeps,
  place: StepPlace,
  ready: readonly Ready[],
  signal: AbortSignal,
): Promise<Ready[]> {
  if (ready.length === 0) return []
  const asking = deps.principal ?? place
  const authority = authorityOf(deps, asking.session)
  const decisions = await decide(deps, authority, ready.map(requestOf))
  const asks = decisions.flatMap((decision, i) =>
    decision.verdict === 'ask' ? withItsArguments(decision.call, deps.principal ? ready[i] : undefined) : [],
  )
  const answers = asks.length > 0 ? await deps.gate.askPermission({ ...asking, signal, calls: asks }) : []
  const allowed: Ready[] = []
  for (const [i, each] of ready.entries()) {
    const decision = decisions[i]
    const answer = answers?.find(({ callId }) => callId === each.call.callId)
    const settled = answers === null && decision?.verdict === 'ask' ? 'withdrawn' : settle(decision, answer)
    if (answer && decision?.verdict === 'ask') tellAnswer(deps, authority, requestOf(each), decision.call, answer)
    if (settled === 'withdrawn') await place.session.append(unrun(each.call, 'stopped', BEFORE_START))
    else if (settled !== 'allow') await place.session.append(unrun(each.call, 'denied', settled.denied))
    else {
      const changed = answer?.arguments === undefined ? each : await withArguments(deps, authority, each, answer)
      if ('denied' in changed) await place.session.append(unrun(each.call, 'denied', changed.denied))
      else allowed.push(changed)
    }
  }
  return allowed
}

/** The call of another session's log: whoever answers sees here alone what they may change. Large ones are taken as they are. */
function withItsArguments(call: AskedCall, ready: Ready | undefined): AskedCall {
  return ready && JSON.stringify(ready.args).length <= MOST_SHOWN_CHARS ? { ...call, arguments: ready.args } : call
}
const MOST_SHOWN_CHARS = 50_000

/** As it is now: the person may change mode and rules while a turn runs. */
export const authorityOf = ({ persona }: Pick<JudgeDeps, 'persona'>, session: SessionPort): Authority => ({
  sessionId: session.sessionId,
  workspaceId: session.workspaceId,
  mode: session.state.facts.mode,
  rules: session.state.facts.rules,
  persona,
})

const requestOf = ({ call, action, args }: Ready): ActionRequest => ({
  callId: call.callId,
  tool: call.tool,
  action,
  arguments: args,
})

/** Flags first, then the rules; what only a person may allow (`firm`) no flag does. */
export async function decide(
  deps: JudgeDeps,
  authority: Authority,
  requests: readonly ActionRequest[],
): Promise<Decision[]> {
  // `dontAsk` is `default` in which nobody is there to ask: then the flags can still allow what would have asked.
  const mode = authority.mode === 'dontAsk' ? ('default' as const) : authority.mode
  const decisions = await deps.authorize(requests, { ...authority, mode })
  return requests.map((request, i): Decision => {
    const decision = decisions[i] ?? unjudged
    const flag = judgeByFlags(deps.flags, request, deps.roots, decision.command)
    const last = withFlag(decision, flag, authority.mode === 'dontAsk')
    deps.record?.({ request, authority, kind: 'decision', verdict: last.verdict, ...groundOf(last) })
    return last
  })
}

const unjudged: Decision = { verdict: 'deny', by: 'built-in', rule: null, reason: 'no rule judged it' }

/** For the record, which knows what Belay holds by itself as rules like any others. */
export function groundOf(decision: Decision): Pick<Settled, 'by' | 'rule' | 'reason'> {
  const { rule, reason } = decision.verdict === 'ask' ? decision.call : decision
  return { by: decision.by === 'built-in' ? 'rule' : decision.by, rule, reason }
}

function withFlag(decision: Decision, flag: ReturnType<typeof judgeByFlags>, neverAsks: boolean): Decision {
  if (flag?.verdict === 'deny') return { ...flag, by: 'flag', verdict: 'deny' }
  if (decision.verdict !== 'ask') return decision
  if (flag && !decision.firm) return { ...flag, by: 'flag', verdict: 'allow' }
  if (!neverAsks) return decision
  const reason = 'it would have to be asked about, and this mode does not ask'
  return { verdict: 'deny', by: decision.by, rule: decision.call.rule, reason }
}

function settle(decision: Decision | undefined, answer: PermissionAnswer | undefined): 'allow' | { denied: string } {
  if (decision?.verdict === 'allow') return 'allow'
  if (decision?.verdict !== 'ask') return { denied: byRule(decision) }
  if (answer?.verdict === 'allow') return 'allow'
  return { denied: answer?.verdict === 'skip' ? skipped(decision.call) : byPerson(decision.call, answer?.words) }
}

/** A person's own arguments are judged like any others: what is denied stays so; what would ask they have answered. */
async function withArguments(
  deps: JudgeDeps,
  authority: Authority,
  each: Ready,
  answer: PermissionAnswer,
): Promise<Ready | { denied: string }> {
  const call = { ...each.call, arguments: JSON.stringify(answer.arguments) }
  const read = readArguments(call, [each.tool])
  if ('refusal' in read) return { denied: `The person changed the arguments, but: ${read.refusal}` }
  try {
    const action = await each.tool.describe(read.args, { ...each.context, output: () => {} })
    const changed = { ...each, args: read.args, action }
    const [decision] = await decide(deps, authority, [requestOf(changed)])
    return decision?.verdict === 'deny' ? { denied: byRule(decision) } : changed
  } catch (thrown) {
    return { denied: `The person changed the arguments, but it cannot be done so: ${toFault(thrown).message}` }
  }
}

/** One thing that comes up while a call runs, put to the person alone. Null: nobody decides any more. */
export async function askAlone(
  deps: JudgeDeps,
  asking: { session: SessionPort; turnId: TurnId; signal: AbortSignal },
  request: ActionRequest,
  call: AskedCall,
): Promise<PermissionAnswer | null> {
  const answer = (await deps.gate.askPermission({ ...asking, calls: [call] }))?.[0] ?? null
  if (answer) tellAnswer(deps, authorityOf(deps, asking.session), request, call, answer)
  return answer
}

function tellAnswer(
  deps: JudgeDeps,
  authority: Authority,
  request: ActionRequest,
  { rule }: AskedCall,
  { verdict, words }: PermissionAnswer,
): void {
  const reason = words?.trim() ?? ''
  deps.record?.({ request, authority, kind: 'answer', verdict, by: 'person', rule, reason })
}

const byRule = (decision: Exclude<Decision, { verdict: 'ask' }> | undefined): string => {
  const rule = decision?.rule ? ` (rule: ${decision.rule})` : ''
  return `Denied: ${decision?.reason ?? 'no rule judged it'}${rule}. Nothing was done. Choose another way, or ask the person.`
}

const byPerson = ({ tool }: AskedCall, words: string | undefined): string =>
  words?.trim()
    ? `The person denied this ${tool} call. Nothing was done. They say: ${words.trim()}`
    : `The person denied this ${tool} call. Nothing was done. Do not try the same in another way; go on without it, or ask what they would rather have.`

const skipped = ({ tool }: AskedCall): string =>
  `The person skipped this ${tool} call. Nothing was done. Go on with the rest without it.`
