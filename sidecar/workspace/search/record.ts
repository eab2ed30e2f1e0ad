/** One record of ripgrep's JSON as lines and places in them: byte offsets become offsets into text, in one pass. */
import type { SearchGroups } from '#contract/workspace'

/** `bytes` (base64) where it is not UTF-8. */
interface Told {
  text?: string
  bytes?: string
}
/** As ripgrep prints it. */
interface MatchRecord {
  type: string
  data: {
    path: Told
    lines: Told
    line_number: number | null
    submatches: { start: number; end: number; replacement?: Told }[]
  }
}

export interface FoundPlace {
  /** UTF-16 units of `lines`. */
  readonly start: number
  readonly end: number
  readonly groups: SearchGroups
}
export interface FoundLines {
  /** As ripgrep was told it. */
  readonly path: string
  /** Of the first of them, 1-based. */
  readonly line: number
  /** With their ends; several for a pattern over line ends. */
  readonly lines: string
  readonly places: readonly FoundPlace[]
}

/** What is not UTF-8 is shown byte by byte, as an open document shows it. */
const textOf = ({ text, bytes }: Told): string => text ?? Buffer.from(bytes ?? '', 'base64').toString('latin1')

/** Null for what is no match, or in a file whose name is no text. */
export function readRecord(record: string, groupsOf: (told: string) => SearchGroups, most: number): FoundLines | null {
  if (!record.startsWith('{"type":"match"')) return null
  const { data } = JSON.parse(record) as MatchRecord
  const { path, line_number: line, lines } = data
  if (path.text === undefined || line === null) return null
  const whole = textOf(lines)
  // A byte order mark is no part of the text.
  const mark = line === 1 && whole.startsWith('\uFEFF') ? 1 : 0
  const unitsAt = lines.text === undefined ? (offset: number) => offset : offsets(whole)
  const places = data.submatches.slice(0, most).map(({ start, end, replacement }) => ({
    start: Math.max(0, unitsAt(start) - mark),
    end: Math.max(0, unitsAt(end) - mark),
    groups: replacement ? groupsOf(textOf(replacement)) : {},
  }))
  return { path: path.text, line, lines: whole.slice(mark), places }
}

/** From bytes of UTF-8 to units of the text; asked for in ascending order, it walks the text once. */
function offsets(text: string): (bytes: number) => number {
  if (Buffer.byteLength(text) === text.length) return bytes => bytes
  let [unit, byte] = [0, 0]
  return wanted => {
    if (wanted < byte) [unit, byte] = [0, 0]
    while (byte < wanted && unit < text.length) {
      const code = text.codePointAt(unit) ?? 0
      byte += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
      unit += code > 0xffff ? 2 : 1
    }
    return unit
  }
}

export interface Shown {
  readonly text: string
  readonly cutBefore?: number
  readonly ranges: [number, number][]
  /** How many places come before those of this window. */
  readonly skipped: number
}

const LINE_CHARACTERS = 1000
const BEFORE_CHARACTERS = 100

/** Without the last line end, and a long line as windows around its places, so that none is left out. */
export function windowsOf({ lines, places }: Pick<FoundLines, 'lines' | 'places'>): Shown[] {
  const text = lines.replace(/\r?\n$/, '')
  const within = (at: number) => Math.min(at, text.length)
  if (text.length <= LINE_CHARACTERS)
    return [{ text, skipped: 0, ranges: places.map(({ start, end }) => [within(start), within(end)]) }]
  const windows: Shown[] = []
  for (let at = 0; at < places.length; ) {
    const start = Math.max(0, Math.min((places[at]?.start ?? 0) - BEFORE_CHARACTERS, text.length - LINE_CHARACTERS))
    const end = start + LINE_CHARACTERS
    let until = at + 1
    while (until < places.length && (places[until]?.end ?? end + 1) <= end) until++
    const ranges = places
      .slice(at, until)
      .map((place): [number, number] => [within(place.start) - start, Math.min(within(place.end), end) - start])
    windows.push({ text: text.slice(start, end), ...(start > 0 ? { cutBefore: start } : {}), ranges, skipped: at })
    at = until
  }
  return windows
}
