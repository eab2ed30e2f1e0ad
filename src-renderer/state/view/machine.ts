/** What the machine around this window can do. Set by app once; null until it has answered. */
import { create } from 'zustand'
import type { HostCapabilities } from '#contract/host'

export const machine = create<{ readonly capabilities: HostCapabilities | null }>(() => ({ capabilities: null }))
