/** Sessions that somebody is in, or that run: opened once, told to those who opened them, let go when both are over. */
import { BelayError, toFault } from '#contract/error'
import type { SessionId, WorkspaceId } from '#contract/id'
import type { RunFlags } from '#contract/session'
import type { SessionEvent } from '#contract/session-event'
import type { Agent } from '../agent/loop.ts'
import type { Log } from '../base/log.ts'
import { type ChildTalk, createChildTalk, readOnlyChild } from './child-talk.ts'
import { type Addressed, createTalk, type Talk, type TalkDefaults } from './conversation-talk.ts'
import type { Entitle } from './conversation-title.ts'
import { createHolds, type Holds } from './holds.ts'
import type { OpenSession, SessionStore } from './store.ts'

export interface Client {
  readonly clientId: string
  /** What it says it is, for people and the log; its id without one. */
  readonly name?: string
  emit(name: string, payload: unknown): void
}

export interface Room {
  readonly open: OpenSession
  readonly talk: Talk
  /** Why nothing can be written here; null where we are the writer. */
  readonly readOnlyBecause: BelayError | null
}

interface Kept extends Room {
  readonly inside: Set<string>
  readonly holds: Holds
  /** Requests that need it open until they are answered. */
  uses: number
  /** What an ended process left half done is put in order first. Null: nothing was left. */
  mending: { under: Promise<boolean> | null } | null
  release(): Promise<void>
}

export interface RoomOptions {
  store: SessionStore
  agent: Agent
  /** Those who are connected, by id. */
  clients: ReadonlyMap<string, Client>
  flags: Map<SessionId, RunFlags>
  onHappened(sessionId: SessionId, events: readonly SessionEvent[]): void
  workspaceIdOf(roots: readonly string[]): WorkspaceId
  defaults(): TalkDefaults
  consented(model: string): boolean
  entitle?: Entitle | undefined
  addressed?: Addressed | undefined
  trusted(workspaceId: WorkspaceId): boolean
  /** Files that an ended process left half brought back; false: not now. Never rejects. */
  mend?: ((room: Room) => Promise<boolean>) | undefined
  /** Told of each session that was opened for writing; it stays open until this settles. */
  opened?: ((room: Room) => Promise<void>) | undefined
  log: Log
}

export interface Rooms {
  /** Whoever held it may have gone: then it is ours to write from now on, and those who read along open it again. */
  renew(sessionId: SessionId): Promise<void>
  /** Opens it if nobody has, keeps it open until `work` settles. */
  use<T>(sessionId: SessionId, work: (room: Room) => Promise<T>): Promise<T>
  /** From `look`'s answer on, what happens reaches the client. `look` is called with no event in between. */
  enter<T>(sessionId: SessionId, clientId: string, look: (room: Room) => T): Promise<T>
  leave(sessionId: SessionId, clientId: string): Promise<void>
  leaveAll(clientId: string): Promise<void>
  /** While a client that is inside holds it, no step of a turn begins. */
  hold(sessionId: SessionId, clientId: string, held: boolean): void
  /** A session that was just made: stays open until its first visitor has gone. */
  adopt(open: OpenSession): void
  /**
   * A sub-agent's session: who opens it while `make` still makes it waits for that. Stays open until `work` settles and nobody
   * is inside. Rejects like either.
   */
  beget<T>(
    sessionId: SessionId,
    make: () => Promise<OpenSession>,
    work: (talk: ChildTalk, open: OpenSession) => Promise<T>,
  ): Promise<T>
  attended(sessionId: SessionId): boolean
  running(): SessionId[]
  shut(sessionId: SessionId): Promise<void>
  dispose(): Promise<void>
}

export function createRooms(options: RoomOptions): Rooms {
  const { store, log } = options
  const all = new Map<SessionId, Promise<Kept>>()
  const settled = new Map<SessionId, Kept>()

  const build = (open: OpenSession, readOnlyBecause: BelayError | null): Kept =>
    open.state.facts.parent
      ? furnish(open, readOnlyBecause ?? readOnlyChild(), inside => createChildTalk(open, within(open, inside)))
      : furnish(open, readOnlyBecause, (inside, holds) =>
          createTalk({
            ...options,
            ...within(open, inside),
            ...{ open, keepUp: holds.over },
            flags: () => options.flags.get(open.sessionId) ?? null,
          }),
        )

  const within = (open: OpenSession, inside: ReadonlySet<string>) => ({
    workspaceId: () => options.workspaceIdOf(open.state.facts.roots),
    attended: () => inside.size > 0,
  })

  const furnish = <T extends Talk>(
    open: OpenSession,
    readOnlyBecause: BelayError | null,
    talkFor: (inside: ReadonlySet<string>, holds: Holds) => T,
  ): Kept & { talk: T } => {
    const { sessionId } = open
    const inside = new Set<string>()
    const holds = createHolds()
    const tell = (name: string, payload: object) => {
      for (const clientId of inside) options.clients.get(clientId)?.emit(name, { sessionId, ...payload })
    }
    const unheard = [
      open.happened.on(batch => {
        tell('session/happened', batch)
        options.onHappened(sessionId, batch.events)
      }),
      open.lived.on(deltas => tell('session/live', { deltas })),
    ]
    const talk = talkFor(inside, holds)
    const kept: Kept & { talk: T } = {
      open,
      talk,
      readOnlyBecause,
      inside,
      holds,
      uses: 0,
      mending: !readOnlyBecause && isHalfDone(open) ? { under: null } : null,
      async release() {
        talk.dispose()
        for (const unhear of unheard) unhear()
        await open.close()
      },
    }
    talk.onRest = () => void letGo(sessionId, kept)
    settled.set(sessionId, kept)
    return kept
  }

  const tellOpened = (kept: Kept): Kept => {
    const { sessionId } = kept.open
    const told = options.opened?.(kept)
    if (!told) return kept
    kept.uses++
    void told
      .catch(fault => log('warn', 'nothing could be added to a session', { sessionId, fault: String(fault) }))
      .finally(() => {
        kept.uses--
        return letGo(sessionId, kept)
      })
    return kept
  }

  const load = async (sessionId: SessionId): Promise<Kept> => {
    try {
      return tellOpened(build(await store.open(sessionId), null))
    } catch (thrown) {
      const { code, message } = toFault(thrown)
      if (code !== 'locked_elsewhere' && code !== 'read_only') throw thrown
      return build(await store.openReadOnly(sessionId), new BelayError(code, message))
    }
  }

  const get = (sessionId: SessionId): Promise<Kept> => {
    const known = all.get(sessionId)
    if (known) return known
    const loading = load(sessionId)
    all.set(sessionId, loading)
    loading.catch(() => {
      if (all.get(sessionId) === loading) all.delete(sessionId)
    })
    return loading
  }

  const drop = async (sessionId: SessionId, kept: Kept): Promise<void> => {
    if (settled.get(sessionId) !== kept) return
    settled.delete(sessionId)
    all.delete(sessionId)
    await kept.release()
  }

  const letGo = async (sessionId: SessionId, kept: Kept): Promise<void> => {
    if (kept.uses === 0 && kept.inside.size === 0 && !kept.talk.running) await drop(sessionId, kept)
  }

  const goOut = async (sessionId: SessionId, kept: Kept, clientId: string): Promise<void> => {
    kept.holds.set(clientId, false)
    if (kept.inside.delete(clientId)) await letGo(sessionId, kept)
  }

  const mend = async (kept: Kept, mending: NonNullable<Kept['mending']>): Promise<void> => {
    mending.under ??= options.mend?.(kept) ?? Promise.resolve(false)
    if (await mending.under) kept.mending = null
    else mending.under = null
  }

  const use: Rooms['use'] = async (sessionId, work) => {
    let kept = await get(sessionId)
    // Let go between its opening and now: open it again.
    while (settled.get(sessionId) !== kept) kept = await get(sessionId)
    kept.uses++
    try {
      if (kept.mending) await mend(kept, kept.mending)
      return await work(kept)
    } finally {
      kept.uses--
      await letGo(sessionId, kept)
    }
  }

  const renew: Rooms['renew'] = async sessionId => {
    const kept = settled.get(sessionId)
    // What a sub-agent did is ours to write already, and never a client's.
    if (!kept?.readOnlyBecause || kept.readOnlyBecause.code === 'denied') return
    const open = await store.open(sessionId).catch(() => null)
    if (!open) return
    // Somebody else was quicker, or it was let go of.
    if (settled.get(sessionId) !== kept) return open.close()
    await drop(sessionId, kept)
    const fresh = tellOpened(build(open, null))
    for (const clientId of kept.inside) fresh.inside.add(clientId)
    all.set(sessionId, Promise.resolve(fresh))
  }

  return {
    renew,
    use,
    async enter(sessionId, clientId, look) {
      await renew(sessionId)
      return use(sessionId, async room => {
        settled.get(sessionId)?.inside.add(clientId)
        return look(room)
      })
    },
    async leave(sessionId, clientId) {
      const kept = settled.get(sessionId)
      if (kept) await goOut(sessionId, kept, clientId)
    },
    async leaveAll(clientId) {
      for (const [sessionId, kept] of settled) await goOut(sessionId, kept, clientId)
    },
    hold(sessionId, clientId, held) {
      const kept = settled.get(sessionId)
      if (kept?.inside.has(clientId)) kept.holds.set(clientId, held)
    },
    adopt(open) {
      all.set(open.sessionId, Promise.resolve(build(open, null)))
    },
    async beget(sessionId, make, work) {
      const making = make().then(open =>
        furnish(open, readOnlyChild(), inside => createChildTalk(open, within(open, inside))),
      )
      all.set(sessionId, making)
      making.catch(() => all.delete(sessionId))
      const kept = await making
      kept.uses++
      try {
        return await work(kept.talk, kept.open)
      } finally {
        kept.uses--
        await letGo(sessionId, kept)
      }
    },
    attended: sessionId => (settled.get(sessionId)?.inside.size ?? 0) > 0,
    running: () => [...settled].filter(([, kept]) => kept.talk.running).map(([sessionId]) => sessionId),
    async shut(sessionId) {
      const kept = settled.get(sessionId)
      if (kept) await drop(sessionId, kept)
      options.flags.delete(sessionId)
    },
    async dispose() {
      const open = await Promise.allSettled(all.values())
      const kept = open.flatMap(each => (each.status === 'fulfilled' ? each.value : []))
      await Promise.allSettled(kept.map(each => each.talk.stop()))
      await Promise.allSettled(kept.map(each => drop(each.open.sessionId, each)))
      log('debug', 'conversations closed', { count: kept.length })
    },
  }
}

const isHalfDone = ({ state }: OpenSession): boolean =>
  [...state.restores.values()].some(({ outcome }) => outcome === null)
