/** The session that the terminal shows: opened, followed, left for another one. What happens is folded first and told then. */
import type { Client } from '#contract/client'
import type { RequestId, SessionId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import type { PromptPart } from '#contract/session'
import type { LiveDelta, SessionEvent } from '#contract/session-event'
import { foldLive, foldSession, liveKey, type SessionState } from '#contract/session-fold'
import type { Ask } from '#contract/session-state'
import { stateFrom } from '#contract/session-window'
import { createSerial } from '../../base/serial.ts'

export interface Hearer {
  /** All of it anew: a session was opened, or something was lost on the way. */
  opened(state: SessionState): void
  event(event: SessionEvent, state: SessionState): void
  live(itemId: LiveDelta['itemId'], kind: LiveDelta['kind'], whole: string): void
}

export interface Talk {
  readonly state: SessionState
  readonly sessionId: SessionId
  readonly running: boolean
  /** Asks that wait for an answer, oldest first. */
  readonly asks: readonly Ask[]
  /** Leaves the one that is shown; what runs in it goes on. */
  open(sessionId: SessionId): Promise<void>
  /** Words to the session: a turn, or (while one runs) to its next step, or to the queue. */
  say(parts: PromptPart[], how?: 'steer' | 'queue' | 'stop'): Promise<void>
  stop(): Promise<void>
  close(): Promise<void>
}

export async function createTalk(client: Client<BelayContract>, first: SessionId, hearer: Hearer): Promise<Talk> {
  const serial = createSerial()
  let sessionId = first
  let state = stateFrom(await client.session.open({ sessionId }))

  const reopen = async (): Promise<void> => {
    state = stateFrom(await client.session.open({ sessionId }))
    hearer.opened(state)
  }
  const unhear = [
    client.on('session/happened', batch => {
      if (batch.sessionId === sessionId) void serial(() => hear(batch.events))
    }),
    client.on('session/live', batch => {
      if (batch.sessionId === sessionId) void serial(() => hearLive(batch.deltas))
    }),
  ]
  const hear = async (events: readonly SessionEvent[]): Promise<void> => {
    for (const event of events) {
      if (event.seq <= state.facts.seq) continue
      if (foldSession(state, event) === 'reopen') return reopen()
      hearer.event(event, state)
    }
  }
  const hearLive = async (deltas: readonly LiveDelta[]): Promise<void> => {
    for (const delta of deltas) {
      const result = foldLive(state, delta)
      if (result === 'gap') return reopen()
      if (result !== 'applied') continue
      const whole = state.live.get(liveKey(delta.itemId, delta.kind)) ?? null
      if (whole !== null) hearer.live(delta.itemId, delta.kind, whole)
    }
  }

  hearer.opened(state)
  return {
    get state() {
      return state
    },
    get sessionId() {
      return sessionId
    },
    get running() {
      return state.facts.running !== null
    },
    get asks() {
      return [...state.asks.values()].filter(({ answer }) => answer === null)
    },
    open: next =>
      serial(async () => {
        if (next !== sessionId) await client.session.close({ sessionId })
        sessionId = next
        await reopen()
      }),
    async say(parts, how = 'steer') {
      const requestId = crypto.randomUUID() as RequestId
      await client.session.prompt({ sessionId, requestId, parts, whenRunning: how })
    },
    stop: async () => void (await client.session.stop({ sessionId })),
    async close() {
      for (const end of unhear) end()
      await client.session.close({ sessionId }).catch(() => {})
    },
  }
}
