/**
 * Recognises output whose only lasting effect is what it prints: text, line ends, tabs and colours. Of a flood of it, what
 * would have scrolled away by the time it is parsed need not be parsed at all.
 */

export interface PlainText {
  readonly lineFeeds: number
  /** The colours and styles it sets, from its last reset on, as it sets them. Asked for only of what is dropped. */
  styles(): string
}

const OTHER = 0
const TEXT = 1
const FEED = 2
const RETURN = 3
const ESCAPE = 4
const C1_LEAD = 5
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x0a) return FEED
  if (byte === 0x0d) return RETURN
  if (byte === 0x1b) return ESCAPE
  if (byte === 0xc2) return C1_LEAD
  return byte === 0x09 || (byte >= 0x20 && byte !== 0x7f) ? TEXT : OTHER
})
/** Twice the number of styles without a reset; more than that is not worth keeping. */
const MAX_STYLES = 8192

/** Null for anything else, and for text without a single carriage return. `bytes` starts and ends between sequences. */
export function inspectPlain(bytes: Uint8Array): PlainText | null {
  let lineFeeds = 0
  let returned = false
  /** Start and end of each style, in turn. */
  let styles: number[] = []
  for (let at = 0; at < bytes.length; at++) {
    const kind = kinds[bytes[at] as number]
    if (kind === TEXT) continue
    if (kind === FEED) lineFeeds++
    else if (kind === RETURN) returned = true
    else if (kind === ESCAPE) {
      const end = endOfStyle(bytes, at)
      if (end < 0) return null
      if (isReset(bytes, at, end)) styles = []
      else if (styles.length >= MAX_STYLES) return null
      styles.push(at, end)
      at = end - 1
    } else if (kind === OTHER || isC1(bytes[at + 1])) return null
  }
  return returned ? { lineFeeds, styles: () => textOf(bytes, styles) } : null
}

const isC1 = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte <= 0x9f

/** The index after `ESC [ digits m`; -1 when it is no such thing. */
function endOfStyle(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== 0x5b) return -1
  for (let end = at + 2; end < bytes.length && end < at + 64; end++) {
    const byte = bytes[end] as number
    if (byte === 0x6d) return end + 1
    if (byte < 0x30 || byte > 0x3b) return -1
  }
  return -1
}

/** `ESC [ m` and `ESC [ 0 m`: what was set before is of no interest. */
const isReset = (bytes: Uint8Array, at: number, end: number): boolean =>
  end - at === 3 || (end - at === 4 && bytes[at + 2] === 0x30)

function textOf(bytes: Uint8Array, ranges: readonly number[]): string {
  let text = ''
  for (let index = 0; index < ranges.length; index += 2) {
    for (let at = ranges[index] as number; at < (ranges[index + 1] as number); at++) {
      text += String.fromCharCode(bytes[at] as number)
    }
  }
  return text
}
