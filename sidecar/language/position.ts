/**
 * Places in a text in the three ways they are counted: offsets of UTF-16 units (ours), line and character from 0 in the units a
 * server chose, line and column from 1 (people and models). Whatever a server sends lands inside the text.
 */
export type PositionEncoding = 'utf-8' | 'utf-16' | 'utf-32'

export interface Position {
  readonly line: number
  readonly character: number
}

export interface Range {
  readonly start: Position
  readonly end: Position
}

export interface TextIndex {
  readonly text: string
  /** Out of the text or no number at all: the nearest place inside. */
  offsetOf(position: Position, encoding: PositionEncoding): number
  positionOf(offset: number, encoding: PositionEncoding): Position
  /** From 1, in UTF-16 units, as editors count. */
  shownAt(offset: number): { line: number; column: number }
}

/** Line ends are `\n`, `\r\n` and `\r`, as the protocol has them. */
export function indexText(text: string): TextIndex {
  const starts = lineStarts(text)
  /** Where the text of a line ends, before its line end. */
  const endOf = (line: number): number => {
    const next = starts[line + 1]
    if (next === undefined) return text.length
    return text[next - 1] === '\n' && text[next - 2] === '\r' ? next - 2 : next - 1
  }
  const lineAt = (offset: number): number => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
  return {
    text,
    offsetOf({ line, character }, encoding) {
      if (!(line >= 0)) return 0
      if (line >= starts.length) return text.length
      const whole = Math.floor(line)
      const start = starts[whole] ?? 0
      return start + unitsIn(text.slice(start, endOf(whole)), Number(character), encoding)
    },
    positionOf(offset, encoding) {
      const at = Math.max(0, Math.min(offset, text.length))
      const line = lineAt(at)
      return { line, character: lengthIn(text.slice(starts[line], at), encoding) }
    },
    shownAt(offset) {
      const { line, character } = this.positionOf(offset, 'utf-16')
      return { line: line + 1, column: character + 1 }
    },
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  // The usual text has no carriage returns, and looking for one character is far quicker than for a pattern.
  if (text.includes('\r')) {
    for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length)
    return starts
  }
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** How long a text is in the units of an encoding. */
function lengthIn(text: string, encoding: PositionEncoding): number {
  if (encoding === 'utf-16') return text.length
  if (encoding === 'utf-8') return Buffer.byteLength(text)
  return [...text].length
}

/** The UTF-16 units that `count` units of the encoding take in; never into the middle of a character of more than one. */
function unitsIn(line: string, count: number, encoding: PositionEncoding): number {
  if (!(count > 0)) return 0
  if (encoding === 'utf-16' || isAscii(line)) return Math.min(Math.floor(count), line.length)
  let [units, left] = [0, count]
  for (const character of line) {
    left -= encoding === 'utf-8' ? Buffer.byteLength(character) : 1
    if (left < 0) break
    units += character.length
  }
  return units
}

const isAscii = (line: string): boolean => Buffer.byteLength(line) === line.length

/** The one stretch in which two texts differ. It begins and ends at no half of a surrogate pair or of `\r\n`. */
export function differenceOf(before: string, after: string): { from: number; to: number; text: string } | null {
  if (before === after) return null
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before.charCodeAt(head) === after.charCodeAt(head)) head++
  while (head > 0 && isJoined(before, after, head)) head--
  let tail = 0
  while (
    tail < most - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++
  while (tail > 0 && (joinedAt(before, before.length - tail) || joinedAt(after, after.length - tail))) tail--
  return { from: head, to: before.length - tail, text: after.slice(head, after.length - tail) }
}

const isJoined = (before: string, after: string, at: number): boolean => joinedAt(before, at) || joinedAt(after, at)

/** Whether the units on both sides of `at` are one. */
function joinedAt(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false
  const [left, right] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
  return (left === 13 && right === 10) || (left >= 0xd800 && left < 0xdc00 && right >= 0xdc00 && right < 0xe000)
}
