/** The terminals of the open workspace, for reading. */
import type { StoreApi, UseBoundStore } from 'zustand'
import { type TerminalMirror, terminalStore } from './terminal-store.ts'

export type { TerminalEntry, TerminalMirror } from './terminal-store.ts'

export const terminalMirror: UseBoundStore<
  Pick<StoreApi<TerminalMirror>, 'getState' | 'getInitialState' | 'subscribe'>
> = terminalStore
