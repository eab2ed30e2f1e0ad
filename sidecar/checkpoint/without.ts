/**
 * A file with one writer's lines taken out of it, through all that others wrote meanwhile: a three-way merge at each of their
 * steps. Pure. Where both wrote the same lines the file stays as it is.
 */
import { changedSpans, linesOf } from '../base/line-diff.ts'

export interface Written {
  readonly before: string
  readonly after: string
  /** Whose lines are taken out. */
  readonly mine: boolean
}

export interface Without {
  readonly text: string
  readonly conflicts: number
}

/** `writes`: from the state that is gone back to until now, each where the one before left off. */
export function without(writes: readonly Written[]): Without {
  let text = writes[0]?.before ?? ''
  let conflicts = 0
  for (const { before, after, mine } of writes) {
    if (mine) continue
    const step = mergeLines(before, after, text)
    text = step.text
    conflicts += step.conflicts
  }
  return { text, conflicts }
}

/** Law: what `ours` changed of `base` is in it, whatever `theirs` did. */
export function mergeLines(base: string, ours: string, theirs: string): Without {
  if (base === ours) return { text: theirs, conflicts: 0 }
  if (base === theirs || ours === theirs) return { text: ours, conflicts: 0 }
  const [from, mine, other] = [linesOf(base), linesOf(ours), linesOf(theirs)]
  const kept = changedSpans(from, mine)
  const taken: typeof kept = []
  let conflicts = 0
  for (const span of changedSpans(from, other)) {
    const met = kept.find(each => touch(each.before, span.before))
    if (!met) taken.push(span)
    else if (!isEqual(met.before, span.before) || textOf(mine, met.after) !== textOf(other, span.after)) conflicts++
  }
  const out: string[] = []
  let at = 0
  const all = [...kept.map(span => ({ ...span, lines: mine })), ...taken.map(span => ({ ...span, lines: other }))].sort(
    (a, b) => a.before.from - b.before.from,
  )
  for (const { before, after, lines } of all) {
    out.push(...from.slice(at, before.from), ...lines.slice(after.from, after.to))
    at = before.to
  }
  return { text: [...out, ...from.slice(at)].join(''), conflicts }
}

type Span = { readonly from: number; readonly to: number }
const isEqual = (a: Span, b: Span): boolean => a.from === b.from && a.to === b.to
const touch = (a: Span, b: Span): boolean => a.from <= b.to && b.from <= a.to
const textOf = (lines: readonly string[], { from, to }: Span): string => lines.slice(from, to).join('')
