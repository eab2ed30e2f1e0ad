/**
 * Where two lists of lines differ. Pure, and the same answer every time: no clock decides. Lines that occur once on both sides
 * hold the rest in place (Bram Cohen's patience diff), so that what differs much costs little and reads well.
 */
import { diffArrays } from 'diff'

/** [from, to), from 0. */
export interface Span {
  readonly from: number
  readonly to: number
}
export interface ChangedSpan {
  readonly before: Span
  readonly after: Span
}

/** Between two fixed lines: beyond this many differing ones all of it is one span. A finer answer is worth less than the wait. */
const MOST_EDITS = 500

type Lines = readonly string[]

/** With their line ends: joined again they are the text. */
export const linesOf = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []

/** Sorted, apart, and never empty on both sides. */
export function changedSpans(before: Lines, after: Lines): ChangedSpan[] {
  const spans: ChangedSpan[] = []
  const [head, tail] = common(before, after)
  let [from, to] = [head, head]
  const end: Anchor = [before.length - tail, after.length - tail]
  const anchors = anchorsIn(before, after, { from, to: end[0] }, { from: to, to: end[1] })
  for (const [nextBefore, nextAfter] of [...anchors, end]) {
    spans.push(...between(before, after, { from, to: nextBefore }, { from: to, to: nextAfter }))
    from = nextBefore + 1
    to = nextAfter + 1
  }
  return spans
}

/** Lines that are equal at the beginning and, of the rest, at the end. */
function common(before: Lines, after: Lines): [head: number, tail: number] {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head++
  let tail = 0
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  return [head, tail]
}

/** A line of the one and of the other that are the same. */
type Anchor = readonly [before: number, after: number]

/** The most of the lines that occur once on either side which stand in the same order on both. */
function anchorsIn(before: Lines, after: Lines, a: Span, b: Span): Anchor[] {
  const once = placesOf(before, a)
  const other = placesOf(after, b)
  const pairs: Anchor[] = []
  for (const [line, at] of once) {
    const there = other.get(line)
    if (at >= 0 && there !== undefined && there >= 0) pairs.push([at, there])
  }
  return longestRising(pairs.sort(([x], [y]) => x - y))
}

/** Where each line stands; -1: in several places. */
function placesOf(lines: Lines, { from, to }: Span): Map<string, number> {
  const places = new Map<string, number>()
  for (let at = from; at < to; at++) {
    const line = lines[at] as string
    places.set(line, places.has(line) ? -1 : at)
  }
  return places
}

/** Of pairs in the order of their first parts: the longest row in which the second ones rise too. */
function longestRising(pairs: readonly Anchor[]): Anchor[] {
  /** The pair that ends the best row of each length, and the one before each. */
  const ends: number[] = []
  const previous: number[] = []
  for (const [i, [, value]] of pairs.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[ends[middle] as number]?.[1] ?? 0) < value) low = middle + 1
      else high = middle
    }
    previous[i] = low > 0 ? (ends[low - 1] as number) : -1
    ends[low] = i
  }
  const row: Anchor[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] as number) row.push(pairs[at] as Anchor)
  return row.reverse()
}

function between(before: Lines, after: Lines, a: Span, b: Span): ChangedSpan[] {
  const [left, right] = [before.slice(a.from, a.to), after.slice(b.from, b.to)]
  const [head, tail] = common(left, right)
  const whole: ChangedSpan = {
    before: { from: a.from + head, to: a.to - tail },
    after: { from: b.from + head, to: b.to - tail },
  }
  const [gone, come] = [left.slice(head, left.length - tail), right.slice(head, right.length - tail)]
  if (gone.length === 0 && come.length === 0) return []
  if (gone.length === 0 || come.length === 0) return [whole]
  const parts = diffArrays(gone, come, { maxEditLength: MOST_EDITS })
  return parts ? spansOf(parts, whole.before.from, whole.after.from) : [whole]
}

function spansOf(
  parts: readonly { added: boolean; removed: boolean; count: number }[],
  firstBefore: number,
  firstAfter: number,
): ChangedSpan[] {
  const spans: ChangedSpan[] = []
  let [from, to] = [firstBefore, firstAfter]
  let open: { before: number; after: number } | null = null
  const close = (): void => {
    if (open) spans.push({ before: { from: open.before, to: from }, after: { from: open.after, to } })
    open = null
  }
  for (const { added, removed, count } of parts) {
    if (!added && !removed) close()
    else open ??= { before: from, after: to }
    if (!added) from += count
    if (!removed) to += count
  }
  close()
  return spans
}
