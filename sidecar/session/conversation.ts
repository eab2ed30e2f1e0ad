/**
 * The `session` domain: every verb a client has, answered out of the store and the agent. A client hears of a session from
 * its `open` on and of the list always; what runs goes on when the last one leaves.
 */
import type { CallContext, Handlers } from '#contract/define'
import { BelayError, toFault } from '#contract/error'
import type { BlobId, SessionId, WorkspaceId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import { pathKey } from '#contract/path'
import type { RunFlags } from '#contract/session'
import type { FileWrite, Mode, SessionEvent, WrittenRule } from '#contract/session-event'
import { pageBefore, snapshotOf } from '#contract/session-window'
import { readArguments } from '../agent/arguments.ts'
import { createGate } from '../agent/gate.ts'
import { type AgentDeps, createAgent } from '../agent/loop.ts'
import type { Remember, RunChild } from '../agent/ports.ts'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { Log } from '../base/log.ts'
import { createChildren } from './children.ts'
import { type Client, createRooms, type Room } from './conversation-room.ts'
import type { Addressed, TalkDefaults } from './conversation-talk.ts'
import type { Entitle } from './conversation-title.ts'
import { dayOf } from './digest.ts'
import { markdownOf } from './exchange/markdown.ts'
import { treeHandlers } from './fork/fork-handlers.ts'
import { noWorktrees, type Worktrees } from './fork/ports.ts'
import type { SessionStore } from './store.ts'

type SessionHandlers = Handlers<BelayContract>['session']

/** Items of a snapshot and of a page. */
const PAGE_ITEMS = 200
/** Of an image that is shown; larger ones are kept, but never sent to a page. */
const MOST_BLOB_BYTES = 20_000_000

export interface RevertRequest {
  workspaceId: WorkspaceId
  write: FileWrite
  readBlob(id: BlobId): Promise<Uint8Array | null>
}

export interface ConversationOptions extends Omit<AgentDeps, 'gate' | 'log'> {
  store: SessionStore
  remember: Remember
  /** Throws `not_found` when it is not open here. */
  workspaceOf(workspaceId: WorkspaceId): { roots: string[] }
  workspaceIdOf(roots: readonly string[]): WorkspaceId
  /** Throws words where nothing can be worked on: its folder is away. */
  mayWork?(workspaceId: WorkspaceId): void
  defaults(): TalkDefaults
  /** Whether a person agreed to send to this model's provider. */
  consented(model: string): boolean
  entitle?: Entitle | undefined
  addressed?: Addressed | undefined
  trusted(workspaceId: WorkspaceId): boolean
  /** Told of each session that was opened for writing. */
  opened?(room: Room): Promise<void>
  revert(request: RevertRequest): Promise<'reverted' | 'removed' | 'stale'>
  /** See head/mend.ts. */
  mend?: ((room: Room) => Promise<boolean>) | undefined
  worktrees?: Worktrees
  /** Only a command line on this machine may skip the rules; never a page. */
  allowBypass?: boolean
  epoch: string
  log: Log
}

export interface Conversations {
  readonly handlers: SessionHandlers
  readonly runChild: RunChild
  /** Returns what is called once when the client has gone. */
  attach(client: Client): () => void
  /** Whether any client has the session open. */
  attended(sessionId: SessionId): boolean
  running(): SessionId[]
  /** For who works on a session beside the talk: open as long as `work` takes. Throws `not_found`. */
  within<T>(sessionId: SessionId, work: (room: Room) => Promise<T>): Promise<T>
  /** What is in the logs of those that are open, after it is there. */
  readonly happened: Emitter<{ readonly sessionId: SessionId; readonly events: readonly SessionEvent[] }>
  /** The session's own rules. Throws `not_found`. */
  rulesOf(sessionId: SessionId): Promise<readonly WrittenRule[]>
  /** Takes back what is not among these; none can be added so. Throws `invalid`. */
  keepRules(sessionId: SessionId, rules: readonly WrittenRule[], clientId: string): Promise<void>
  /** Stops every turn that works in this folder. Never rejects. */
  stopIn(workspaceId: WorkspaceId): Promise<void>
  /** Stops what runs and closes what is open. Never rejects. */
  dispose(): Promise<void>
}

export function createConversations(options: ConversationOptions): Conversations {
  const { store, log, worktrees = noWorktrees } = options
  const gate = createGate({ remember: options.remember })
  const flags = new Map<SessionId, RunFlags>()
  const clients = new Map<string, Client>()
  const agent = createAgent({ ...options, gate })
  const happened: Conversations['happened'] = createEmitter(fault =>
    log('error', 'a listener of the sessions failed', { fault: String(fault) }),
  )
  const onHappened = (sessionId: SessionId, events: readonly SessionEvent[]) => happened.emit({ sessionId, events })
  const rooms = createRooms({ ...options, agent, clients, flags, onHappened })
  const runChild = createChildren({ ...options, rooms, agent, flags })
  const forgetListed = store.listed.on(line => {
    for (const client of clients.values()) client.emit('session/listed', line)
  })

  const mayBe = (mode: Mode): Mode => {
    if (mode !== 'bypassPermissions' || options.allowBypass) return mode
    throw new BelayError(
      'denied',
      'The mode was not changed: bypassPermissions skips every rule and is set on the command line only, with --permission-mode.',
    )
  }
  /** For verbs that write: refused, with the holder's name, where the session is only read. */
  const writing = async <T>(sessionId: SessionId, work: (room: Room) => Promise<T>): Promise<T> => {
    await rooms.renew(sessionId)
    return rooms.use(sessionId, room => {
      if (room.readOnlyBecause) throw room.readOnlyBecause
      return work(room)
    })
  }
  /** A turn that waits since before a restart goes on first: it is who takes the answer. */
  const reply = async (room: Room, context: CallContext) => {
    await room.talk.wake()
    return { session: room.talk.port, by: clients.get(context.clientId)?.name ?? context.clientId }
  }

  const handlers: SessionHandlers = {
    ...treeHandlers({ ...options, rooms, worktrees }),
    async create({ workspaceId, mode, model, title, flags: said, sessionId }) {
      const { roots } = options.workspaceOf(workspaceId)
      options.mayWork?.(workspaceId)
      const defaults = options.defaults()
      const open = await store.create({
        roots,
        title: title ?? null,
        sessionId,
        mode: mayBe(mode ?? defaults.mode),
        producer: { engine: 'belay', model: model ?? defaults.model, account: null, effort: defaults.effort },
      })
      if (said) flags.set(open.sessionId, said)
      rooms.adopt(open)
      return { sessionId: open.sessionId }
    },
    setFlags: ({ sessionId, flags: said }) =>
      writing(sessionId, async ({ talk }) => {
        if (talk.running) throw new BelayError('busy', 'A turn is running in this conversation. Stop it first.')
        flags.set(sessionId, said)
        return {}
      }),
    open: ({ sessionId }, { clientId }) =>
      rooms.enter(sessionId, clientId, ({ open: { state, damaged: lost, torn } }) => ({
        ...snapshotOf(state, options.epoch, PAGE_ITEMS),
        ...(lost > 0 || torn ? { repaired: { lost, torn } } : {}),
      })),
    async close({ sessionId }, { clientId }) {
      await rooms.leave(sessionId, clientId)
      return {}
    },
    async hold({ sessionId, held }, { clientId }) {
      rooms.hold(sessionId, clientId, held)
      return {}
    },
    older: ({ sessionId, before }) =>
      rooms.use(sessionId, async ({ open }) => pageBefore(open.state, before, PAGE_ITEMS)),
    async list({ workspaceId, home, query, archived, branches }) {
      const of = home ?? (workspaceId ? options.workspaceOf(workspaceId).roots[0] : undefined)
      const also = branches && of !== undefined ? await worktrees.foldersOf(of) : undefined
      return { sessions: await store.list({ home: of, also, query, archived }) }
    },
    async usage({ days }) {
      const now = new Date()
      const since = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1)
      return { today: dayOf(now.getTime()), rows: await store.spent(dayOf(since.getTime())) }
    },
    prompt: ({ sessionId, ...prompt }) =>
      writing(sessionId, async ({ talk }) => {
        // A folder that is not open here has no tools: said before anything is kept.
        options.workspaceOf(talk.port.workspaceId)
        options.mayWork?.(talk.port.workspaceId)
        return talk.prompt(prompt)
      }),
    stop: ({ sessionId }) => rooms.use(sessionId, async ({ talk }) => ({ stopped: await talk.stop() })),
    withdrawSteer: ({ sessionId, requestId }) =>
      writing(sessionId, async ({ talk }) => ({ withdrawn: await talk.withdrawSteer(requestId) })),
    editQueued: ({ sessionId, ...edited }) => writing(sessionId, ({ talk }) => talk.editQueued(edited).then(nothing)),
    moveQueued: ({ sessionId, requestId, to }) =>
      writing(sessionId, ({ talk }) => talk.moveQueued(requestId, to).then(nothing)),
    removeQueued: ({ sessionId, requestId }) =>
      writing(sessionId, ({ talk }) => talk.removeQueued(requestId).then(nothing)),
    sendQueued: ({ sessionId, requestId }) =>
      writing(sessionId, async ({ talk }) => ({ outcome: await talk.sendQueued(requestId) })),
    compact: ({ sessionId, focus }) =>
      writing(sessionId, async ({ talk }) => {
        options.workspaceOf(talk.port.workspaceId)
        return { outcome: await talk.compact(focus?.trim() || null) }
      }),
    contextUse: ({ sessionId }) =>
      rooms.use(sessionId, ({ open, talk }) => {
        options.workspaceOf(talk.port.workspaceId)
        return agent.contextUse(talk.port, open.state.facts.producer?.model ?? options.defaults().model)
      }),
    resumeQueue: ({ sessionId }) => writing(sessionId, ({ talk }) => talk.resumeQueue().then(nothing)),

    answerPermission: ({ sessionId, batchId, answers }, context) =>
      writing(sessionId, async room =>
        gate.answerPermission({ ...(await reply(room, context)), askId: batchId, answers }),
      ),
    checkArguments: ({ sessionId, batchId, callId, arguments: args }) =>
      rooms.use(sessionId, async ({ open }) => {
        const ask = open.state.asks.get(batchId)
        const call = ask?.kind === 'permission' ? ask.calls.find(each => each.callId === callId) : undefined
        if (!call) throw new BelayError('not_found', 'Nothing waits under this name any more.')
        const read = readArguments({ tool: call.tool, arguments: JSON.stringify(args ?? {}) }, options.tools)
        return { problem: 'refusal' in read ? read.refusal : null }
      }),
    answerQuestion: ({ sessionId, askId, answers }, context) =>
      writing(sessionId, async room => gate.answerQuestions({ ...(await reply(room, context)), askId, answers })),
    decidePlan: ({ sessionId, askId, decision, mode, words }, context) =>
      writing(sessionId, async room => {
        // An approved plan is to be carried out, which plan mode would not allow.
        const planning = room.open.state.facts.mode === 'plan'
        const next = decision === 'approved' ? (mode ?? (planning ? ('default' as const) : null)) : null
        if (next) mayBe(next)
        return gate.decidePlan({ ...(await reply(room, context)), askId, decision, mode: next, words: words ?? null })
      }),

    setMode: ({ sessionId, mode }) =>
      writing(sessionId, async ({ open }) => {
        mayBe(mode)
        if (open.state.facts.mode !== mode) await open.append({ type: 'mode.changed', mode, by: 'person' })
        return {}
      }),
    setModel: ({ sessionId, model, effort }) =>
      writing(sessionId, async ({ open }) => {
        if (!/^[^/\s]+\/\S+$/.test(model))
          throw new BelayError(
            'invalid',
            `“${model}” is no model. Write provider/model, for example anthropic/claude-sonnet-5.`,
          )
        await open.append({ type: 'engine.switched', producer: { engine: 'belay', model, account: null, effort } })
        return {}
      }),
    title: ({ sessionId, title }) =>
      writing(sessionId, ({ open }) => open.append({ type: 'session.titled', title, by: 'person' }).then(nothing)),
    pin: ({ sessionId, pinned }) => store.setPinned(sessionId, pinned).then(nothing),
    archive: ({ sessionId, archived }) => store.setArchived(sessionId, archived).then(nothing),
    seen: ({ sessionId }) => store.setSeen(sessionId).then(nothing),
    async delete({ sessionId }) {
      const family = await store.family(sessionId)
      if (rooms.running().some(id => family.includes(id)))
        throw new BelayError('busy', 'A turn is running in this conversation. Stop it first, then delete it.')
      for (const id of family) await rooms.shut(id)
      await store.remove(sessionId)
      return {}
    },
    async export({ sessionId, format, blobs }) {
      if (format !== 'markdown') return store.exportLog(sessionId, { blobs: blobs === true })
      const title = (await store.summary(sessionId))?.title || sessionId
      const text = await rooms.use(sessionId, async ({ open }) => markdownOf(open.state, title))
      return { fileName: `${sessionId}.md`, text }
    },
    blob: ({ sessionId, blobId, offset, length }) =>
      rooms.use(sessionId, async ({ open }) => {
        const slice = await open.blobSlice(blobId, offset, length)
        if (slice) return slice
        throw new BelayError(
          'not_found',
          'This output is no longer kept. Its head and tail are still in the conversation.',
        )
      }),
    blobBytes: ({ sessionId, blobId }) =>
      rooms.use(sessionId, async ({ open }) => {
        const bytes = await open.readBlob(blobId)
        if (!bytes) throw new BelayError('not_found', 'This image is no longer kept.')
        if (bytes.length > MOST_BLOB_BYTES)
          throw new BelayError(
            'too_large',
            `This is ${Math.round(bytes.length / 1e6)} MB large: too much to show here.`,
          )
        return { base64: Buffer.from(bytes).toString('base64') }
      }),
    revertWrite: ({ sessionId, itemId, path }) =>
      writing(sessionId, async ({ open, talk }) => {
        const item = open.state.items.get(itemId)
        const write = item?.kind === 'tool' ? item.files.find(file => pathKey(file.path) === pathKey(path)) : undefined
        if (!write) throw new BelayError('not_found', 'This step of the conversation did not write that file.')
        const { workspaceId } = talk.port
        return { outcome: await options.revert({ workspaceId, write, readBlob: id => open.readBlob(id) }) }
      }),
  }

  return {
    handlers,
    runChild,
    attach(client) {
      clients.set(client.clientId, client)
      return () => {
        if (clients.get(client.clientId) === client) clients.delete(client.clientId)
        void rooms
          .leaveAll(client.clientId)
          .catch(fault => log('warn', 'leaving failed', { fault: toFault(fault).message }))
      }
    },
    attended: rooms.attended,
    running: rooms.running,
    within: rooms.use,
    happened,
    rulesOf: sessionId => rooms.use(sessionId, async ({ open }) => open.state.facts.rules),
    keepRules: (sessionId, rules, clientId) =>
      writing(sessionId, async ({ open }) => {
        const known = open.state.facts.rules
        const text = (rule: WrittenRule) => JSON.stringify([rule.tool, rule.verdict, rule.pattern, rule.bound?.hash])
        const kept = new Set(rules.map(text))
        const strange = rules.some(rule => !known.some(each => text(each) === text(rule)))
        if (strange)
          throw new BelayError('invalid', 'Nothing was changed: a rule for a session comes from an answer to an ask.')
        const by = clients.get(clientId)?.name ?? clientId
        await open.append({ type: 'rules.changed', rules: known.filter(rule => kept.has(text(rule))), by })
      }),
    async stopIn(workspaceId) {
      const stop = (sessionId: SessionId) =>
        rooms.use(sessionId, async ({ talk }) => void (talk.port.workspaceId === workspaceId && (await talk.stop())))
      for (const end of await Promise.allSettled(rooms.running().map(stop)))
        if (end.status === 'rejected') log('warn', 'a turn could not be stopped', { fault: String(end.reason) })
    },
    async dispose() {
      forgetListed()
      await rooms.dispose()
    },
  }
}

const nothing = (): Record<string, never> => ({})
