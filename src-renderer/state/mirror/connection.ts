/** How this window is connected, for reading: `useConnection(state => state.sidecar)`. */
import type { StoreApi, UseBoundStore } from 'zustand'
import { type Connection, connectionStore } from './connection-store.ts'

export type { Connection, ConnectionState } from './connection-store.ts'

export const useConnection: UseBoundStore<Pick<StoreApi<Connection>, 'getState' | 'getInitialState' | 'subscribe'>> =
  connectionStore
