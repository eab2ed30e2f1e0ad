/** What language servers can do for each text that was shown, as the core says. Written by follow-servers.ts; no entry: nothing is known, nothing is claimed. */
import { create } from 'zustand'
import type { BelayCalls } from '#contract/index'
import { type AnyPath, pathKey } from '#contract/path'

export type Served = Awaited<ReturnType<BelayCalls['language']['features']>>

export const servedTexts = create<{ readonly byPath: Readonly<Record<string, Served>> }>(() => ({ byPath: {} }))

export const servedNow = (path: AnyPath): Served | undefined => servedTexts.getState().byPath[pathKey(path)]
export const useServed = (path: AnyPath | null): Served | undefined =>
  servedTexts(state => (path ? state.byPath[pathKey(path)] : undefined))
