/** The list of sessions and the background commands, for reading. */
import type { StoreApi, UseBoundStore } from 'zustand'
import { type SessionListMirror, sessionListStore } from './session-list-store.ts'

export type { SessionListMirror } from './session-list-store.ts'

export const sessionListMirror: UseBoundStore<
  Pick<StoreApi<SessionListMirror>, 'getState' | 'getInitialState' | 'subscribe'>
> = sessionListStore
