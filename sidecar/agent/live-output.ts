/** A tool's output while it comes: batched, placed by offset, and no more than 256 KB of it, since all of it stays in memory. */
import type { ItemId } from '#contract/id'
import type { LiveDelta } from '#contract/session-event'

export const LIVE_OUTPUT_CHARS = 256 * 1024
const BATCH_MS = 25
const NOTE = '\n[More output comes. It is shown when the call ends.]\n'

export interface LiveOutput {
  write(text: string): void
  /** Hands out what waits; later writes are dropped. */
  end(): void
}

export function createLiveOutput(itemId: ItemId, live: (delta: LiveDelta) => void): LiveOutput {
  let sent = 0
  let taken = 0
  let waiting = ''
  let ended = false
  let timer: NodeJS.Timeout | null = null
  const flush = () => {
    timer = null
    if (waiting === '') return
    live({ itemId, kind: 'output', offset: sent, text: waiting })
    sent += waiting.length
    waiting = ''
  }
  return {
    write(text) {
      const room = LIVE_OUTPUT_CHARS - taken
      if (ended || room < 0 || text === '') return
      waiting += text.length <= room ? text : text.slice(0, room) + NOTE
      taken += text.length
      timer ??= setTimeout(flush, BATCH_MS)
    },
    end() {
      if (ended) return
      ended = true
      if (timer) clearTimeout(timer)
      flush()
    },
  }
}
