/** The session a sub-agent works in: one turn, begun by a call of another session. A person reads along and may stop it. */
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { RunningTurn, TurnOptions } from '../agent/loop.ts'
import type { SessionPort } from '../agent/ports.ts'
import { createSteers, type Steers } from '../agent/steer.ts'
import { createSerial } from '../base/serial.ts'
import type { Talk } from './conversation-talk.ts'
import type { OpenSession } from './opened.ts'
import { portOf } from './session-port.ts'

export interface ChildTalk extends Talk {
  /** `start` begins its turn; resolves when that has ended. */
  work(
    start: (session: Pick<TurnOptions, 'session' | 'steers'>) => Promise<RunningTurn>,
    signal: AbortSignal,
  ): RunningTurn['ended']
}

/** Why nothing is written here by a client. */
export const readOnlyChild = (): BelayError =>
  new BelayError(
    'denied',
    'Nothing was sent: this is what a sub-agent did, to read. Write in the conversation that it works for.',
  )

export function createChildTalk(
  open: OpenSession,
  options: { workspaceId(): WorkspaceId; attended(): boolean },
): ChildTalk {
  const port: SessionPort = portOf(open, options)
  const steers: Steers = createSteers(port, createSerial())
  let turn: RunningTurn | null = null
  const refuse = (): Promise<never> => Promise.reject(readOnlyChild())
  const talk: ChildTalk = {
    sessionId: open.sessionId,
    port,
    onRest: () => {},
    dispose: () => {},
    get running() {
      return turn !== null
    },
    async work(start, signal) {
      const begun = await start({ session: port, steers })
      turn = begun
      const stop = () => void begun.stop()
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
      try {
        return await begun.ended
      } finally {
        signal.removeEventListener('abort', stop)
        turn = null
        talk.onRest()
      }
    },
    async stop() {
      const now = turn
      await now?.stop()
      return now !== null
    },
    wake: async () => {},
    prompt: refuse,
    withdrawSteer: refuse,
    editQueued: refuse,
    moveQueued: refuse,
    removeQueued: refuse,
    sendQueued: refuse,
    compact: refuse,
    resumeQueue: refuse,
    still: refuse,
  }
  return talk
}
