/**
 * Terminal output on its way into a terminal, in the pty host's screen and in the window's alike. Text may wait until it
 * pauses; of a flood, what is sure to have scrolled out of the buffer by then is dropped unparsed, and only its colours are
 * kept. Promise: what the terminal shows, its scrollback included, is what parsing every byte would have shown.
 */
import { createEscapeScan } from './escape-scan.ts'
import { inspectPlain, type PlainText } from './plain-output.ts'

export interface OutputQueueOptions {
  /** Hands bytes to the terminal, in order; `parsed` when it has taken them in. */
  write(bytes: Uint8Array, parsed: () => void): void
  /** Whether a line that leaves the screen at its top goes to the scrollback, and nowhere else. */
  scrollsFreely(): boolean
  /** Line feeds after which nothing remains of what was there before: scrollback and two screens. */
  lines(): number
  /** How long a flood waits for its end, and how often one that never pauses is parsed. */
  readonly pauseMs: number
  readonly maxWaitMs: number
  /** After each piece that was parsed. */
  parsed?(): void
  /** Whether the terminal may be told to show nothing for a moment (mode 2026): it draws, and no program has told it so. */
  holdsDrawing?(): boolean
}

export interface OutputQueue {
  /** `taken` is called when the queue has room for more: for text of a flood at once, for all else once it is parsed. */
  push(bytes: Uint8Array, taken?: () => void): void
  /** Does `work` to the terminal after what was pushed before. */
  behind(work: () => void): void
  readonly backlogBytes: number
  /**
   * Calls back, soon, when the terminal is between two pieces: `end` counts the bytes that it has taken in, `rest` are those
   * behind, `introducer` brings a fresh parser into the same state (escape-scan.ts).
   */
  between(look: (at: { end: number; introducer: string; rest: Uint8Array[] }) => void): void
  /** Forgets what is queued. `seen` is the end of what the terminal was given instead: it may leave a sequence open. */
  reset(seen: Uint8Array): void
  dispose(): void
}

/** Starts and ends between escape sequences and characters, but for strings too long to keep. */
interface Piece {
  readonly bytes: Uint8Array
  /** Bytes pushed up to its end. */
  readonly end: number
  readonly introducer: string
  readonly plain: PlainText | null
  readonly after: (() => void)[]
  taken: (() => void) | undefined
}

/** As much as this in a tenth of a second is a flood; less is parsed at once: it is a person typing, or reading. */
const FLOOD_BYTES = 32 * 1024
const FLOOD_MS = 100
const MIN_REST_MS = 48
const MAX_REST_MS = 250
/** No more than this waits. */
const GATHER_BYTES = 4 * 1024 * 1024
/** Less than this is not worth dropping. */
const SMALL_BYTES = 128 * 1024
/** So many times longer than parsing and drawing took, a flood then rests: what comes meanwhile makes more to drop. */
const REST_RATIO = 4
const HOLD_DRAWING = '\x1b[?2026h'
const DRAW = '\x1b[?2026l'
const LINE_FEED = 0x0a
const RETURN = 0x0d

export function createOutputQueue(options: OutputQueueOptions): OutputQueue {
  let scan = createEscapeScan()
  let queue: Piece[] = []
  /** Handed to the terminal, not parsed yet: the first of `queue`. */
  let inFlight = 0
  let carry: Uint8Array = new Uint8Array(0)
  let pushed = 0
  let parsed = { end: 0, introducer: '' }
  let backlogBytes = 0
  /** Pieces that may ask or tell something: nothing before them waits either. */
  let urgent = 0
  let waitingSince = 0
  let fedAt = 0
  let restUntil = 0
  /** Since when, and how many before: a flood is still one when a new count begins. */
  let recentBytes = 0
  let recentSince = 0
  let earlierBytes = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let looks: ((at: { end: number; introducer: string; rest: Uint8Array[] }) => void)[] = []
  /** Grows with each reset: what was in flight then is of no interest. */
  let round = 0

  const settle = (piece: Piece) => {
    backlogBytes -= piece.bytes.length
    if (!piece.plain) urgent--
    parsed = piece
    for (const each of piece.after) each()
    piece.taken?.()
  }
  const took = (piece: Piece) => {
    queue.shift()
    inFlight--
    settle(piece)
    const ready = looks
    looks = []
    for (const look of ready) look(state())
    if (inFlight === 0) {
      const now = performance.now()
      restUntil = now + Math.min(MAX_REST_MS, Math.max(MIN_REST_MS, (now - fedAt) * REST_RATIO))
      schedule()
    }
    options.parsed?.()
  }
  const state = () => ({
    end: parsed.end,
    introducer: parsed.introducer,
    rest: [...queue.map(piece => piece.bytes), ...(carry.length ? [carry] : [])],
  })
  const feed = () => {
    clearTimeout(timer)
    timer = undefined
    if (inFlight > 0) return
    skip()
    const mine = round
    fedAt = performance.now()
    inFlight = queue.length
    const give = (pieces: Piece[]) => {
      for (const piece of pieces) options.write(piece.bytes, () => mine === round && took(piece))
    }
    // A flood is parsed in slices, and each would be drawn.
    const held = backlogBytes >= FLOOD_BYTES && options.holdsDrawing?.() ? plainPieces() : 0
    const pieces = [...queue]
    if (held > 0) tell(HOLD_DRAWING)
    give(pieces.slice(0, held))
    if (held > 0) tell(DRAW)
    give(pieces.slice(held))
  }
  const tell = (text: string) => options.write(encoder.encode(text), () => {})
  /** How many at the head of the queue are only text, with no work to do behind them. */
  const plainPieces = () => {
    const other = queue.findIndex(piece => !piece.plain || piece.after.length > 0)
    return other < 0 ? queue.length : other
  }
  const schedule = () => {
    if (inFlight > 0 || queue.length === 0) return
    clearTimeout(timer)
    timer = undefined
    if (earlierBytes + recentBytes < FLOOD_BYTES || urgent > 0) return feed()
    if (backlogBytes >= GATHER_BYTES) {
      skip()
      if (backlogBytes >= GATHER_BYTES / 2) return feed()
    }
    const now = performance.now()
    const at = Math.max(restUntil, Math.min(now + options.pauseMs, waitingSince + options.maxWaitMs))
    if (at <= now) feed()
    else timer = setTimeout(feed, at - now)
  }
  /** Drops what is sure to have scrolled away once all that waits is parsed; nothing may be in flight. */
  const skip = () => {
    if (backlogBytes < SMALL_BYTES || !options.scrollsFreely()) return
    let keep = plainPieces()
    let due = options.lines()
    while (keep > 0 && due > 0) due -= queue[--keep]?.plain?.lineFeeds ?? 0
    const first = queue[keep]
    if (due > 0 || !first) return
    const [gone, rest] = cut(first, -due)
    if (gone && rest) queue.splice(keep++, 1, gone, rest)
    // It starts anywhere in a line: what it prints up to its first line's end depends on the piece before it.
    else keep--
    if (keep <= 0) return
    const dropped = queue.splice(0, keep)
    for (const piece of dropped) settle(piece)
    const styles = dropped.map(piece => piece.plain?.styles() ?? '').join('')
    if (styles) tell(styles)
  }
  return {
    push(bytes, taken) {
      scan.push(bytes)
      pushed += bytes.length
      const whole = carry.length ? joined(carry, bytes) : bytes
      const { tail, introducer } = scan.open()
      carry = tail
      const now = whole.subarray(0, whole.length - tail.length)
      if (now.length === 0) return taken?.()
      const plain = introducer ? null : inspectPlain(now)
      const at = performance.now()
      if (queue.length === inFlight) waitingSince = at
      if (at - recentSince >= FLOOD_MS) {
        earlierBytes = at - recentSince < 2 * FLOOD_MS ? recentBytes : 0
        recentSince = at
        recentBytes = 0
      }
      recentBytes += now.length
      backlogBytes += now.length
      if (!plain) urgent++
      const early = plain !== null && urgent === 0 && backlogBytes < GATHER_BYTES
      queue.push({
        bytes: now,
        end: pushed - tail.length,
        introducer,
        plain,
        after: [],
        taken: early ? undefined : taken,
      })
      if (early) taken?.()
      schedule()
    },
    behind(work) {
      const last = queue.at(-1)
      if (last) last.after.push(work)
      else work()
    },
    get backlogBytes() {
      return backlogBytes
    },
    between(look) {
      if (inFlight === 0) look(state())
      else looks.push(look)
    },
    reset(seen) {
      round++
      clearTimeout(timer)
      timer = undefined
      scan = createEscapeScan()
      scan.push(seen)
      queue = []
      inFlight = 0
      carry = new Uint8Array(0)
      parsed = { end: pushed, introducer: '' }
      backlogBytes = 0
      urgent = 0
    },
    dispose() {
      clearTimeout(timer)
      timer = undefined
      const ready = looks
      looks = []
      for (const look of ready) look(state())
    },
  }
}

const encoder = new TextEncoder()

/**
 * In two behind the end of a line, with at most `lineFeeds` line feeds in the first part: the second starts in the first
 * column whatever came before. Nothing when there is no such place.
 */
function cut(piece: Piece, lineFeeds: number): Piece[] {
  const { bytes, end } = piece
  let at = 0
  let feeds = 0
  for (let index = 0; index < bytes.length && feeds < lineFeeds; index++) {
    if (bytes[index] !== LINE_FEED) continue
    feeds++
    if (bytes[index - 1] === RETURN) at = index + 1
  }
  const head = at > 0 ? inspectPlain(bytes.subarray(0, at)) : null
  const tail = at > 0 ? inspectPlain(bytes.subarray(at)) : null
  if (!head || !tail) return []
  return [
    { ...piece, bytes: bytes.subarray(0, at), end: end - bytes.length + at, plain: head, after: [], taken: undefined },
    { ...piece, bytes: bytes.subarray(at), plain: tail },
  ]
}

function joined(before: Uint8Array, after: Uint8Array): Uint8Array {
  const whole = new Uint8Array(before.length + after.length)
  whole.set(before)
  whole.set(after, before.length)
  return whole
}
