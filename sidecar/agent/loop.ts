/**
 * One turn: the model speaks, tools run, until it has nothing left to call. Never throws: whatever goes wrong ends the turn
 * with an outcome and words, and every item it opened is closed.
 */
import { setMaxListeners } from 'node:events'
import type { ContextUse } from '#contract/context-use'
import { BelayError, toFault } from '#contract/error'
import { ItemId, type RequestId, TurnId } from '#contract/id'
import type { RunFlags } from '#contract/session'
import type { Attachment, Producer, SessionEventDraft, Usage } from '#contract/session-event'
import { addUsage, noUsage } from '#contract/session-fold'
import { newId } from '../base/id.ts'
import type { Log } from '../base/log.ts'
import { adviceNotice } from './advice.ts'
import { describeTools } from './arguments.ts'
import { runBatch } from './batch.ts'
import type { RequestedCall, StepPlace } from './blocks.ts'
import { overBudget, pay } from './budget.ts'
import { callModel, inputOf, type Speaker } from './call-model.ts'
import { closersOf, withdrawn } from './close.ts'
import { type CompactionPolicy, createCompactor } from './compact/compactor.ts'
import { contextUse } from './compact/context-use.ts'
import { notesOf } from './context.ts'
import { type Ending, ending, failed, finished, stopped, type TurnOutcome } from './ending.ts'
import type { Gate } from './gate.ts'
import type { JudgeDeps } from './judge.ts'
import { asNote, takeVerdicts } from './later-verdicts.ts'
import type { Authorize, Checkpoint, Model, ModelRequest, Persona, SessionPort, Surroundings, Tool } from './ports.ts'
import { systemPrompt, turnNote } from './prompt.ts'
import { callableOf, offeredOf } from './rare-tools.ts'
import { BEFORE_START, unrun } from './run-call.ts'
import type { Steers } from './steer.ts'
import type { Suspended } from './suspended.ts'
import { createTurnCheckpoints, type TurnCheckpoints } from './turn-checkpoints.ts'
import { createEndings, type Endings } from './turn-endings.ts'

export interface AgentDeps {
  model: Model
  tools: readonly Tool[]
  authorize: Authorize
  gate: Gate
  surroundings(workspaceId: SessionPort['workspaceId']): Promise<Surroundings>
  checkpoint?: Checkpoint | undefined
  /** Told of every decision and answer. */
  record?: JudgeDeps['record']
  /** When a conversation is compacted; at three quarters of the window without it, by the model that speaks. */
  compaction?(): CompactionPolicy
  log: Log
  /** The first wait before a retry; each next one is twice as long. 1,000 without it. */
  retryBaseMs?: number | undefined
  reachMs?: JudgeDeps['reachMs']
}

export interface TurnOptions {
  session: SessionPort
  /** Null: no words of its own. It answers `after` anew, or goes on from there. */
  prompt: { requestId: RequestId; text: string; attachments: Attachment[]; origin: 'user' | 'queue' } | null
  /** What it follows, once `before` holds; the head without it. */
  after?: ItemId | null | undefined
  /** Of a turn without words of its own: what asked for it. */
  requestId?: RequestId | undefined
  producer: Producer
  /** `<provider>/<model id>` that goes on where the producer's cannot answer now; null: none. Agreed to by the person. */
  fallbackModel?: string | null | undefined
  /** Tools that the model's provider may run; none without it. */
  serverTools?: ModelRequest['serverTools'] | undefined
  maxTurns: number
  flags: RunFlags | null
  /** Who works: null for the session's own agent, with the agent's own tools. */
  persona?: Persona | null | undefined
  /** All that is registered for this turn; the agent's own without it. */
  tools?: readonly Tool[] | undefined
  /** What the model is told beside the words, in this turn alone. */
  notes?: readonly string[] | undefined
  /** The same for words that a person adds while it runs. Never rejects. */
  notesFor?: ((words: string) => Promise<readonly string[]>) | undefined
  /** Whose mode and rules count and where asks stand; the session itself without it. */
  principal?: JudgeDeps['principal'] | undefined
  steers: Steers
  /** Resolves when those who follow have caught up, or at the abort: no step begins before. Never rejects. */
  keepUp?: ((signal: AbortSignal) => Promise<void>) | undefined
  /** What a person asked to be compacted since; it is then the turn's to do. */
  takeCompaction?: (() => { focus: string | null } | null) | undefined
  /** Goes to disk in one write with the turn's beginning. */
  before: SessionEventDraft[]
}

export interface RunningTurn {
  readonly turnId: TurnId
  /** The prompt's item; without one, what it follows. */
  readonly itemId: ItemId
  /** Never rejects. Settles after the turn's end is on disk, or could not be put there (`error`). */
  readonly ended: Promise<TurnOutcome>
  /** Ends the model call and everything the turn started, within a second; settles with `ended`. */
  stop(): Promise<void>
}

export interface Agent {
  /** Resolves when the prompt is on disk; the turn goes on by itself. Rejects, with nothing begun, when it cannot be. */
  start(options: TurnOptions): Promise<RunningTurn>
  /** Goes on with a turn that an ended process left at an ask. Nothing is begun anew; what it used until then is unknown. */
  resume(
    options: Omit<TurnOptions, 'prompt' | 'after' | 'requestId' | 'before' | 'producer'>,
    suspended: Suspended,
  ): RunningTurn
  /** A turn that only makes room, with the model's notes. The session has a head. */
  compact(options: Omit<TurnOptions, 'prompt' | 'before'>, focus: string | null): Promise<RunningTurn>
  /** What fills the context of the next request, were it made now. */
  contextUse(session: SessionPort, model: string): Promise<ContextUse>
}

export function createAgent(deps: AgentDeps): Agent {
  const described = describeTools(offeredOf(deps.tools))
  return {
    async start(options) {
      const { session, prompt, producer, before } = options
      const turnId = TurnId.parse(newId('trn'))
      const { facts } = session.state
      const parentId = options.after === undefined ? facts.head : options.after
      const begun = { type: 'turn.started', turnId, mode: facts.mode, producer } as const
      if (!prompt) {
        if (parentId === null) throw new BelayError('invalid', 'Nothing was said yet that could be answered.')
        const asked = options.requestId ? { requestId: options.requestId } : {}
        await session.append(...before, { ...begun, after: parentId, ...asked })
        return run({ ...options, turnId, itemId: parentId, suspended: null })
      }
      const itemId = ItemId.parse(newId('itm'))
      const message = { id: itemId, parentId, turnId, role: 'user', ...prompt } as const
      await session.append(...before, begun, { type: 'message.added', ...message })
      return run({ ...options, turnId, itemId, suspended: null })
    },
    resume: (options, suspended) => {
      const { turn, itemId } = suspended
      return run({ ...options, producer: turn.producer, turnId: turn.turnId, itemId, suspended })
    },
    async compact(options, focus) {
      const { session, producer } = options
      const { head, mode } = session.state.facts
      if (head === null) throw new BelayError('invalid', 'There is nothing to compact: nothing was said yet.')
      const turnId = TurnId.parse(newId('trn'))
      await session.append({ type: 'turn.started', turnId, mode, producer })
      return run({ ...options, turnId, itemId: head, suspended: null, only: { focus } })
    },
    async contextUse(session, model) {
      const place = await deps.surroundings(session.workspaceId)
      return contextUse({ session, place, tools: described, model: deps.model, name: model, policy: policyOf(deps) })
    },
  }

  function run(options: Beginning): RunningTurn {
    options.steers.begin()
    const stop = new AbortController()
    // As many as there are calls at once; each goes with its call.
    setMaxListeners(0, stop.signal)
    const { turnId, itemId, tools = deps.tools, persona = null, principal = null } = options
    const toolList = tools === deps.tools ? described : describeTools(offeredOf(tools))
    const endings = createEndings(deps.log)
    const checkpoint = options.only ? undefined : deps.checkpoint
    const checkpoints = createTurnCheckpoints({ ...deps, ...options, checkpoint })
    const own = { tools: callableOf(tools), persona, principal, stop, toolList, checkpoints, endings }
    const ended = runTurn({ ...deps, ...options, ...own })
    return {
      turnId,
      itemId,
      ended,
      async stop() {
        stop.abort()
        await ended
      },
    }
  }
}

interface Beginning extends Omit<TurnOptions, 'prompt' | 'after' | 'requestId' | 'before'> {
  turnId: TurnId
  itemId: ItemId
  suspended: Suspended | null
  /** Nothing is said in it: it makes room. */
  only?: { focus: string | null }
}

interface Running extends AgentDeps, Omit<Beginning, 'tools' | 'persona' | 'principal'> {
  stop: AbortController
  tools: readonly Tool[]
  persona: Persona | null
  principal: JudgeDeps['principal']
  toolList: ModelRequest['tools']
  checkpoints: TurnCheckpoints
  /** What is to be done when its steps are over. */
  endings: Endings
}

/** Tokens and dollars of the whole turn, and how many tokens the last model call that said so took in. */
type Used = { usage: Usage; contextTokens: number | null; cost: number | null }

async function runTurn(turn: Running): Promise<TurnOutcome> {
  const { session, turnId, steers, log } = turn
  const used: Used = { usage: { ...noUsage, known: turn.suspended === null }, contextTokens: null, cost: 0 }
  const speaker: Speaker = { model: turn.producer.model }
  let end: Ending
  try {
    end = turn.only ? await makeRoom(turn, used, speaker) : await takeSteps(turn, used, speaker)
  } catch (thrown) {
    // The session cannot be written (a full disk): what runs is ended, and the end is told if it can be.
    turn.stop.abort()
    const fault = toFault(thrown)
    log('error', 'a turn broke off', { turnId, ...fault })
    end = ending('error', fault.code, fault.message)
  }
  const { usage, contextTokens } = used
  const cost = usage.known ? used.cost : null
  const answeredBy = speaker.model === turn.producer.model ? {} : { answeredBy: speaker.model }
  await turn.endings.run()
  await turn.checkpoints.end()
  try {
    const ended = { type: 'turn.ended', turnId, usage, contextTokens, cost, ...answeredBy, ...end } as const
    await steers.end([...closersOf(session.state, turnId), ended], end.outcome)
    return end.outcome
  } catch (fault) {
    log('error', 'the end of a turn could not be written', { turnId, fault: String(fault) })
    return 'error'
  }
}

/** Where a turn works and what every request of it begins with. */
async function settle(turn: Running, used: Used, speaker: Speaker) {
  const place = await turn.surroundings(turn.session.workspaceId)
  const prefix = { system: systemPrompt(place, turn.persona), tools: turn.toolList }
  const compactor = createCompactor({
    ...{ ...turn, prefix, policy: policyOf(turn), signal: turn.stop.signal },
    speaker: () => speaker.model,
    // What the last call took in is of another history.
    compacted: cost => {
      used.contextTokens = null
      pay(turn.flags, cost)
    },
    wasted: (usage, cost) => count(turn, used, usage, cost),
  })
  return { place, prefix, compactor }
}

async function makeRoom(turn: Running, used: Used, speaker: Speaker): Promise<Ending> {
  const { compactor } = await settle(turn, used, speaker)
  await compactor.asked(0, turn.only?.focus ?? null)
  return ending(turn.stop.signal.aborted ? 'stopped' : 'done')
}

async function takeSteps(turn: Running, used: Used, speaker: Speaker): Promise<Ending> {
  const { session, turnId, stop } = turn
  const { signal } = stop
  const { place, prefix, compactor } = await settle(turn, used, speaker)
  const roots = place.roots.map(root => root.absolute)
  const runCalls = (at: StepPlace, calls: readonly RequestedCall[]) =>
    runBatch(
      { ...turn, roots, atTurnEnd: turn.endings.add, beforeEffects: () => turn.checkpoints.beforeEffects(signal) },
      at,
      calls,
      signal,
    )
  const { suspended } = turn
  if (suspended) await goOn(turn, () => runCalls({ session, turnId, step: suspended.step }, suspended.calls))
  else await tellNote(turn, place)
  for (let step = suspended ? suspended.step + 1 : 0; ; step++) {
    await turn.keepUp?.(signal)
    if (signal.aborted) return stopped(session, turnId)
    if (step >= turn.maxTurns) {
      const limit = `The turn reached its limit of ${turn.maxTurns} model calls. What was done is kept; send "go on" to continue.`
      return ending('limit', 'max_turns', limit)
    }
    const budget = overBudget(turn.flags)
    if (budget) return budget
    await deliverSteers(turn, step)
    const wanted = turn.takeCompaction?.()
    if (wanted) await compactor.asked(step, wanted.focus)
    else await compactor.inTime(step)
    if (signal.aborted) return stopped(session, turnId)
    const at: StepPlace = { session, turnId, step }
    const result = await callModel({ ...turn, compactor }, at, prefix, speaker)
    if (result.usage) count(turn, used, result.usage, turn.model.cost(speaker.model, result.usage))
    if (result.usage?.known) used.contextTokens = inputOf(result.usage)
    else if (result.begun) used.usage = { ...used.usage, known: false }
    if (signal.aborted || result.failure) {
      const words = signal.aborted ? BEFORE_START : 'The answer broke off before this ran. Nothing of it was done.'
      await session.append(...result.calls.map(call => unrun(call, 'stopped', words)))
      return result.failure && !signal.aborted ? failed(result.failure) : stopped(session, turnId)
    }
    if (result.calls.length === 0) return signal.aborted ? stopped(session, turnId) : finished(result)
    await runCalls(at, result.calls)
  }
}

const policyOf = ({ compaction }: AgentDeps): CompactionPolicy =>
  compaction?.() ?? { share: 0.75, messages: 0, summariser: model => model }

/** What the rules answer by now, nobody has to. */
async function goOn({ session, turnId }: Running, run: () => Promise<void>): Promise<void> {
  await run()
  const left = [...session.state.asks.values()].filter(ask => ask.answer === null && ask.turnId === turnId)
  await session.append(...left.map(ask => withdrawn(ask, 'restart')))
}

/** In the log, so that it is told again in the same bytes for as long as the session lives. */
async function tellNote({ session, turnId, notes, tools }: Running, place: Surroundings): Promise<void> {
  const delegates = tools.some(({ name }) => name === 'task')
  const lines = [...(notes ?? []), ...takeVerdicts(session).map(asNote)]
  const text = turnNote(place, notesOf(session.state), { lines, delegates })
  const note: SessionEventDraft[] = text === null ? [] : [{ type: 'turn.noted', turnId, text }]
  await session.append(...note, ...adviceNotice(session.state, place, turnId))
}

/** A call whose price nobody knows makes the price of the turn unknown. */
function count({ flags }: Running, used: Used, usage: Usage, cost: number | null): void {
  pay(flags, cost)
  used.usage = addUsage(used.usage, usage)
  used.cost = used.cost === null || cost === null ? null : used.cost + cost
}

/** Between a step's results and the next call: never between calls and their results. */
async function deliverSteers({ session, turnId, steers, notesFor }: Running, step: number): Promise<void> {
  if (step === 0) return
  await steers.deliver(async ({ requestId, text }) => {
    const id = ItemId.parse(newId('itm'))
    const notes = (await notesFor?.(text)) ?? []
    const note = notes.length > 0 ? { note: notes.join('\n') } : {}
    const item = { id, parentId: session.state.facts.head, turnId, step }
    return [
      { type: 'message.added', ...item, role: 'user', origin: 'steer', text, attachments: [], requestId, ...note },
      { type: 'steer.delivered', requestId, itemId: id },
    ]
  })
}
