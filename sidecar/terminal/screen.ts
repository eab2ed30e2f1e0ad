/**
 * The terminal as it looks: a headless xterm that takes in every byte, so that a window can come at any time and be shown
 * screen, scrollback, modes and where commands stand, true at a known offset.
 */
import { SerializeAddon } from '@xterm/addon-serialize'
import headless from '@xterm/headless'
import { SCROLLBACK_LINES } from '#contract/terminal'
import { createEscapeScan } from './escape-scan.ts'
import type { LineMarker } from './marks.ts'
import { createModes } from './modes.ts'
import { inspectPlain, type PlainText } from './plain.ts'

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

/** Starts and ends between escape sequences and characters, but for strings too long to keep. */
interface Piece {
  readonly bytes: Uint8Array
  /** Bytes of the terminal up to its end. */
  readonly end: number
  readonly introducer: string
  readonly plain: PlainText | null
  /** Done to the terminal once it is parsed: a new size, a clearing. */
  readonly after: (() => void)[]
}

/** Plain text may wait to be parsed until it pauses: of a flood, most has scrolled away by then. */
const PAUSE_MS = 10
const GATHER_BYTES = 4 * 1024 * 1024
/** Less than this is parsed after a tenth of a second, however steadily it comes. */
const SMALL_BYTES = 128 * 1024
const SMALL_MS = 100

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

  const queue: Piece[] = []
  let inFlight = false
  let carry: Uint8Array = new Uint8Array(0)
  let written = 0
  let parsed = { end: 0, introducer: '' }
  let backlogBytes = 0
  /** Pieces that may ask or tell something: nothing before them waits either. */
  let urgent = 0
  let fedAt = 0
  let gathering: NodeJS.Timeout | undefined
  let arrivals = 0
  let seenArrivals = 0
  let paused = false
  let waiting: (() => void)[] = []

  const took = (piece: Piece) => {
    inFlight = false
    queue.shift()
    backlogBytes -= piece.bytes.length
    if (!piece.plain) urgent--
    parsed = piece
    for (const each of piece.after) each()
    const ready = waiting
    waiting = []
    for (const each of ready) each()
    schedule()
    options.parsed()
  }
  const feed = () => {
    clearTimeout(gathering)
    gathering = undefined
    if (inFlight) return
    skip()
    const piece = queue[0]
    if (!piece) return
    inFlight = true
    fedAt = performance.now()
    terminal.write(piece.bytes, () => took(piece))
  }
  const schedule = () => {
    if (inFlight || queue.length === 0) return
    const steady = backlogBytes < SMALL_BYTES && performance.now() - fedAt >= SMALL_MS
    if (paused || urgent > 0 || steady || backlogBytes >= GATHER_BYTES) return feed()
    gathering ??= setTimeout(pause, PAUSE_MS)
  }
  const pause = () => {
    gathering = undefined
    paused = arrivals === seenArrivals
    seenArrivals = arrivals
    schedule()
  }
  /** Drops from the front what the rest of the flood is sure to scroll out of the buffer; its colours stay. */
  const skip = () => {
    if (backlogBytes < SMALL_BYTES || !modes.scrollsFreely()) return
    const flood = queue.findIndex(piece => !piece.plain || piece.after.length > 0)
    let keep = flood < 0 ? queue.length : flood
    // The screen may be empty: as many lines again until it scrolls. The first piece kept starts anywhere in a line.
    let lines = -(SCROLLBACK_LINES + 2 * terminal.rows)
    while (keep > 0 && lines < 0) lines += queue[--keep]?.plain?.lineFeeds ?? 0
    if (lines < 0 || --keep <= 0) return
    const dropped = queue.splice(0, keep)
    for (const piece of dropped) backlogBytes -= piece.bytes.length
    parsed = dropped.at(-1) ?? parsed
    terminal.write(dropped.map(piece => piece.plain?.styles ?? '').join(''))
  }
  const push = (bytes: Uint8Array, introducer: string) => {
    if (bytes.length === 0) return
    backlogBytes += bytes.length
    const piece = {
      bytes,
      end: written - carry.length,
      introducer,
      plain: introducer ? null : inspectPlain(bytes),
      after: [],
    }
    queue.push(piece)
    if (!piece.plain) urgent++
    arrivals++
    paused = false
    schedule()
  }
  /** After what was written before, as the program that wrote it saw the old size. */
  const behind = (work: () => void) => {
    const last = queue.at(-1)
    if (last) last.after.push(work)
    else work()
  }
  const take = <T>(lines: () => T): Snapshot & { lines: T } => ({
    screen: serialize.serialize({ scrollback: SCROLLBACK_LINES }) + modes.restore() + parsed.introducer,
    offset: parsed.end,
    rest: [...queue.map(piece => piece.bytes), ...(carry.length ? [carry] : [])],
    cols: terminal.cols,
    rows: terminal.rows,
    lines: lines(),
  })
  return {
    write(bytes) {
      scan.push(bytes)
      written += bytes.length
      const whole = carry.length ? Buffer.concat([carry, bytes]) : bytes
      const { tail, introducer } = scan.open()
      carry = tail
      push(whole.subarray(0, whole.length - tail.length), introducer)
    },
    get backlogBytes() {
      return backlogBytes
    },
    resize: (cols, rows) => behind(() => terminal.resize(cols, rows)),
    clear: () => behind(() => terminal.clear()),
    snapshot: lines =>
      new Promise((resolve, reject) => {
        const answer = () => {
          try {
            resolve(take(lines))
          } catch (fault) {
            reject(fault)
          }
        }
        if (!inFlight) answer()
        else waiting.push(answer)
      }),
    here: () => terminal.registerMarker(0) ?? null,
    dispose() {
      clearTimeout(gathering)
      for (const each of waiting) each()
      waiting = []
      terminal.dispose()
    },
  }
}
