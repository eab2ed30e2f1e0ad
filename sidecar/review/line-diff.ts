/** Where two lists of lines differ. Pure, and the same answer every time: no clock decides. */
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

/** Beyond this many differing lines the rest is one span: a finer answer is worth less than the wait. */
const MOST_EDITS = 1200

/** Sorted, apart, and never empty on both sides. */
export function changedSpans(before: readonly string[], after: readonly string[]): ChangedSpan[] {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head++
  let tail = 0
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  const middle = { before: before.slice(head, before.length - tail), after: after.slice(head, after.length - tail) }
  if (middle.before.length === 0 && middle.after.length === 0) return []
  const whole: ChangedSpan = {
    before: { from: head, to: before.length - tail },
    after: { from: head, to: after.length - tail },
  }
  if (middle.before.length === 0 || middle.after.length === 0) return [whole]
  const parts = diffArrays(middle.before, middle.after, { maxEditLength: MOST_EDITS })
  return parts ? spansOf(parts, head) : [whole]
}

function spansOf(parts: readonly { added: boolean; removed: boolean; count: number }[], head: number): ChangedSpan[] {
  const spans: ChangedSpan[] = []
  let [from, to] = [head, head]
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
