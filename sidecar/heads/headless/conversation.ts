/**
 * One session over the same wire as a window: opened, made or gone on with as the options say, then turn after turn. It answers
 * only what its own turns ask; what else happens in the session is left to others.
 */
import type { Client } from '#contract/client'
import { BelayError, type Fault, toFault } from '#contract/error'
import type { RequestId, SessionId, TurnId, WorkspaceId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import { lastWords } from '#contract/last-words'
import type { PromptPart, RunFlags } from '#contract/session'
import type { Mode, SessionEvent, SessionEventOf, Usage } from '#contract/session-event'
import { addUsage, foldSession, noUsage, type SessionState } from '#contract/session-fold'
import { stateFrom } from '#contract/session-window'
import { follow } from './follow.ts'
import type { LineWriter } from './line-writer.ts'
import type { HeadlessOptions } from './options.ts'
import type { Reached } from './reach.ts'

export interface TurnResult {
  /** The answer; '' when there is none. */
  readonly text: string
  readonly turnId: TurnId | null
  readonly outcome: SessionEventOf<'turn.ended'>['outcome']
  readonly error: Fault | { code: string; message: string } | null
  /** What sub-agents took is in it. */
  readonly usage: Usage
  /** US dollars; null: no price is known. */
  readonly cost: number | null
  /** Model calls. */
  readonly steps: number
  readonly durationMs: number
}

/** What is told while a turn runs, each event after it was folded into `state`. */
export type Told = (event: SessionEvent, state: SessionState) => void

export interface Conversation {
  readonly client: Client<BelayContract>
  readonly sessionId: SessionId
  readonly state: SessionState
  /** Names of all tools there are. */
  tools(): Promise<string[]>
  /** One after the other. Rejects where the prompt was not taken or the core has gone. Aborting stops the turn. */
  turn(parts: PromptPart[], signal: AbortSignal, told: Told): Promise<TurnResult>
  close(): void
}

export interface Opening extends Reached {
  readonly workspaceId: WorkspaceId
  readonly options: HeadlessOptions
  /** Whoever reads what is told is behind, or has caught up: no step of a turn begins in between. */
  readonly onBehind?: LineWriter['onBehind']
}

/** Throws `not_found` where there is no session to go on with. */
export async function openConversation(opening: Opening): Promise<Conversation> {
  const { client, onClose, workspaceId, options } = opening
  const sessionId = await sessionFor(client, workspaceId, options)
  const following = follow(client, sessionId)
  let state = stateFrom(await client.session.open({ sessionId }))
  onClose(() => following.fail(new BelayError('disconnected', 'The core ended before the answer did.')))
  opening.onBehind?.(held => void client.session.hold({ sessionId, held }).catch(() => {}))

  const turn: Conversation['turn'] = async (parts, signal, told) => {
    const startedAt = performance.now()
    const requestId = crypto.randomUUID() as RequestId
    const stop = () => void client.session.stop({ sessionId }).catch(() => {})
    signal.addEventListener('abort', stop, { once: true })
    try {
      const prompted = client.session.prompt({ sessionId, requestId, parts, whenRunning: 'queue' })
      prompted.then(() => signal.aborted && stop(), following.fail)
      let turnId: TurnId | null = null
      const ends: (SessionEventOf<'subagent.ended'> | SessionEventOf<'turn.ended'>)[] = []
      for (;;) {
        const event = await following.next()
        // The head was moved by somebody else: what one knows of the path is read anew.
        if (foldSession(state, event) === 'reopen') state = stateFrom(await client.session.open({ sessionId }))
        if (event.type === 'message.added' && event.requestId === requestId) turnId = event.turnId
        if (turnId !== null) told(event, state)
        if (event.type === 'subagent.ended') ends.push(event)
        if (event.type !== 'turn.ended' || event.turnId !== turnId) continue
        ends.push(event)
        const items = state.path.flatMap(id => state.items.get(id) ?? []).filter(item => item.turnId === turnId)
        return {
          text: lastWords(items),
          turnId,
          outcome: event.outcome,
          error: event.error,
          usage: ends.map(each => each.usage).reduce(addUsage, noUsage),
          cost: ends.reduce<number | null>((sum, { cost }) => (sum === null || cost === null ? null : sum + cost), 0),
          steps: Math.max(0, ...items.map(({ step }) => (step ?? -1) + 1)),
          durationMs: Math.round(performance.now() - startedAt),
        }
      }
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
  return {
    client,
    sessionId,
    get state() {
      return state
    },
    tools: async () => (await client.agents.list({ workspaceId })).tools,
    turn,
    close: following.end,
  }
}

/** The session that the options name, or a new one. Throws `not_found` in words. */
export async function sessionFor(
  { session }: Client<BelayContract>,
  workspaceId: WorkspaceId,
  options: HeadlessOptions,
): Promise<SessionId> {
  const { mode, model } = options
  const flags = flagsOf(options)
  const known = await existing({ session }, workspaceId, options)
  if (!known) {
    const of = { workspaceId, mode: mode ?? undefined, model: model ?? undefined, flags }
    return (await session.create({ ...of, sessionId: options.sessionId ?? undefined })).sessionId
  }
  await session.setFlags({ sessionId: known, flags }).catch(thrown => {
    const { code, message } = toFault(thrown)
    if (code !== 'locked_elsewhere' || options.attach !== null) throw thrown
    throw new BelayError(code, `${message} Where that is a window’s, --attach works in it.`, { cause: thrown })
  })
  if (mode) await session.setMode({ sessionId: known, mode: mode satisfies Mode })
  if (model) await session.setModel({ sessionId: known, model, effort: 'auto' })
  return known
}

async function existing(
  { session }: Pick<Client<BelayContract>, 'session'>,
  workspaceId: WorkspaceId,
  { sessionId, resume, continue: goOn }: HeadlessOptions,
): Promise<SessionId | null> {
  if (!sessionId && !resume && !goOn) return null
  const [active, archived] = await Promise.all([
    session.list({ workspaceId }),
    session.list({ workspaceId, archived: true }),
  ])
  const all = [...active.sessions, ...archived.sessions].sort((a, b) => b.changedAt - a.changedAt)
  if (goOn) {
    const [newest] = all
    if (newest) return newest.sessionId
    throw new BelayError(
      'not_found',
      'There is no session of this folder to go on with. Leave out --continue to begin one.',
    )
  }
  const found = all.find(each => each.sessionId === (resume ?? sessionId))
  if (found) return found.sessionId
  if (!resume) return null
  const newest = all[0] ? ` The newest one is ${all[0].sessionId}.` : ''
  throw new BelayError('not_found', `There is no session ${resume} in this folder.${newest}`)
}

const flagsOf = (options: HeadlessOptions): RunFlags => ({
  allowedTools: options.allowedTools ?? undefined,
  disallowedTools: options.disallowedTools,
  maxTurns: options.maxTurns ?? undefined,
  maxBudgetUsd: options.maxBudgetUsd ?? undefined,
  fallbackModel: options.fallbackModel ?? undefined,
  answerSchema: options.jsonSchema ?? undefined,
})

/** A prompt and, where there is some, what came beside it on a pipe. */
export function partsOf(prompt: string, context = ''): PromptPart[] {
  const parts: PromptPart[] = [{ kind: 'text', text: prompt }]
  if (context.trim() === '') return parts
  const base64 = Buffer.from(context, 'utf8').toString('base64')
  return [...parts, { kind: 'bytes', name: 'stdin', mediaType: 'text/plain', base64 }]
}
