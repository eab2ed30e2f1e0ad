/** Conflict markers in a text, as git writes them (with or without the base), and the text that taking a side makes. Pure. */

/** Lines are 1-based and inclusive; an empty side has `to` before `from`. */
export interface Span {
  readonly from: number
  readonly to: number
}
export interface Conflict {
  /** From the first marker to the last. */
  readonly whole: Span
  readonly ours: Span
  readonly theirs: Span
  /** Null where git was not asked to show it. */
  readonly base: Span | null
  /** What stands after the markers: a branch, a commit. */
  readonly oursName: string
  readonly theirsName: string
}

export type Side = 'ours' | 'theirs' | 'both' | 'bothTheirsFirst' | 'base'

const SIZE = 7
const marker = (line: string, sign: string): string | null => {
  if (!line.startsWith(sign.repeat(SIZE))) return null
  const rest = line.slice(SIZE)
  return rest === '' || rest.startsWith(' ') ? rest.trim() : null
}

/** Whole conflicts only: what begins and does not end, or ends before it is parted, is text. */
export function findConflicts(lines: readonly string[]): Conflict[] {
  const found: Conflict[] = []
  let start = 0
  let oursName = ''
  let base = 0
  let middle = 0
  lines.forEach((line, index) => {
    const at = index + 1
    const begins = marker(line, '<')
    const ends = marker(line, '>')
    if (begins !== null) {
      start = at
      oursName = begins
      base = middle = 0
    } else if (start > 0 && middle === 0 && base === 0 && marker(line, '|') !== null) base = at
    else if (start > 0 && middle === 0 && line === '='.repeat(SIZE)) middle = at
    else if (start > 0 && ends !== null) {
      if (middle > 0)
        found.push({
          whole: { from: start, to: at },
          ours: { from: start + 1, to: (base || middle) - 1 },
          base: base > 0 ? { from: base + 1, to: middle - 1 } : null,
          theirs: { from: middle + 1, to: at - 1 },
          oursName,
          theirsName: ends,
        })
      start = 0
    }
  })
  return found
}

/** The lines that stand for a conflict once a side is taken. */
export function linesTaken(lines: readonly string[], conflict: Conflict, side: Side): string[] {
  const of = ({ from, to }: Span) => lines.slice(from - 1, to)
  const ours = of(conflict.ours)
  const theirs = of(conflict.theirs)
  if (side === 'ours') return ours
  if (side === 'theirs') return theirs
  if (side === 'base') return conflict.base ? of(conflict.base) : []
  return side === 'both' ? [...ours, ...theirs] : [...theirs, ...ours]
}
