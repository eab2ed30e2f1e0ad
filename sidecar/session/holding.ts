/** Sessions that are open here, each once: whoever opens the same one again shares it, and the last to close ends it. */
import type { SessionId } from '#contract/id'
import type { Opened, OpenSession } from './opened.ts'

export interface Holding {
  /** Null while it is not open, or not yet. */
  get(sessionId: SessionId): Opened | null
  ids(): SessionId[]
  /** `make` runs when nobody has it open; rejects like that. */
  open(sessionId: SessionId, make: () => Promise<Opened>): Promise<OpenSession>
  /** Ends it, whoever still counts on it. */
  shut(sessionId: SessionId): Promise<void>
}

interface Held {
  count: number
  now: Opened | null
  readonly ready: Promise<OpenSession>
  closing: Promise<void> | null
}

/** `opened` hears of each before its opener does; `closed` is waited for before the session counts as closed. */
export function createHolding(hooks: {
  opened(sessionId: SessionId, opened: Opened): void
  closed(sessionId: SessionId, opened: Opened): Promise<void>
}): Holding {
  const all = new Map<SessionId, Held>()

  const end = (sessionId: SessionId, held: Held): Promise<void> => {
    const { now } = held
    held.closing ??= (async () => {
      if (now) {
        await now.session.close()
        await hooks.closed(sessionId, now)
      }
      if (all.get(sessionId) === held) all.delete(sessionId)
    })()
    return held.closing
  }

  const start = (sessionId: SessionId, make: () => Promise<Opened>): Held => {
    const ready = async (): Promise<OpenSession> => {
      try {
        const opened = await make()
        held.now = opened
        hooks.opened(sessionId, opened)
        return shared(opened.session, async () => {
          held.count--
          if (held.count <= 0) await end(sessionId, held)
        })
      } catch (fault) {
        if (all.get(sessionId) === held) all.delete(sessionId)
        throw fault
      }
    }
    const held: Held = { count: 0, now: null, closing: null, ready: Promise.resolve().then(ready) }
    all.set(sessionId, held)
    return held
  }

  return {
    get: sessionId => all.get(sessionId)?.now ?? null,
    ids: () => [...all.keys()],
    async open(sessionId, make) {
      for (let held = all.get(sessionId); held?.closing; held = all.get(sessionId)) await held.closing
      const held = all.get(sessionId) ?? start(sessionId, make)
      held.count++
      return held.ready
    },
    async shut(sessionId) {
      const held = all.get(sessionId)
      if (!held) return
      await held.ready.catch(() => {})
      await end(sessionId, held)
    },
  }
}

/** The same session with another way to close it; what changes under it is read through. */
function shared(session: OpenSession, close: () => Promise<void>): OpenSession {
  return {
    ...session,
    get state() {
      return session.state
    },
    get damaged() {
      return session.damaged
    },
    close,
  }
}
