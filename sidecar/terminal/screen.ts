/**
 * The terminal as it looks: a headless xterm that takes in every byte, so that a window can come at any time and be shown
 * screen, scrollback, modes and where commands stand, true at a known offset.
 */
import { SerializeAddon } from '@xterm/addon-serialize'
import headless from '@xterm/headless'
import { createOutputQueue } from '#contract/output-queue'
import { SCROLLBACK_LINES } from '#contract/terminal'
import type { LineMarker } from './marks.ts'
import { createModes } from './modes.ts'

export interface Snapshot {
  /** Escape sequences for a fresh terminal of the same size. */
  readonly screen: string
  /** Everything before this byte is in `screen`. */
  readonly offset: number
  /** Bytes after `offset` that were written already, in order. */
  readonly rest: readonly Uint8Array[]
  readonly cols: number
  readonly rows: number
}

export interface Screen {
  /** Takes the next bytes in; parsing goes on in slices. The bytes must not change afterwards. */
  write(bytes: Uint8Array): void
  /** Bytes written and not yet parsed. */
  readonly backlogBytes: number
  resize(cols: number, rows: number): void
  clear(): void
  /** Resolves within a parser's slice, whatever is still waiting. `lines()` is asked at the same moment. */
  snapshot<T>(lines: () => T): Promise<Snapshot & { lines: T }>
  /** The cursor's line; null on the alternate screen. */
  here(): LineMarker | null
  dispose(): void
}

/** Nobody looks at it: the text of a flood may wait, and is bounded by its size. */
const PAUSE_MS = 100
const MAX_WAIT_MS = 2000

/** `reply`: what a terminal answers to a program's questions (cursor position, kind). Windows answer none of these. */
export function createScreen(options: {
  cols: number
  rows: number
  reply(text: string): void
  titled(title: string): void
  marked(code: number, data: string): void
  /** More was parsed. */
  parsed(): void
}): Screen {
  const terminal = new headless.Terminal({
    cols: options.cols,
    rows: options.rows,
    scrollback: SCROLLBACK_LINES,
    allowProposedApi: true,
    logLevel: 'off',
  })
  const serialize = new SerializeAddon()
  // The addon is typed for the window's xterm; it uses only what both have.
  terminal.loadAddon(serialize as unknown as Parameters<typeof terminal.loadAddon>[0])
  const modes = createModes(terminal)
  terminal.onData(options.reply)
  terminal.onTitleChange(options.titled)
  for (const code of [7, 133, 633]) {
    terminal.parser.registerOscHandler(code, data => {
      options.marked(code, data)
      return true
    })
  }
  const queue = createOutputQueue({
    write: (bytes, parsed) => terminal.write(bytes, parsed),
    scrollsFreely: modes.scrollsFreely,
    lines: () => SCROLLBACK_LINES + 2 * terminal.rows,
    pauseMs: PAUSE_MS,
    maxWaitMs: MAX_WAIT_MS,
    parsed: options.parsed,
  })
  return {
    write: bytes => queue.push(bytes),
    get backlogBytes() {
      return queue.backlogBytes
    },
    // As the program saw it that wrote what is still waiting.
    resize: (cols, rows) => queue.behind(() => terminal.resize(cols, rows)),
    clear: () => queue.behind(() => terminal.clear()),
    snapshot: lines =>
      new Promise((resolve, reject) => {
        queue.between(({ end, introducer, rest }) => {
          try {
            const screen = serialize.serialize({ scrollback: SCROLLBACK_LINES }) + modes.restore() + introducer
            resolve({ screen, offset: end, rest, cols: terminal.cols, rows: terminal.rows, lines: lines() })
          } catch (fault) {
            reject(fault)
          }
        })
      }),
    here: () => terminal.registerMarker(0) ?? null,
    dispose() {
      queue.dispose()
      terminal.dispose()
    },
  }
}
