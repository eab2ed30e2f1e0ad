/**
 * Taking some lines of a difference and leaving the others. Pure, on bytes. Laws: all lines of it make the new text, none the
 * old one; what the difference does not name stays byte for byte.
 */
import type { RawHunk } from './parse-diff.ts'

const NEWLINE = 10
const RETURN = 13

/** Each with its line end; the last may have none. */
export function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, at)
    const next = end < 0 ? bytes.length : end + 1
    lines.push(bytes.subarray(at, next))
    at = next
  }
  return lines
}

/** The old text with the chosen lines of the difference. Lines are numbered through all hunks. */
export const applied = (oldText: Buffer, hunks: readonly RawHunk[], chosen: ReadonlySet<number>): Buffer =>
  walked(oldText, hunks, 'old', (kind, isChosen) => kind === 'context' || (kind === 'added') === isChosen, chosen)

/** The new text without the chosen lines of the difference. */
export const reverted = (newText: Buffer, hunks: readonly RawHunk[], chosen: ReadonlySet<number>): Buffer =>
  walked(newText, hunks, 'new', (kind, isChosen) => kind === 'context' || (kind === 'removed') === isChosen, chosen)

function walked(
  text: Buffer,
  hunks: readonly RawHunk[],
  side: 'old' | 'new',
  keeps: (kind: RawHunk['lines'][number]['kind'], isChosen: boolean) => boolean,
  chosen: ReadonlySet<number>,
): Buffer {
  const source = splitLines(text)
  const result: Buffer[] = []
  let at = 0
  let number = 0
  for (const hunk of hunks) {
    const [start, count] = side === 'old' ? [hunk.oldStart, hunk.oldLines] : [hunk.newStart, hunk.newLines]
    // A hunk without lines on a side names the line before it.
    const begin = count === 0 ? start : start - 1
    result.push(...source.slice(at, begin))
    at = begin + count
    for (const { kind, bytes } of hunk.lines) {
      if (keeps(kind, chosen.has(number))) result.push(bytes)
      number += 1
    }
  }
  return joined([...result, ...source.slice(at)])
}

/** A line that had no end because it was the last gets one where it is the last no more. */
function joined(lines: readonly Buffer[]): Buffer {
  const parts: Buffer[] = []
  for (const [index, line] of lines.entries()) {
    parts.push(line)
    if (index === lines.length - 1 || line[line.length - 1] === NEWLINE) continue
    const next = lines[index + 1]
    parts.push(Buffer.from(next && next[next.length - 2] === RETURN ? '\r\n' : '\n'))
  }
  return Buffer.concat(parts)
}
