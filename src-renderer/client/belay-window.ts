/** What the desktop's preload puts on the window. In a browser tab there is none, and the socket is used instead. */
import type { WireChannel } from '#contract/frame'

export type ChannelName = keyof typeof WireChannel

/**
 * A port cannot pass through the bridge: it comes as a `message` event of this window, from this window, with
 * `data: { belayPort: requestId }` and the port as its only transferred object. Each call asks for a fresh port: to the
 * living child behind the channel, or, while it restarts, as soon as it is back. A port whose child ends is closed.
 */
export interface BelayBridge {
  connect(channel: ChannelName, requestId: string): void
  /** Where a dropped file or folder lies; '' for what lies on no disk. */
  pathOf(file: File): string
}

declare global {
  interface Window {
    readonly belay?: BelayBridge
  }
}

export const isPortMessage = (data: unknown, requestId: string): boolean =>
  typeof data === 'object' && data !== null && (data as { belayPort?: unknown }).belayPort === requestId
