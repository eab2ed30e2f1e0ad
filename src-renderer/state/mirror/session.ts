/** Open sessions, for reading: by what a component shows, so that a token re-renders the one row it belongs to. */
import type { StoreApi, UseBoundStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { ItemId, SessionId, TurnId } from '#contract/id'
import type { LiveDelta } from '#contract/session-event'
import { liveKey, type SessionState } from '#contract/session-fold'
import type { Ask, Item, SessionFacts, Turn } from '#contract/session-state'
import { type SessionMirror, type SessionsMirror, sessionStore } from './session-store.ts'

export type { SessionMirror, SessionsMirror } from './session-store.ts'

export const sessionMirror: UseBoundStore<
  Pick<StoreApi<SessionsMirror>, 'getState' | 'getInitialState' | 'subscribe'>
> = sessionStore

const useState = <T>(id: SessionId | null, read: (state: SessionState, mirror: SessionMirror) => T, none: T): T =>
  sessionStore(({ sessions }) => {
    const mirror = id === null ? undefined : sessions[id]
    return mirror ? read(mirror.state, mirror) : none
  })

/** Null until the window opened it. */
export const sessionNow = (id: SessionId): SessionMirror | null => sessionStore.getState().sessions[id] ?? null

export const useSessionStatus = (
  id: SessionId | null,
): Pick<SessionMirror, 'status' | 'fault' | 'loadingOlder'> | null =>
  sessionStore(
    useShallow(({ sessions }) => {
      const mirror = id === null ? undefined : sessions[id]
      if (!mirror) return null
      const { status, fault, loadingOlder } = mirror
      return { status, fault, loadingOlder }
    }),
  )

/** One field of the facts; re-renders only when that field is another value. */
export const useSessionFact = <K extends keyof SessionFacts>(id: SessionId | null, key: K): SessionFacts[K] | null =>
  useState<SessionFacts[K] | null>(id, state => state.facts[key], null)

/** The path and what it needs to become rows; a new object exactly when the path, a turn or an ask changed place. */
export const usePathRevision = (id: SessionId | null): number => useState(id, (_, mirror) => mirror.pathRevision, -1)
export const useHasOlder = (id: SessionId | null): boolean => useState(id, state => !state.complete, false)

export const useItem = (id: SessionId, itemId: ItemId): Item | undefined =>
  useState<Item | undefined>(id, state => state.items.get(itemId), undefined)
export const useTurn = (id: SessionId, turnId: TurnId): Turn | undefined =>
  useState<Turn | undefined>(id, state => state.turns.get(turnId), undefined)
/** What streams now; undefined when nothing of that kind does. */
export const useLive = (id: SessionId, itemId: ItemId, kind: LiveDelta['kind']): string | undefined =>
  useState<string | undefined>(id, state => state.live.get(liveKey(itemId, kind)), undefined)

/** Words of the running turn that nothing has followed yet: a retry that is waited for, a queue of the service. What was read is none. */
export const useNotice = (id: SessionId): Turn['notices'][number] | undefined =>
  useState<Turn['notices'][number] | undefined>(
    id,
    ({ facts, turns, items, path }) => {
      const last = facts.running
        ? turns.get(facts.running)?.notices.findLast(({ code }) => code !== 'advice')
        : undefined
      const lastItem = facts.head ? items.get(facts.head) : items.get(path.at(-1) ?? ('' as ItemId))
      return last && last.at >= (lastItem?.at ?? 0) ? last : undefined
    },
    undefined,
  )

/** Those that wait for a person, oldest first. */
export const useOpenAsks = (id: SessionId | null): readonly Ask[] =>
  sessionStore(
    useShallow(({ sessions }) => {
      const asks = id === null ? undefined : sessions[id]?.state.asks
      return asks ? [...asks.values()].filter(ask => ask.answer === null) : none
    }),
  )
const none: readonly Ask[] = []
