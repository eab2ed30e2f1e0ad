/** What the machine around this window can do. Set by app once; null until it has answered. */
import { create } from 'zustand'
import type { HostCapabilities } from '#contract/host'
import type { MachineReport } from '#contract/machine'

export const machine = create<{
  readonly capabilities: HostCapabilities | null
  /** How it serves Belay. Asked for when the window is shown. */
  readonly report: MachineReport | null
}>(() => ({ capabilities: null, report: null }))

/** Those of the system, in place of the window's own. */
export const hasNativeDialogs = (): boolean => machine.getState().capabilities?.nativeDialogs ?? false
