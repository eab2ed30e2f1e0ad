/** How it stands with a newer Belay, as the machine around this window says. Set by app. */
import { create } from 'zustand'
import type { UpdateState } from '#contract/update'

export const updateView = create<{
  readonly state: UpdateState
  /** Of this version the window says nothing any more until it is opened anew. */
  readonly away: string | null
}>(() => ({ state: { kind: 'idle' }, away: null }))
