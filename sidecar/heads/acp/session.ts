/** One session that an ACP client has open: its events go out as updates in their order, its prompts wait for the end of their turns. */
import type { AgentContext, ContentBlock, SessionUpdate, StopReason } from '@agentclientprotocol/sdk'
import type { Client } from '#contract/client'
import { BelayError } from '#contract/error'
import type { RequestId, SessionId, TurnId, WorkspaceId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import type { ModelInfo } from '#contract/model'
import type { LiveDelta, SessionEvent, SessionEventOf } from '#contract/session-event'
import { foldSession, type SessionState } from '#contract/session-fold'
import type { SessionFacts } from '#contract/session-state'
import { stateFrom } from '#contract/session-window'
import type { Root } from '#contract/workspace'
import { createSerial } from '../../base/serial.ts'
import { createAsks } from './asks.ts'
import { type Chosen, configOptions } from './choices.ts'
import { placesIn } from './places.ts'
import { partsOf } from './prompt-blocks.ts'
import { createUpdates } from './updates.ts'

const MOST_SHOWN_BYTES = 1_000_000

export interface AcpSession {
  readonly sessionId: SessionId
  readonly workspaceId: WorkspaceId
  readonly chosen: Chosen
  readonly facts: SessionFacts
  /** Durable and live news of this session, in the order in which they came. */
  happened(events: readonly SessionEvent[]): void
  lived(deltas: readonly LiveDelta[]): void
  /** Resolves when everything that was told so far has gone out. */
  told(): Promise<void>
  /** Sends what was said before, from its beginning. */
  replay(): Promise<void>
  /** What waited for an answer when it was opened is asked again. */
  askAgain(): void
  send(update: SessionUpdate): Promise<void>
  /** Throws what the turn failed with. */
  prompt(blocks: readonly ContentBlock[]): Promise<StopReason>
  /** Stops the turn, and takes back what waits for one. */
  cancel(): Promise<void>
  close(): Promise<void>
}

export interface SessionOptions {
  readonly client: Client<BelayContract>
  readonly acp: AgentContext
  readonly sessionId: SessionId
  readonly at: { readonly workspaceId: WorkspaceId; readonly roots: readonly Root[] }
  models(): readonly ModelInfo[]
}

type End = SessionEventOf<'turn.ended'>

/** Opens it: from here on its news are told. */
export async function openSession({ client, acp, sessionId, at, models }: SessionOptions): Promise<AcpSession> {
  const serial = createSerial()
  const places = placesIn(at.roots)
  const asks = createAsks(client, sessionId, acp)
  /** Prompts of this client that are not over: the turn that took it, once one has. */
  const mine = new Map<RequestId, { turnId: TurnId | null; end(event: End | 'withdrawn'): void }>()
  const own = new Set<RequestId>()
  const updates = createUpdates({
    places,
    isOwn: requestId => requestId !== null && own.has(requestId),
    async contentOf(blobId) {
      const read = { sessionId, blobId, offset: 0, length: MOST_SHOWN_BYTES }
      const slice = await client.session.blob(read).catch(() => null)
      return slice && slice.nextOffset === null ? slice.text : null
    },
  })
  const snapshot = await client.session.open({ sessionId })
  let state: SessionState = stateFrom(snapshot)

  const send = (update: SessionUpdate) => acp.notify('session/update', { sessionId, update })
  const chosen = (): Chosen => ({ mode: state.facts.mode, model: state.facts.producer?.model ?? '' })

  const hear = async (event: SessionEvent): Promise<void> => {
    if (event.seq <= state.facts.seq) return
    if (foldSession(state, event) === 'reopen') state = stateFrom(await client.session.open({ sessionId }))
    for (const update of await updates.event(event, state)) await send(update)
    if (event.type === 'mode.changed' || event.type === 'engine.switched')
      await send({ sessionUpdate: 'config_option_update', configOptions: configOptions(chosen(), models()) })
    asks.heard(event)
    if (event.type === 'message.added' && event.requestId) {
      const waiting = mine.get(event.requestId)
      if (waiting) waiting.turnId = event.turnId
    }
    if (event.type === 'turn.ended') {
      await tellUsage(event)
      for (const [requestId, { turnId, end }] of mine)
        if (turnId === event.turnId) {
          mine.delete(requestId)
          end(event)
        }
    }
  }

  /** Only where the size of the model's window is known. */
  const tellUsage = async ({ contextTokens }: End): Promise<void> => {
    const size = models().find(each => each.model === chosen().model)?.contextTokens
    if (!size || typeof contextTokens !== 'number') return
    const { cost } = state.facts
    await send({
      ...{ sessionUpdate: 'usage_update', used: contextTokens, size },
      ...(cost === null ? {} : { cost: { amount: cost, currency: 'USD' } }),
    })
  }

  return {
    sessionId,
    workspaceId: at.workspaceId,
    get chosen() {
      return chosen()
    },
    get facts() {
      return state.facts
    },
    send,
    happened: events =>
      void serial(async () => {
        for (const event of events) await hear(event)
      }).catch(() => {}),
    lived: deltas =>
      void serial(async () => {
        for (const update of updates.live(deltas)) await send(update)
      }).catch(() => {}),
    told: () => serial(async () => {}),
    replay: () =>
      serial(async () => {
        let { items, more } = snapshot
        const all = [...items]
        while (more && items[0]) {
          const page = await client.session.older({ sessionId, before: items[0].id })
          ;({ items, more } = page)
          all.unshift(...items)
        }
        for (const item of all) for (const update of await updates.replay(item)) await send(update)
        for (const update of updates.live(snapshot.live)) await send(update)
      }),
    askAgain() {
      for (const ask of snapshot.asks) asks.again(ask)
    },
    async prompt(blocks) {
      const requestId = crypto.randomUUID() as RequestId
      own.add(requestId)
      const ended = new Promise<End | 'withdrawn'>(end => mine.set(requestId, { turnId: null, end }))
      try {
        const parts = partsOf(blocks, places.wire)
        await client.session.prompt({ sessionId, requestId, parts, whenRunning: 'queue' })
      } catch (thrown) {
        mine.delete(requestId)
        throw thrown
      }
      const end = await ended
      return end === 'withdrawn' ? 'cancelled' : reasonOf(end)
    },
    async cancel() {
      for (const [requestId, { turnId, end }] of mine) {
        if (turnId !== null) continue
        await client.session.removeQueued({ sessionId, requestId }).then(
          () => {
            mine.delete(requestId)
            end('withdrawn')
          },
          // It has just begun: stopping ends it.
          () => {},
        )
      }
      await client.session.stop({ sessionId })
    },
    async close() {
      asks.end()
      await client.session.close({ sessionId })
    },
  }
}

function reasonOf({ outcome, error }: End): StopReason {
  if (outcome === 'done') return 'end_turn'
  if (outcome === 'stopped') return 'cancelled'
  if (outcome === 'limit') return error?.code === 'max_tokens' ? 'max_tokens' : 'max_turn_requests'
  if (error?.code === 'content_filter') return 'refusal'
  throw new BelayError('internal', error?.message ?? 'The turn did not end well.')
}
