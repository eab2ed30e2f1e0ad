/**
 * Words a person adds while a turn runs. They are on disk when they are taken, go to the model at the next step boundary,
 * and what no step took in waits in the queue, in front of what waited already.
 */
import type { RequestId } from '#contract/id'
import type { SessionEventDraft } from '#contract/session-event'
import type { Serial } from '../base/serial.ts'
import type { SessionPort } from './ports.ts'

export interface Steer {
  requestId: RequestId
  text: string
}

export interface Steers {
  /** Whether a turn runs that takes words. */
  readonly taking: boolean
  /** False: no turn takes words now. Runs inside the serial that the owner shares, so that no ending comes in between. */
  offer(steer: Steer): Promise<boolean>
  /** Everything that waits, oldest first; it is then the caller's to deliver. */
  take(): Steer[]
  /** Takes words again: a turn begins. */
  begin(): void
  /** Ends a turn: demotes what waits, then appends `ended`, with no prompt able to slip in between. */
  end(ended: SessionEventDraft[]): Promise<void>
}

/** `serial` orders everything that changes the queue of this session. */
export function createSteers(session: SessionPort, serial: Serial): Steers {
  let open = false
  let waiting: Steer[] = []
  return {
    get taking() {
      return open
    },
    async offer(steer) {
      if (!open) return false
      await session.append({ type: 'steer.offered', ...steer })
      waiting.push(steer)
      return true
    },
    take() {
      const taken = waiting
      waiting = []
      return taken
    },
    begin() {
      open = true
    },
    end: ended =>
      serial(async () => {
        open = false
        const left = waiting
        waiting = []
        await session.append(...demotions(session, left), ...ended)
      }),
  }
}

function demotions(session: SessionPort, left: readonly Steer[]): SessionEventDraft[] {
  if (left.length === 0) return []
  const queued = left.map(steer => ({ ...steer, attachments: [] }))
  return [
    ...left.map(({ requestId }): SessionEventDraft => ({ type: 'steer.demoted', requestId })),
    { type: 'queue.changed', items: [...queued, ...session.state.facts.queue] },
  ]
}
