/**
 * A base text and the text as it is now, row by row, carried along through every write in between: so each row knows who put it
 * there or took it away, and a row that was found good stays so until somebody changes that very row. Pure.
 * Laws (alignment.test.ts): accepting all makes the base the new text, taking all back makes the new text the base, and any
 * choice of hunks can be accepted or taken back in any order.
 */
import type { LineSpan } from '#contract/session-event'
import { changedSpans, type Span } from '../base/line-diff.ts'

/** Who wrote a row: a turn of the agent, it and perhaps somebody else, the person, or somebody outside of Belay. */
export type Writer = `agent ${string}` | `both ${string}` | 'you' | 'outside'

/** `same`: in both texts. `removed`: in the base alone. `added`: in the new text alone. Line ends are part of the line. */
export interface Row {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
  /** Of what is not `same`. */
  readonly by: Writer
}
export type Alignment = readonly Row[]

/** A run of rows that differ: lines of the base, and the lines that stand for them now. */
export interface Hunk {
  readonly base: Span
  readonly now: Span
  readonly writers: ReadonlySet<Writer>
  /** Rows [from, to) of the alignment. */
  readonly rows: Span
}

export const alignedWith = (lines: readonly string[]): Alignment =>
  lines.map(text => ({ kind: 'same', text, by: 'outside' }))

export const baseLines = (rows: Alignment): string[] =>
  rows.flatMap(({ kind, text }) => (kind === 'added' ? [] : [text]))
export const nowLines = (rows: Alignment): string[] =>
  rows.flatMap(({ kind, text }) => (kind === 'removed' ? [] : [text]))

export function hunksOf(rows: Alignment): Hunk[] {
  const hunks: Hunk[] = []
  let [base, now] = [0, 0]
  for (let i = 0; i < rows.length; ) {
    const from = { i, base, now }
    const writers = new Set<Writer>()
    for (let row = rows[i]; row && row.kind !== 'same'; row = rows[++i]) {
      writers.add(row.by)
      if (row.kind === 'removed') base++
      else now++
    }
    if (i > from.i)
      hunks.push({
        base: { from: from.base, to: base },
        now: { from: from.now, to: now },
        rows: { from: from.i, to: i },
        writers,
      })
    for (; rows[i]?.kind === 'same'; i++) {
      base++
      now++
    }
  }
  return hunks
}

/** The new text became this one by that writer's hand. */
export function written(rows: Alignment, lines: readonly string[], by: Writer): Alignment {
  const spans = changedSpans(nowLines(rows), lines)
  if (spans.length === 0) return rows
  const next: Row[] = []
  let line = 0
  let span = 0
  const put = (): void => {
    for (let at = spans[span]; at && at.before.from <= line && at.before.to <= line; at = spans[++span])
      for (const text of lines.slice(at.after.from, at.after.to)) next.push({ kind: 'added', text, by })
  }
  for (const row of rows) {
    if (row.kind === 'removed') {
      next.push(row)
      continue
    }
    put()
    const at = spans[span]
    const gone = at !== undefined && at.before.from <= line
    line++
    if (!gone) next.push(row)
    else if (row.kind === 'same') next.push({ kind: 'removed', text: row.text, by })
  }
  put()
  return tidied(next)
}

/** Rows of a hunk: what was removed first; what was taken away and came back is the same again. */
function tidied(rows: Alignment): Alignment {
  const next: Row[] = []
  let done = 0
  for (const hunk of hunksOf(rows)) {
    next.push(...rows.slice(done, hunk.rows.from), ...matched(rows.slice(hunk.rows.from, hunk.rows.to)))
    done = hunk.rows.to
  }
  next.push(...rows.slice(done))
  return next
}

function matched(hunk: readonly Row[]): Row[] {
  const removed = hunk.filter(row => row.kind === 'removed')
  const added = hunk.filter(row => row.kind === 'added')
  if (removed.length === 0 || added.length === 0) return [...hunk]
  const rows: Row[] = []
  let done = 0
  const spans = changedSpans(
    removed.map(row => row.text),
    added.map(row => row.text),
  )
  for (const { before, after } of spans) {
    rows.push(...removed.slice(done, before.from).map(same))
    rows.push(...removed.slice(before.from, before.to), ...added.slice(after.from, after.to))
    done = before.to
  }
  rows.push(...removed.slice(done).map(same))
  return rows
}

const same = (row: Row): Row => ({ ...row, kind: 'same' })

/**
 * What was found good becomes part of the base. `spans`: lines of the new text. Of a hunk that they hold only in part, those
 * lines move, and what it removed stays to be looked at.
 */
export function accepted(rows: Alignment, spans: readonly LineSpan[]): Alignment {
  const next: Row[] = []
  let done = 0
  for (const { rows: at, now } of hunksOf(rows)) {
    next.push(...rows.slice(done, at.from))
    done = at.to
    const hunk = rows.slice(at.from, at.to)
    if (covers(spans, now)) next.push(...hunk.filter(row => row.kind === 'added').map(same))
    else {
      let line = now.from
      for (const row of hunk) {
        const good = row.kind === 'added' && covers(spans, { from: line, to: line + 1 })
        next.push(good ? same(row) : row)
        if (row.kind === 'added') line++
      }
    }
  }
  next.push(...rows.slice(done))
  return tidied(next)
}

const covers = (spans: readonly LineSpan[], { from, to }: Span): boolean => {
  if (from === to) return spans.some(span => span.from === from && span.to === to)
  for (let line = from; line < to; line++) if (!spans.some(span => span.from <= line && line < span.to)) return false
  return true
}

/** The hunks that a review's act is about, by their lines of the new text. */
export const hunksIn = (rows: Alignment, spans: readonly LineSpan[]): Hunk[] =>
  hunksOf(rows).filter(hunk => covers(spans, hunk.now))

/** These hunks were taken back: where they stood, the new text is the base again. */
export function takenBack(rows: Alignment, hunks: readonly Hunk[]): Alignment {
  const next: Row[] = []
  let done = 0
  for (const { rows: at } of [...hunks].sort((a, b) => a.rows.from - b.rows.from)) {
    next.push(...rows.slice(done, at.from))
    for (const row of rows.slice(at.from, at.to)) if (row.kind === 'removed') next.push(same(row))
    done = at.to
  }
  return [...next, ...rows.slice(done)]
}
