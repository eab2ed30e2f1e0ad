/** The terminals of the open workspace. Written by client only. */
import { create } from 'zustand'
import type { Fault } from '#contract/error'
import type { TerminalInfo } from '#contract/terminal'

export interface TerminalEntry extends TerminalInfo {
  /** The process that ran it is gone, and it with it: nothing of it can be said any more. */
  readonly lost: boolean
}

export interface TerminalMirror {
  readonly status: 'opening' | 'ready' | 'failed'
  readonly fault: Fault | null
  /** In the order they were opened. */
  readonly terminals: readonly TerminalEntry[]
}

export const terminalStore = create<TerminalMirror>(() => ({ status: 'opening', fault: null, terminals: [] }))
