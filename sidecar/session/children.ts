/**
 * Sub-agents at work: each in a session of its own, begun and ended in the log of the session it works for, in the mode and by
 * the rules of the one that a person follows. Whatever stops the call stops the work.
 */
import { BelayError, toFault } from '#contract/error'
import { type BlobId, type CallId, RequestId, type SessionId } from '#contract/id'
import { lastWords } from '#contract/last-words'
import { pathKey } from '#contract/path'
import type { RunFlags } from '#contract/session'
import type { FileWrite, Producer, SessionEventDraft } from '#contract/session-event'
import { noUsage, type SessionState } from '#contract/session-fold'
import type { Item } from '#contract/session-state'
import type { Agent, TurnOptions } from '../agent/loop.ts'
import type { ChildWork, RunChild, SessionPort, SubagentResult } from '../agent/ports.ts'
import type { Log } from '../base/log.ts'
import type { Room, Rooms } from './conversation-room.ts'
import type { TalkDefaults } from './conversation-talk.ts'
import type { OpenSession, SessionStore } from './store.ts'

export interface ChildrenOptions {
  store: SessionStore
  rooms: Rooms
  agent: Agent
  flags: ReadonlyMap<SessionId, RunFlags>
  defaults(): TalkDefaults
  consented(model: string): boolean
  log: Log
}

type Principal = NonNullable<TurnOptions['principal']>

export function createChildren(options: ChildrenOptions): RunChild {
  const { store, rooms, agent, log } = options
  /** Of the children that work now: who a person follows. */
  const principals = new Map<SessionId, Principal>()

  const producerOf = (parent: Room, { model, parent: { turnId }, agent: name }: ChildWork): Producer => {
    const own = parent.open.state.turns.get(turnId)?.producer
    if (!own) throw new BelayError('internal', 'The turn that called the agent is not there any more.')
    if (model === null || model === own.model) return own
    if (options.consented(model)) return { ...own, model }
    throw new BelayError(
      'denied',
      `The agent ${name} is to work with ${model}, which the person has not agreed to. Nothing was begun: call another agent, or do it yourself.`,
    )
  }

  const create = async (parent: Room, work: ChildWork, principal: Principal, producer: Producer) => {
    const { sessionId, agent: name, description } = work
    const { callId } = work.parent
    // Told before it is made, so that no session is ever without a trace in the one it belongs to.
    await parent.talk.port.append({ type: 'subagent.started', callId, sessionId, agent: name, description })
    const { mode } = principal.session.state.facts
    const child = { sessionId, parent: { sessionId: work.parent.sessionId, callId, agent: name } }
    return store.create({ roots: parent.open.state.facts.roots, title: description, mode, producer, child })
  }

  const begin = (work: ChildWork, principal: Principal, producer: Producer) => {
    const { fallbackModel, serverTools, maxTurns } = options.defaults()
    const flags = options.flags.get(principal.session.sessionId) ?? null
    const requestId = RequestId.parse(crypto.randomUUID())
    return (talk: Pick<TurnOptions, 'session' | 'steers'>) =>
      agent.start({
        ...talk,
        prompt: { requestId, text: work.prompt, attachments: [], origin: 'user' },
        producer,
        fallbackModel,
        serverTools: work.serverTools ? serverTools : [],
        maxTurns: flags?.maxTurns ?? maxTurns,
        flags,
        persona: work.persona,
        tools: work.tools,
        principal,
        before: [],
      })
  }

  return work =>
    rooms.use(work.parent.sessionId, async parent => {
      const { sessionId } = work
      const { callId, turnId, signal } = work.parent
      const principal = principals.get(work.parent.sessionId) ?? { session: parent.talk.port, turnId }
      const producer = producerOf(parent, work)
      const end = async (ended: Pick<SubagentEnded, 'outcome' | 'usage' | 'cost'>): Promise<void> => {
        try {
          await parent.talk.port.append({ type: 'subagent.ended', callId, sessionId, ...ended })
        } catch (fault) {
          log('error', "the end of a sub-agent's work could not be written", { sessionId, fault: String(fault) })
        }
      }
      principals.set(sessionId, principal)
      try {
        return await rooms.beget(
          sessionId,
          () => create(parent, work, principal, producer),
          async (talk, open) => {
            const outcome = await talk.work(begin(work, principal, producer), signal)
            const { usage, cost } = open.state.facts
            await end({ outcome, usage, cost })
            return resultOf(open, parent.talk.port, { agent: work.agent, sessionId, outcome })
          },
        )
      } catch (thrown) {
        if (isOpen(parent.open.state, callId, sessionId))
          await end({ outcome: 'error', usage: { ...noUsage, known: false }, cost: null })
        throw new BelayError(
          toFault(thrown).code,
          `The agent ${work.agent} could not begin: ${toFault(thrown).message}`,
        )
      } finally {
        principals.delete(sessionId)
      }
    })
}

function isOpen({ items, calls }: SessionState, callId: CallId, sessionId: SessionId): boolean {
  const id = calls.get(callId)
  const item = id && items.get(id)
  const begun = item && item.kind === 'tool' ? item.subagents?.find(each => each.sessionId === sessionId) : undefined
  return begun !== undefined && begun.outcome === null
}

type SubagentEnded = Extract<SessionEventDraft, { type: 'subagent.ended' }>

/** What it came to, told from its log. */
async function resultOf(
  open: OpenSession,
  parent: SessionPort,
  ended: Pick<SubagentResult, 'agent' | 'sessionId' | 'outcome'>,
): Promise<SubagentResult> {
  const { path, items, turns } = open.state
  const all = path.flatMap(id => items.get(id) ?? [])
  const error = [...turns.values()].at(-1)?.error ?? null
  const files: FileWrite[] = []
  for (const file of writtenBy(all)) files.push(await keptBy(parent, open, file))
  return { ...ended, text: lastWords(all), error, files }
}

/** Each path once: how it was before the first write, and after the last. */
function writtenBy(items: readonly Item[]): FileWrite[] {
  const written = new Map<string, FileWrite>()
  for (const item of items) {
    for (const file of item.kind === 'tool' ? item.files : []) {
      const key = pathKey(file.path)
      const before = written.get(key)
      written.set(key, before ? merged(before, file) : file)
    }
  }
  return [...written.values()]
}

const merged = (first: FileWrite, next: FileWrite): FileWrite => ({
  ...next,
  before: first.before,
  beforeBlob: first.beforeBlob,
  by: first.by === 'mixed' ? 'mixed' : next.by,
  added: first.added + next.added,
  removed: first.removed + next.removed,
})

/** A write is taken back from the log it stands in, so the contents go there too. */
async function keptBy(parent: SessionPort, child: OpenSession, file: FileWrite): Promise<FileWrite> {
  const keep = async (id: BlobId | null): Promise<BlobId | null> => {
    const bytes = id && (await child.readBlob(id))
    return bytes ? parent.blob(bytes) : null
  }
  const [beforeBlob, afterBlob] = await Promise.all([keep(file.beforeBlob), keep(file.afterBlob)])
  return { ...file, beforeBlob, afterBlob }
}
