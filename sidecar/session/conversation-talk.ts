/**
 * Who speaks when, in one open session: a prompt starts a turn, or steers or waits when one runs. Promise: one prompt per
 * request id, on disk before it is answered; what waited through a stop, an error or a restart is never sent by itself.
 */
import { BelayError, toFault } from '#contract/error'
import type { ItemId, RequestId, SessionId, WorkspaceId } from '#contract/id'
import type { PromptPart, RunFlags } from '#contract/session'
import type { Effort, Mode, Producer, QueuedPrompt, SessionEventDraft } from '#contract/session-event'
import { noUsage } from '#contract/session-fold'
import { closersOf } from '../agent/close.ts'
import type { Agent, RunningTurn } from '../agent/loop.ts'
import type { ModelRequest, SessionPort } from '../agent/ports.ts'
import { createSteers } from '../agent/steer.ts'
import { suspendedTurn } from '../agent/suspended.ts'
import type { Log } from '../base/log.ts'
import { createSerial } from '../base/serial.ts'
import { contentOf, type PromptContent, titleFrom } from './conversation-parts.ts'
import { createQueue } from './conversation-queue.ts'
import { createQueueVerbs, type QueueVerbs } from './conversation-queue-verbs.ts'
import { type Entitle, entitleFirst } from './conversation-title.ts'
import { forkNotes } from './fork/fork-note.ts'
import { portOf } from './session-port.ts'
import type { OpenSession } from './store.ts'

export interface TalkDefaults {
  mode: Mode
  /** `<provider>/<model id>` */
  model: string
  effort: Effort
  maxTurns: number
  /** Goes on where the session's model cannot answer now; null: none, or the person has not agreed to it. */
  fallbackModel?: string | null
  /** Tools that the model's provider may run. */
  serverTools?: ModelRequest['serverTools']
}

/** The agents that words call on with `@name`. */
export type Addressed = (of: { workspaceId: WorkspaceId; sessionId: SessionId }, text: string) => Promise<string[]>

export interface TalkOptions {
  open: OpenSession
  agent: Agent
  workspaceId(): WorkspaceId
  attended(): boolean
  defaults(): TalkDefaults
  /** Whether a person agreed to send to this model's provider. */
  consented(model: string): boolean
  /** An untrusted folder is text only: no agent works in it. */
  trusted(workspaceId: WorkspaceId): boolean
  /** As they are now: a turn takes them at its beginning. */
  flags(): RunFlags | null
  /** Resolves when those who follow have caught up, or at the abort. Never rejects. */
  keepUp?(signal: AbortSignal): Promise<void>
  entitle?: Entitle | undefined
  addressed?: Addressed | undefined
  log: Log
}

export interface Prompt {
  requestId: RequestId
  parts: PromptPart[]
  whenRunning: 'steer' | 'queue' | 'stop'
}
export interface Prompted {
  itemId: ItemId | null
  outcome: 'started' | 'steered' | 'queued' | 'known'
  /** Why words that were to go to the running turn wait in the queue instead. */
  why?: 'attachments' | 'too_long' | 'mailbox_full'
}

/** What a turn is begun with while all else is still. */
export interface Hand {
  /** Throws why none could be begun: the folder is not trusted, the provider not agreed to. */
  mayBegin(): void
  /** `after`: what it follows once `before` is in the log, with which it goes to disk. Rejects with nothing begun. */
  begin(what: {
    prompt: Pick<QueuedPrompt, 'requestId' | 'text' | 'attachments'> | null
    after: ItemId | null
    before: SessionEventDraft[]
    requestId?: RequestId
  }): Promise<ItemId>
  /** As the log can keep them. Throws as `prompt` does. */
  contentOf(parts: readonly PromptPart[]): Promise<PromptContent>
}

export interface Talk extends QueueVerbs {
  /** False: a step has heard of it, or it waits in the queue by now. */
  withdrawSteer(requestId: RequestId): Promise<boolean>
  readonly sessionId: SessionId
  readonly port: SessionPort
  readonly running: boolean
  prompt(prompt: Prompt): Promise<Prompted>
  /** Goes on with a turn that an ended process left at an ask, where it may: else throws why not, and it waits on. */
  wake(): Promise<void>
  /** False when nothing ran. Resolves when everything the turn started has ended. */
  stop(): Promise<boolean>
  /**
   * Stops what runs, then `work`, with no turn that begins meanwhile but by its own hand. What waits in the queue waits for a
   * person from then on. Rejects like `work`; `denied` in a sub-agent's session.
   */
  still<T>(work: (hand: Hand) => Promise<T>): Promise<T>
  /** Resolves when it is over; where a turn runs at once: that does it at its next step. */
  compact(focus: string | null): Promise<'compacted' | 'nothing' | 'stopped' | 'next_step'>
  /** Called after each turn has ended and nothing took its place. */
  onRest: () => void
  /** Nothing more is asked of a model for it. */
  dispose(): void
}

export function createTalk(options: TalkOptions): Talk {
  const { open, agent, log } = options
  const { sessionId } = open
  const serial = createSerial()
  const port = portOf(open, options)
  const steers = createSteers(port, serial)
  const queue = createQueue(open)
  const known = new Map<RequestId, Promise<ItemId | null>>()
  let turn: RunningTurn | null = null
  /** A person asked for it while a turn runs. */
  let compaction: { focus: string | null } | null = null
  const ending = new AbortController()

  for (const item of open.state.items.values()) {
    if (item.kind === 'message' && item.requestId) known.set(item.requestId, Promise.resolve(item.id))
  }
  for (const { requestId } of [...open.state.facts.queue, ...open.state.facts.steers]) {
    known.set(requestId, Promise.resolve(null))
  }

  const producer = (): Producer => {
    const { model, effort } = options.defaults()
    return open.state.facts.producer ?? { engine: 'belay', model, account: null, effort }
  }
  const mustBeAllowed = (): void => {
    if (!options.trusted(options.workspaceId()))
      throw new BelayError(
        'untrusted',
        'Nothing was sent: this folder is not trusted yet, so no agent works in it. Trust it first, then send again; your words are kept.',
      )
    const { model } = producer()
    if (options.consented(model)) return
    const provider = model.split('/')[0]
    throw new BelayError(
      'denied',
      `Nothing was sent: you have not agreed yet that your words and files go to ${provider}. Agree to it in the model menu, or choose another model.`,
    )
  }
  /** Inside the serial, and with no turn running. */
  const start = async (
    prompt: (Pick<QueuedPrompt, 'requestId' | 'text' | 'attachments'> & { origin: 'user' | 'queue' }) | null,
    before: SessionEventDraft[] = [],
    onto: { after?: ItemId | null; requestId?: RequestId | undefined } = {},
  ): Promise<ItemId> => {
    mustBeAllowed()
    const title = prompt && open.state.facts.title === null ? titleFrom(prompt.text) : null
    if (title !== null) before.push({ type: 'session.titled', title, by: 'first_prompt' })
    const begun = await agent.start({
      session: port,
      prompt: prompt && {
        requestId: prompt.requestId,
        text: prompt.text,
        attachments: prompt.attachments,
        origin: prompt.origin,
      },
      ...onto,
      producer: producer(),
      ...ways(),
      notes: [...forkNotes(open.state.facts), ...(prompt ? await notesFor(prompt.text) : []), ...answerNotes()],
      notesFor,
      steers,
      before,
    })
    follow(begun)
    return begun.itemId
  }

  /** Whoever is addressed is told to the model beside the words. Nobody is kept from speaking by a list that cannot be read. */
  const notesFor = async (text: string): Promise<string[]> => {
    const of = { workspaceId: options.workspaceId(), sessionId }
    const names = (await options.addressed?.(of, text).catch(() => [])) ?? []
    if (names.length === 0) return []
    const all = names.map(name => `@${name}`).join(', ')
    return [
      `The person calls on ${all}: hand this to ${names.length > 1 ? 'them' : 'it'} with \`task\`, with all that is needed to do it.`,
    ]
  }

  /** Also to providers that are held to the schema: it says what is wanted. */
  const answerNotes = (): string[] => {
    const schema = options.flags()?.answerSchema
    const words = 'The last answer of this turn is one JSON value of this schema and nothing else:'
    return schema ? [`${words} ${JSON.stringify(schema)}`] : []
  }

  const follow = (begun: RunningTurn): void => {
    turn = begun
    void begun.ended.then(outcome => {
      turn = null
      if (outcome === 'done') void entitleFirst(options, producer().model, ending.signal)
      else compaction = null
      return serial(startNext).catch(fault =>
        log('warn', 'a waiting prompt was not sent', { sessionId, fault: String(fault) }),
      )
    })
  }

  /** Inside the serial. */
  const wake = (): void => {
    const left = turn === null && open.heldBy === null ? suspendedTurn(open.state) : null
    if (!left) return
    mustBeAllowed()
    follow(agent.resume({ session: port, ...ways(), steers, notesFor }, left))
  }

  const takeCompaction = () => {
    const wanted = compaction
    compaction = null
    return wanted
  }
  /** Inside the serial, and with no turn running. */
  const makeRoom = async (focus: string | null): Promise<RunningTurn> => {
    mustBeAllowed()
    const begun = await agent.compact({ session: port, producer: producer(), ...ways(), steers }, focus)
    follow(begun)
    return begun
  }

  /** How a turn of this session goes, whatever it is about. */
  const ways = () => {
    const flags = options.flags()
    const { fallbackModel, serverTools, maxTurns } = options.defaults()
    return {
      ...{ flags, serverTools, takeCompaction, keepUp: options.keepUp },
      fallbackModel: flags?.fallbackModel ?? fallbackModel,
      maxTurns: flags?.maxTurns ?? maxTurns,
    }
  }

  /** Inside the serial, as all that changes the queue. */
  const startNext = async (): Promise<void> => {
    if (turn) return
    const next = queue.next()
    const wanted = takeCompaction()
    try {
      if (wanted) return void (await makeRoom(wanted.focus))
      if (next) await start({ ...next, origin: 'queue' }, [queue.without(next.requestId)])
    } catch (fault) {
      await queue.pause('error')
      const turnId = [...open.state.turns.keys()].at(-1) ?? null
      await open.append({ type: 'status.changed', turnId, code: 'queue', text: toFault(fault).message })
      throw fault
    } finally {
      if (!turn) talk.onRest()
    }
  }

  /** A turn that takes no words any more is over but for its last line: then it is as if none ran. */
  const running = async (): Promise<boolean> => {
    if (turn && !steers.taking) await turn.ended
    return turn !== null
  }

  const take = async ({ requestId, parts, whenRunning }: Prompt): Promise<Prompted> => {
    const content = await hand.contentOf(parts)
    wake()
    if (!(await running()))
      return { itemId: await start({ requestId, ...content, origin: 'user' }), outcome: 'started' }
    const why = whenRunning === 'steer' ? await steered({ requestId, ...content }) : 'asked'
    if (why === null) return { itemId: null, outcome: 'steered' }
    const item = { requestId, ...content }
    await (whenRunning === 'stop' ? queue.addFirst(item) : queue.add(item))
    return { itemId: null, outcome: 'queued', ...(why === 'asked' || why === 'closed' ? {} : { why }) }
  }

  /** Null: the running turn will hear of it. What is offered between steps is words: attachments wait for a turn of their own. */
  const steered = async ({ requestId, text, attachments }: QueuedPrompt, also: SessionEventDraft[] = []) =>
    attachments.length > 0 ? 'attachments' : steers.offer({ requestId, text }, also)

  /** What waits first of all, on disk already, in the place of what runs. */
  const insteadOfTurn = async (requestId: RequestId): Promise<Prompted> => {
    // Outside the serial, which the end of a turn needs.
    await turn?.stop()
    return serial(async (): Promise<Prompted> => {
      if (await running()) return { itemId: null, outcome: 'queued' }
      if (!queue.has(requestId)) return { itemId: null, outcome: 'known' }
      const item = queue.find(requestId)
      return { itemId: await start({ ...item, origin: 'user' }, [queue.without(requestId)]), outcome: 'started' }
    }).catch((fault): Prompted => {
      log('warn', 'a prompt waits, for it could not be sent', { sessionId, fault: String(fault) })
      return { itemId: null, outcome: 'queued' }
    })
  }

  const hand: Hand = {
    mayBegin: mustBeAllowed,
    contentOf: parts => contentOf(parts, bytes => open.blob(bytes)),
    async begin({ prompt, before, ...onto }) {
      const itemId = await start(prompt && { ...prompt, origin: 'user' }, before, onto)
      if (prompt) known.set(prompt.requestId, Promise.resolve(itemId))
      return itemId
    },
  }
  const still: Talk['still'] = async work => {
    for (;;) {
      await talk.stop()
      // A turn that began in between is stopped too.
      const done = await serial(async () => {
        if (turn) return null
        await queue.pause('moved')
        return { value: await work(hand) }
      })
      if (done) return done.value
    }
  }

  const talk: Talk = {
    sessionId,
    port,
    onRest: () => {},
    dispose: () => ending.abort(),
    get running() {
      return turn !== null
    },
    wake: () => serial(wake),
    still,
    async prompt(prompt) {
      const before = known.get(prompt.requestId)
      if (before) return { itemId: await before, outcome: 'known' }
      const inTheEnd = async (first: Prompted): Promise<Prompted> =>
        prompt.whenRunning === 'stop' && first.outcome === 'queued' ? insteadOfTurn(prompt.requestId) : first
      const taken = serial(() => take(prompt)).then(inTheEnd)
      const item = taken.then(({ itemId }) => itemId)
      known.set(prompt.requestId, item)
      item.catch(() => known.delete(prompt.requestId))
      return taken
    },
    async stop() {
      // Behind a prompt that is just being taken in, so that its turn is stopped too.
      const now = await serial(() => turn)
      await now?.stop()
      if (now) return true
      // Left at an ask by a process that ended, and not gone on with: its end is all there is to say.
      const left = open.heldBy === null ? suspendedTurn(open.state) : null
      if (!left) return false
      const { turnId } = left.turn
      const usage = { ...noUsage, known: false }
      await open.append(...closersOf(open.state, turnId), {
        type: 'turn.ended',
        turnId,
        outcome: 'stopped',
        usage,
        cost: null,
        error: null,
      })
      return true
    },
    async compact(focus) {
      const begun = await serial(async () => {
        wake()
        if (!(await running())) return makeRoom(focus)
        compaction = { focus }
        return null
      })
      if (begun === null) return 'next_step'
      if ((await begun.ended) === 'stopped') return 'stopped'
      const { items } = open.state
      const made = [...items.values()].some(item => item.kind === 'compaction' && item.turnId === begun.turnId)
      return made ? 'compacted' : 'nothing'
    },
    withdrawSteer: requestId => steers.withdraw(requestId),
    ...createQueueVerbs({ open, queue, serial, wake, running, start, startNext, steered }),
  }
  return talk
}
