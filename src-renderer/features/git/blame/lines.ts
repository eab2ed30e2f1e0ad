/** What git says of runs of lines, line by line. Pure. */
import type { GitBlame } from '#contract/git'

export interface BlamedLine {
  readonly commit: string
  /** False for lines that are in no commit yet. */
  readonly committed: boolean
  readonly author: string
  /** Seconds since 1970. */
  readonly at: number
  readonly subject: string
  /** How many lines of the same run stand from here on. */
  readonly run: number
}

/** By line, the first one first; null for what no page spoke of. */
export function linesOfBlame(pages: readonly GitBlame[]): (BlamedLine | null)[] {
  const lines: (BlamedLine | null)[] = []
  for (const { runs, commits } of pages)
    for (const { start, count, commit } of runs) {
      const known = commits[commit]
      while (lines.length < start - 1) lines.push(null)
      for (let at = 0; at < count; at++)
        lines[start - 1 + at] = {
          commit,
          committed: !/^0+$/.test(commit),
          author: known?.author.name ?? '',
          at: known?.at ?? 0,
          subject: known?.subject ?? '',
          run: count - at,
        }
    }
  return lines
}

/** Of one width, so that the numbers stand below each other. */
export const authorOf = (name: string, width: number): string => {
  const letters = [...name]
  return letters.length > width ? `${letters.slice(0, width - 1).join('')}…` : name
}
