/** Whether commands run in a jail on this machine, for reading. */
import type { StoreApi, UseBoundStore } from 'zustand'
import { type JailMirror, jailStore } from './jail-store.ts'

export type { JailMirror } from './jail-store.ts'

export const jailMirror: UseBoundStore<Pick<StoreApi<JailMirror>, 'getState' | 'getInitialState' | 'subscribe'>> =
  jailStore
