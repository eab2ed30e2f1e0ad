/** Where a run of lines stands in a text: for showing the same place on another side. Pure. */
import type { Span } from './markers.ts'

/** Lines count from 1. `after`: not before that line. An empty run stands nowhere. */
export function findLines(lines: readonly string[], run: readonly string[], after = 1): Span | null {
  if (run.length === 0) return null
  for (let at = after - 1; at + run.length <= lines.length; at++)
    if (run.every((line, index) => lines[at + index] === line)) return { from: at + 1, to: at + run.length }
  return null
}

/** Each run in turn, in order: the same run twice is found at its two places. Null for one that is not there. */
export function findEach(lines: readonly string[], runs: readonly (readonly string[])[]): (Span | null)[] {
  let after = 1
  return runs.map(run => {
    const found = findLines(lines, run, after)
    if (found) after = found.to + 1
    return found
  })
}
