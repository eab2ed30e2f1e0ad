/** The durable events of one session, one by one, from the moment on in which it is called. */
import type { Client } from '#contract/client'
import type { SessionId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import type { SessionEvent } from '#contract/session-event'

export interface Following {
  /** Throws what `fail` was told. For one reader. */
  next(): Promise<SessionEvent>
  fail(thrown: unknown): void
  end(): void
}

export function follow(client: Client<BelayContract>, sessionId: SessionId): Following {
  const waiting: SessionEvent[] = []
  let fault: { thrown: unknown } | null = null
  let wake = () => {}
  const forget = client.on('session/happened', batch => {
    if (batch.sessionId !== sessionId) return
    waiting.push(...batch.events)
    wake()
  })
  return {
    async next() {
      for (;;) {
        const event = waiting.shift()
        if (event) return event
        if (fault) throw fault.thrown
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    },
    fail(thrown) {
      fault ??= { thrown }
      wake()
    },
    end: forget,
  }
}
