/**
 * The terminal as it looks: a headless xterm that takes in every byte, so that a window can come at any time and be shown
 * screen, scrollback, modes and where commands stand, true at a known offset.
 */
import { SerializeAddon } from '@xterm/addon-serialize'
import headless from '@xterm/headless'
import { SCROLLBACK_LINES } from '#contract/terminal'
import { createEscapeScan, type OpenSequence } from './escape-scan.ts'
import type { LineMarker } from './marks.ts'
import { createModes } from './modes.ts'

export interface Snapshot {
  /** Escape sequences for a fresh terminal of the same size. */
  readonly screen: string
  /** Everything before this byte is in `screen`. */
  readonly offset: number
  /** Bytes after `offset` that were taken in before `snapshot` was asked for, in order. */
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

interface Piece {
  bytes: Uint8Array
  end: number
  open: OpenSequence
}

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
  const scan = createEscapeScan()
  terminal.onData(options.reply)
  terminal.onTitleChange(options.titled)
  for (const code of [7, 133, 633]) {
    terminal.parser.registerOscHandler(code, data => {
      options.marked(code, data)
      return true
    })
  }

  const pieces: Piece[] = []
  let written = 0
  let parsed: { end: number; open: OpenSequence } = { end: 0, open: scan.open() }
  let backlogBytes = 0
  let waiting: (() => void)[] = []

  const took = (piece: Piece) => {
    pieces.shift()
    backlogBytes -= piece.bytes.length
    parsed = piece
    const ready = waiting
    waiting = []
    for (const each of ready) each()
    options.parsed()
  }
  const take = <T>(lines: () => T): Snapshot & { lines: T } => {
    const { tail, introducer } = parsed.open
    const rest = pieces.map(piece => piece.bytes)
    return {
      screen: serialize.serialize({ scrollback: SCROLLBACK_LINES }) + modes.restore() + introducer,
      offset: parsed.end - tail.length,
      rest: tail.length ? [tail, ...rest] : rest,
      cols: terminal.cols,
      rows: terminal.rows,
      lines: lines(),
    }
  }
  return {
    write(bytes) {
      scan.push(bytes)
      written += bytes.length
      backlogBytes += bytes.length
      const piece = { bytes, end: written, open: scan.open() }
      pieces.push(piece)
      terminal.write(bytes, () => took(piece))
    },
    get backlogBytes() {
      return backlogBytes
    },
    // Behind what was written before, as the program that wrote it saw the old size.
    resize(cols, rows) {
      if (pieces.length === 0) terminal.resize(cols, rows)
      else terminal.write('', () => terminal.resize(cols, rows))
    },
    clear: () => terminal.write('', () => terminal.clear()),
    snapshot: lines =>
      new Promise((resolve, reject) => {
        const answer = () => {
          try {
            resolve(take(lines))
          } catch (fault) {
            reject(fault)
          }
        }
        if (pieces.length === 0) answer()
        else waiting.push(answer)
      }),
    here: () => terminal.registerMarker(0) ?? null,
    dispose() {
      for (const each of waiting) each()
      waiting = []
      terminal.dispose()
    },
  }
}
