/**
 * One channel of one window: passes frames to a child and back, reading nothing but the open and the closed. Promise: no
 * frame of one conversation reaches another; a window that opens while the child restarts is connected when it is back.
 */

import { closedFrame, isClosedFrame, isOpenFrame } from '#contract/frame'
import { CHANNEL_CREDIT_BYTES, MAX_FRAME_BYTES } from '#contract/protocol'

/** A child's end of a conversation. The relay sets both handlers at once. */
export interface FarEnd {
  sendFrame(frame: Uint8Array): void
  onFrame: (frame: Uint8Array) => void
  onClose: (reason: string) => void
  close(): void
  pause(): void
  resume(): void
  readonly bufferedBytes: number
}

export interface Relay {
  fromWindow(frame: Uint8Array): void
  /** The child may be back: a window that waits is connected. */
  retry(): void
  pause(): void
  resume(): void
  /** The window went away. */
  close(): void
}

/** What an honest window can have sent without having been granted more; beyond it the conversation ends. */
const MAX_HELD_BYTES = CHANNEL_CREDIT_BYTES + MAX_FRAME_BYTES

/** `connect` gives null while there is nobody to connect to. Its rejection ends the conversation, and the window tries again. */
export function createRelay(options: { toWindow(frame: Uint8Array): void; connect(): Promise<FarEnd> | null }): Relay {
  let state: 'idle' | 'waiting' | 'connecting' | 'open' = 'idle'
  let far: FarEnd | null = null
  let held: Uint8Array[] = []
  let heldBytes = 0
  let paused = false

  const rest = () => {
    const ended = far
    state = 'idle'
    far = null
    held = []
    heldBytes = 0
    ended?.close()
  }
  const end = () => {
    if (state === 'idle') return
    rest()
    options.toWindow(closedFrame())
  }
  const begin = (end_: FarEnd) => {
    state = 'open'
    far = end_
    end_.onFrame = frame => {
      if (far !== end_) return
      if (isClosedFrame(frame)) end()
      else options.toWindow(frame)
    }
    end_.onClose = () => {
      if (far === end_) end()
    }
    if (paused) end_.pause()
    for (const frame of held) end_.sendFrame(frame)
    held = []
    heldBytes = 0
  }
  const connect = () => {
    const connecting = options.connect()
    if (!connecting) return
    state = 'connecting'
    const mine = conversation
    connecting.then(
      found => (mine === conversation && state === 'connecting' ? begin(found) : found.close()),
      () => mine === conversation && state === 'connecting' && end(),
    )
  }
  let conversation = 0
  return {
    fromWindow(frame) {
      if (isOpenFrame(frame)) {
        rest()
        conversation++
        state = 'waiting'
        return connect()
      }
      if (state === 'idle') return
      if (isClosedFrame(frame)) return end()
      if (far) {
        far.sendFrame(frame)
        if (far.bufferedBytes > 4 * MAX_HELD_BYTES) end()
        return
      }
      held.push(frame)
      heldBytes += frame.length
      if (heldBytes > MAX_HELD_BYTES) end()
    },
    retry() {
      if (state === 'waiting') connect()
    },
    pause() {
      paused = true
      far?.pause()
    },
    resume() {
      paused = false
      far?.resume()
    },
    close: rest,
  }
}
