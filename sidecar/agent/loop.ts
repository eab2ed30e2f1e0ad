/**
 * One turn: the model speaks, tools run, until it has nothing left to call. Never throws: whatever goes wrong ends the turn
 * with an outcome and words, and every item it opened is closed.
 */
import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { ChatFailure } from '#contract/chat-event'
import { toFault } from '#contract/error'
import { ItemId, type RequestId, TurnId } from '#contract/id'
import type { RunFlags } from '#contract/session'
import type { Attachment, Producer, SessionEventDraft, SessionEventOf, Usage } from '#contract/session-event'
import { addUsage, noUsage, type SessionState } from '#contract/session-fold'
import { newId } from '../base/id.ts'
import type { Log } from '../base/log.ts'
import { describeTools } from './arguments.ts'
import { BEFORE_START, runBatch } from './batch.ts'
import { closersOf } from './close.ts'
import { historyOf } from './context.ts'
import type { Gate } from './gate.ts'
import type { Authorize, Checkpoint, Model, ModelRequest, SessionPort, Surroundings, Tool } from './ports.ts'
import { samePlace, systemPrompt, turnNote } from './prompt.ts'
import { retryDelayMs } from './retry.ts'
import { unrun } from './run-call.ts'
import type { Steers } from './steer.ts'
import { type StepPlace, type StepResult, streamStep } from './step.ts'

export interface AgentDeps {
  model: Model
  tools: readonly Tool[]
  authorize: Authorize
  gate: Gate
  surroundings(workspaceId: SessionPort['workspaceId']): Promise<Surroundings>
  checkpoint?: Checkpoint | undefined
  log: Log
  /** The first wait before a retry; each next one is twice as long. 1,000 without it. */
  retryBaseMs?: number | undefined
}

export interface TurnOptions {
  session: SessionPort
  prompt: { requestId: RequestId; text: string; attachments: Attachment[]; origin: 'user' | 'queue' }
  producer: Producer
  maxTurns: number
  flags: RunFlags | null
  steers: Steers
  /** Goes to disk in one write with the turn's beginning. */
  before: SessionEventDraft[]
}

export type TurnOutcome = SessionEventOf<'turn.ended'>['outcome']

export interface RunningTurn {
  readonly turnId: TurnId
  /** The prompt's item. */
  readonly itemId: ItemId
  /** Never rejects. Settles after the turn's end is on disk, or could not be put there (`error`). */
  readonly ended: Promise<TurnOutcome>
  /** Ends the model call and everything the turn started, within a second; settles with `ended`. */
  stop(): Promise<void>
}

export interface Agent {
  /** Resolves when the prompt is on disk; the turn goes on by itself. Rejects, with nothing begun, when it cannot be. */
  start(options: TurnOptions): Promise<RunningTurn>
}

export function createAgent(deps: AgentDeps): Agent {
  const tools = describeTools(deps.tools)
  const places = new WeakMap<SessionState, Place>()

  /** The system prompt of a session changes only when the place does; what else is new goes beside the prompt. */
  const settle = async (session: SessionPort, turnId: TurnId): Promise<Place> => {
    const here = await deps.surroundings(session.workspaceId)
    const known = places.get(session.state)
    const place =
      known && samePlace(here, known.at)
        ? known
        : { at: here, system: systemPrompt(here), notes: known?.notes ?? new Map<TurnId, string | null>() }
    places.set(session.state, place)
    place.notes.set(turnId, turnNote(here, place.at))
    return place
  }

  return {
    async start(options) {
      const { session, prompt, producer, before } = options
      const turnId = TurnId.parse(newId('trn'))
      const itemId = ItemId.parse(newId('itm'))
      const { facts } = session.state
      await session.append(
        ...before,
        { type: 'turn.started', turnId, mode: facts.mode, producer },
        { type: 'message.added', id: itemId, parentId: facts.head, turnId, role: 'user', ...prompt },
      )
      options.steers.begin()
      const stop = new AbortController()
      // As many as there are calls at once; each goes with its call.
      setMaxListeners(0, stop.signal)
      const ended = runTurn({ ...deps, ...options, turnId, stop, toolList: tools, settle })
      return {
        turnId,
        itemId,
        ended,
        async stop() {
          stop.abort()
          await ended
        },
      }
    },
  }
}

interface Place {
  at: Surroundings
  system: string
  /** What was said beside the prompt of each turn, so that it is said again in the same bytes. */
  notes: Map<TurnId, string | null>
}

interface Running extends AgentDeps, TurnOptions {
  turnId: TurnId
  stop: AbortController
  toolList: ModelRequest['tools']
  settle(session: SessionPort, turnId: TurnId): Promise<Place>
}

/** Tokens of the whole turn, and how many the last model call that said so took in. */
type Used = { usage: Usage; contextTokens: number | null }
const inputOf = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite

type Ending = { outcome: TurnOutcome; error: { code: string; message: string } | null }
const ending = (outcome: TurnOutcome, code?: string, message?: string): Ending => ({
  outcome,
  error: code === undefined ? null : { code, message: message ?? code },
})

async function runTurn(turn: Running): Promise<TurnOutcome> {
  const { session, turnId, steers, log } = turn
  const used: Used = { usage: noUsage, contextTokens: null }
  let end: Ending
  try {
    end = await takeSteps(turn, used)
  } catch (thrown) {
    // The session cannot be written (a full disk): what runs is ended, and the end is told if it can be.
    turn.stop.abort()
    const fault = toFault(thrown)
    log('error', 'a turn broke off', { turnId, ...fault })
    end = ending('error', fault.code, fault.message)
  }
  const { usage, contextTokens } = used
  const cost = usage.known ? turn.model.cost(turn.producer.model, usage) : null
  await takeCheckpoint(turn, 'end')
  try {
    await steers.end([
      ...closersOf(session.state, turnId),
      { type: 'turn.ended', turnId, usage, contextTokens, cost, ...end },
    ])
    return end.outcome
  } catch (fault) {
    log('error', 'the end of a turn could not be written', { turnId, fault: String(fault) })
    return 'error'
  }
}

async function takeSteps(turn: Running, used: Used): Promise<Ending> {
  const { session, turnId, stop } = turn
  const { signal } = stop
  const checkpoint = Promise.race([takeCheckpoint(turn, 'start'), aborted(signal)])
  const place = await turn.settle(session, turnId)
  for (let step = 0; ; step++) {
    if (signal.aborted) return stopped(turn)
    if (step >= turn.maxTurns) {
      const limit = `The turn reached its limit of ${turn.maxTurns} model calls. What was done is kept; send "go on" to continue.`
      return ending('limit', 'max_turns', limit)
    }
    await deliverSteers(turn, step)
    const at: StepPlace = { session, turnId, step }
    const result = await callModel(turn, at, place)
    if (result.usage) used.usage = addUsage(used.usage, result.usage)
    if (result.usage?.known) used.contextTokens = inputOf(result.usage)
    else if (result.begun) used.usage = { ...used.usage, known: false }
    if (signal.aborted || result.failure) {
      const words = signal.aborted ? BEFORE_START : 'The answer broke off before this ran. Nothing of it was done.'
      await session.append(...result.calls.map(call => unrun(call, 'stopped', words)))
      return result.failure && !signal.aborted ? failed(result.failure) : stopped(turn)
    }
    if (result.calls.length === 0) return signal.aborted ? stopped(turn) : finished(result)
    const roots = place.at.roots.map(root => root.absolute)
    await runBatch({ ...turn, roots, beforeEffects: () => checkpoint }, at, result.calls, signal)
  }
}

/** Never rejects: a failed checkpoint must not keep anybody from working. */
async function takeCheckpoint({ checkpoint, session, turnId, log }: Running, when: 'start' | 'end'): Promise<void> {
  try {
    const checkpointId = (await checkpoint?.take(turnId, when)) ?? null
    if (checkpointId !== null) await session.append({ type: 'checkpoint.taken', checkpointId, turnId, when })
  } catch (fault) {
    log('warn', `no checkpoint at the ${when} of a turn`, { turnId, fault: String(fault) })
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Between a step's results and the next call: never between calls and their results. */
async function deliverSteers({ session, turnId, steers }: Running, step: number): Promise<void> {
  if (step === 0) return
  for (const { requestId, text } of steers.take()) {
    const id = ItemId.parse(newId('itm'))
    const item = { id, parentId: session.state.facts.head, turnId, step }
    await session.append(
      { type: 'message.added', ...item, role: 'user', origin: 'steer', text, attachments: [], requestId },
      { type: 'steer.delivered', requestId, itemId: id },
    )
  }
}

/** With retries, each of which a person sees. The last failure is the result's. */
async function callModel(turn: Running, at: StepPlace, { system, notes }: Place): Promise<StepResult> {
  const { session, producer, turnId } = turn
  const { signal } = turn.stop
  const messages = await historyOf(
    session.state,
    id => session.readBlob(id),
    id => notes.get(id) ?? null,
  )
  const { model, effort } = producer
  const request: ModelRequest = { model, effort, system, messages, tools: turn.toolList, maxOutputTokens: null }
  for (let attempt = 0; ; attempt++) {
    const result = await streamStep(at, turn.model, request, signal)
    if (!result.failure || result.begun || signal.aborted) return result
    const delayMs = retryDelayMs(result.failure, attempt, turn.retryBaseMs)
    if (delayMs === null) return result
    const seconds = Math.max(1, Math.round(delayMs / 1000))
    const text = `${result.failure.message} Trying again in ${seconds} s (${attempt + 1} of 4).`
    await session.append({ type: 'status.changed', turnId, code: `retry.${result.failure.code}`, text })
    await wait(delayMs, undefined, { signal }).catch(() => {})
  }
}

const failed = ({ code, message }: ChatFailure): Ending => ending('error', code, message)

function finished({ finish }: StepResult): Ending {
  if (finish === 'length') {
    const text = 'The model reached the longest answer it can give. What it wrote is kept; send "go on" to continue.'
    return ending('error', 'truncated', text)
  }
  if (finish === 'filter' || finish === 'refusal') {
    const who = finish === 'filter' ? 'A filter of the model service ended the answer' : 'The model declined to answer'
    return ending(
      'error',
      'content_filter',
      `${who}. What was done is kept; say it in another way, or choose another model.`,
    )
  }
  return ending('done')
}

/** What had already happened, for the person who stopped. */
async function stopped({ session, turnId }: Running): Promise<Ending> {
  const tools = session.state.path.flatMap(id => {
    const item = session.state.items.get(id)
    return item?.kind === 'tool' && item.turnId === turnId ? [item] : []
  })
  const count = (state: string) => tools.filter(tool => tool.state === state).length
  const files = new Set(tools.flatMap(tool => tool.files.map(file => file.path.path)))
  const broken = tools.filter(tool => tool.state === 'stopped' && tool.startedAt !== null)
  const parts = [
    `${count('done')} of ${tools.length} tool calls were done`,
    files.size > 0 ? `changed: ${[...files].join(', ')}` : 'no file was changed',
    ...(broken.length > 0 ? [`ended in the middle: ${broken.map(tool => tool.tool).join(', ')}`] : []),
  ]
  await session.append({ type: 'status.changed', turnId, code: 'stopped', text: `Stopped. ${parts.join('; ')}.` })
  return ending('stopped')
}
