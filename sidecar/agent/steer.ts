/**
 * Words a person adds while a turn runs. They are on disk when they are taken, go to the model at the next step boundary,
 * and what no step took in waits in the queue, in front of what waited already. What waits is what the session's log says.
 */
import type { RequestId } from '#contract/id'
import { MAX_STEER_CHARS, MAX_STEERS } from '#contract/session'
import type { QueuePause, SessionEventDraft } from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'
import type { Serial } from '../base/serial.ts'
import type { TurnOutcome } from './ending.ts'
import type { SessionPort } from './ports.ts'

export interface Steer {
  requestId: RequestId
  text: string
}

export interface Steers {
  /** Whether a turn runs that takes words. */
  readonly taking: boolean
  /**
   * Why they were not taken, or null; then `also` is written with them. Runs inside the serial that the owner shares, so that no
   * ending comes in between.
   */
  offer(steer: Steer, also?: SessionEventDraft[]): Promise<'closed' | 'too_long' | 'mailbox_full' | null>
  /** Oldest first: appends what `deliverOne` makes of each that was not taken back meanwhile. */
  deliver(deliverOne: (steer: Steer) => Promise<SessionEventDraft[]>): Promise<void>
  /** False: it does not wait here any more. */
  withdraw(requestId: RequestId): Promise<boolean>
  /** Takes words again: a turn begins. */
  begin(): void
  /** Ends a turn: demotes what waits, then appends `ended`, with no prompt able to slip in between. */
  end(ended: SessionEventDraft[], outcome: TurnOutcome): Promise<void>
}

/** `serial` orders everything that changes the queue of this session. */
export function createSteers(session: SessionPort, serial: Serial): Steers {
  let open = false
  const waits = (requestId: RequestId) => session.state.facts.steers.some(each => each.requestId === requestId)
  return {
    get taking() {
      return open
    },
    async offer({ requestId, text }, also = []) {
      if (!open) return 'closed'
      if (text.length > MAX_STEER_CHARS) return 'too_long'
      if (session.state.facts.steers.length >= MAX_STEERS) return 'mailbox_full'
      await session.append({ type: 'steer.offered', requestId, text }, ...also)
      return null
    },
    async deliver(deliverOne) {
      for (;;) {
        const [next] = session.state.facts.steers
        if (!next) return
        const drafts = await deliverOne(next)
        await serial(async () => {
          if (waits(next.requestId)) await session.append(...drafts)
        })
      }
    },
    withdraw: requestId =>
      serial(async () => {
        if (!waits(requestId)) return false
        await session.append({ type: 'steer.withdrawn', requestId })
        return true
      }),
    begin() {
      open = true
    },
    end: (ended, outcome) =>
      serial(async () => {
        open = false
        const pause = outcome === 'done' ? null : outcome === 'stopped' ? 'stopped' : 'error'
        await session.append(...settleWaiting(session.state, pause), ...ended)
      }),
  }
}

/** Words that no step took in go to the front of the queue; with a `pause` nothing of it is sent by itself. */
export function settleWaiting({ facts }: SessionState, pause: QueuePause | null): SessionEventDraft[] {
  const { steers, queue, queuePaused } = facts
  const items = [...steers.map(({ requestId, text }) => ({ requestId, text, attachments: [] })), ...queue]
  const paused = pause ?? queuePaused
  if (items.length === 0 || (steers.length === 0 && paused === queuePaused)) return []
  return [
    ...steers.map(({ requestId }): SessionEventDraft => ({ type: 'steer.demoted', requestId })),
    { type: 'queue.changed', items, paused },
  ]
}
