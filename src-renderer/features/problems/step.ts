/** From problem to problem: where the next one stands, in this file and then in the others. Pure. */
import type { Problem } from '#contract/language-problems'
import { comparePlaces, type ListedProblem, type ProblemFile } from '../../state/mirror/problem.ts'

/** As people count, from 1. */
export interface Caret {
  readonly line: number
  readonly column: number
}
export interface FoundProblem {
  readonly file: ProblemFile
  readonly listed: ListedProblem
}

export const placeOf = ({ range }: Problem): Caret => ({
  line: range.start.line + 1,
  column: range.start.character + 1,
})

/** `files` in order. Round and round: after the last comes the first. Null where nothing is wrong. */
export function stepFrom(
  files: readonly ProblemFile[],
  from: { readonly key: string | null; readonly caret: Caret | null },
  step: 1 | -1,
): FoundProblem | null {
  const all = files.flatMap(file =>
    file.listed.map(listed => ({ file, listed })).sort((a, b) => comparePlaces(a.listed.problem, b.listed.problem)),
  )
  const { key, caret } = from
  const inFile = all.filter(({ file }) => file.key === key)
  const beyond = (each: FoundProblem) => caret !== null && step * compare(placeOf(each.listed.problem), caret) > 0
  const further = step > 0 ? inFile.find(beyond) : inFile.findLast(beyond)
  if (further) return further
  const first = all.findIndex(({ file }) => file.key === key)
  const before = all.slice(0, Math.max(0, first))
  const after = all.slice(before.length + inFile.length)
  return (step > 0 ? [...after, ...before, ...inFile][0] : [...inFile, ...after, ...before].at(-1)) ?? null
}

const compare = (a: Caret, b: Caret): number => a.line - b.line || a.column - b.column
