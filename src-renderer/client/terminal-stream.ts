/**
 * One terminal's output, in order: the screen, then every byte after it, once. Whatever was lost (reload, reconnect, lag)
 * leads to a new screen. What was taken in is acknowledged, so that the terminal is held back while this window is behind.
 */
import type { TerminalId } from '#contract/id'
import { type MarkLines, TERMINAL_ACK_BYTES, type TerminalInfo } from '#contract/terminal'
import { followPty, pty } from './index.ts'

export interface TerminalSnapshot {
  readonly info: TerminalInfo
  readonly screen: string
  readonly markLines: readonly MarkLines[]
}

/** `done` is called when the sink has taken in what it was given. Calls come in order. */
export interface TerminalSink {
  /** Forget everything: this is what the terminal shows. */
  restore(snapshot: TerminalSnapshot, done: () => void): void
  write(bytes: Uint8Array, done: () => void): void
}

export interface TerminalStream {
  /** Keys and pasted text. Nothing happens while disconnected: keys must not arrive minutes later. */
  write(data: string): void
  resize(cols: number, rows: number): void
  dispose(): void
}

/** What this needs of the connection; replaced in tests. */
export interface TerminalLink {
  readonly follow: typeof followPty
  readonly calls: Pick<typeof pty, 'terminal' | 'onBytes'>
}

const MAX_WRITE_CHARS = 100_000

export function openTerminalStream(
  options: { terminalId: TerminalId; number: number; sink: TerminalSink },
  link: TerminalLink = { follow: followPty, calls: pty },
): TerminalStream {
  const { terminalId, number, sink } = options
  const { terminal } = link.calls
  /** Frames since the screen was asked for: it may be answered after bytes that come behind it. */
  let held: { offset: number; bytes: Uint8Array }[] | null = []
  let expected: number | null = null
  let acked = 0
  /** Grows with each screen: what an older one still has to say is of no interest. */
  let round = 0
  let open = false

  const acknowledge = (offset: number) => {
    if (offset - acked < TERMINAL_ACK_BYTES) return
    acked = offset
    terminal.ack({ terminalId, offset }).catch(() => {})
  }
  /** False: there is a hole before it. */
  const place = (offset: number, bytes: Uint8Array): boolean => {
    if (expected === null) return true
    if (offset > expected) return false
    const fresh = bytes.subarray(Math.min(bytes.length, expected - offset))
    if (fresh.length === 0) return true
    expected += fresh.length
    const end = expected
    const mine = round
    sink.write(fresh, () => mine === round && acknowledge(end))
    return true
  }
  const following = link.follow({
    async open(signal) {
      held = []
      return terminal.attach({ terminalId }, { signal })
    },
    onSnapshot({ info, screen, markLines, offset }) {
      round++
      open = true
      expected = offset
      acked = offset
      sink.restore({ info, screen, markLines }, () => {})
      const frames = held ?? []
      held = null
      if (!frames.every(frame => place(frame.offset, frame.bytes))) following.reopen()
    },
    onFailed: () => {
      open = false
    },
    events: {
      'terminal/lagged': which => (which.terminalId === terminalId ? 'reopen' : undefined),
    },
  })
  const stopBytes = link.calls.onBytes(number, (offset, bytes) => {
    if (held) held.push({ offset, bytes })
    else if (!place(offset, bytes)) following.reopen()
  })
  return {
    write(data) {
      if (!open) return
      for (let at = 0; at < data.length; at += MAX_WRITE_CHARS) {
        terminal.write({ terminalId, data: data.slice(at, at + MAX_WRITE_CHARS) }).catch(() => {})
      }
    },
    resize(cols, rows) {
      if (open) terminal.resize({ terminalId, cols, rows }).catch(() => {})
    },
    dispose() {
      following.dispose()
      stopBytes()
      if (open) terminal.detach({ terminalId }).catch(() => {})
    },
  }
}
