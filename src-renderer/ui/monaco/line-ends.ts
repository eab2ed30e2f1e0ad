/**
 * Between the text of a file and Monaco's picture of it. Monaco knows one kind of line end per text; files may mix `\n`,
 * `\r\n` and `\r`. Where a text is uniform, offsets are the same; elsewhere places travel as line and column.
 */

export interface Change {
  readonly from: number
  readonly to: number
  readonly text: string
}
export interface Place {
  readonly lineNumber: number
  readonly column: number
}
/** What Monaco says of one change: places in the text before it. */
export interface ModelChange {
  readonly range: {
    readonly startLineNumber: number
    readonly startColumn: number
    readonly endLineNumber: number
    readonly endColumn: number
  }
  readonly rangeOffset: number
  readonly rangeLength: number
  readonly text: string
}
export interface ModelEdit {
  readonly range: ModelChange['range']
  readonly text: string
}
export type ModelEnd = '\n' | '\r\n'

const anyEnd = /\r\n|\r|\n/g

/** How many lines Monaco shows of `text`. */
export const lineCount = (text: string): number => linesOf(text).starts.length

/** The single kind of line end in `text`; null where it mixes them or has lone `\r`. A text without any takes the model's. */
export function uniformEnd(text: string, fallback: ModelEnd = '\n'): ModelEnd | null {
  const crlf = text.includes('\r\n')
  if (/\r(?!\n)/.test(text)) return null
  if (!crlf) return text.includes('\n') ? '\n' : fallback
  return /(?<!\r)\n/.test(text) ? null : '\r\n'
}

/** Where each line of `text` starts, and how long it is without its end. */
interface Lines {
  readonly starts: readonly number[]
  readonly lengths: readonly number[]
}

function linesOf(text: string): Lines {
  const starts = [0]
  const lengths: number[] = []
  for (const { 0: end, index } of text.matchAll(anyEnd)) {
    lengths.push(index - (starts.at(-1) ?? 0))
    starts.push(index + end.length)
  }
  lengths.push(text.length - (starts.at(-1) ?? 0))
  return { starts, lengths }
}

const offsetAt = ({ starts }: Lines, line: number, column: number) => (starts[line - 1] ?? 0) + column - 1

function placeAt({ starts, lengths }: Lines, offset: number): Place {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { lineNumber: low + 1, column: Math.min(offset - (starts[low] ?? 0), lengths[low] ?? 0) + 1 }
}

/** What a person did in Monaco, as changes of `text` (as it was before). New lines take the end of a lone-`\r` file, else the model's. */
export function fromModel(text: string, changes: readonly ModelChange[], uniform: boolean): Change[] {
  const sorted = [...changes].sort((a, b) => a.rangeOffset - b.rangeOffset)
  if (uniform)
    return sorted.map(({ rangeOffset, rangeLength, text }) => ({
      from: rangeOffset,
      to: rangeOffset + rangeLength,
      text,
    }))
  const lines = linesOf(text)
  const onlyCr = text.includes('\r') && !text.includes('\n')
  return sorted.map(({ range, text: put }) => {
    const from = offsetAt(lines, range.startLineNumber, range.startColumn)
    const to = offsetAt(lines, range.endLineNumber, range.endColumn)
    const typed = onlyCr ? put.replace(anyEnd, '\r') : put
    // A lone `\r` that came to stand before a `\n` would make one line end of two: a `\r\n` keeps them apart.
    const glued = text[from - 1] === '\r' && (typed === '' ? text[to] === '\n' : typed.startsWith('\n'))
    return { from, to, text: glued ? `\r${typed}` : typed }
  })
}

/**
 * Changes of a text that is not uniform, or that become so, as one edit of Monaco's picture of it. It is grown where it
 * begins or ends inside a `\r\n`, or makes or breaks one, so that both sides see the same lines.
 */
export function toModel(before: string, after: string, changes: readonly Change[]): ModelEdit {
  let from = changes[0]?.from ?? 0
  let tail = before.length - (changes.at(-1)?.to ?? 0)
  if (before[from - 1] === '\r' && (before[from] === '\n' || after[from] === '\n')) from--
  const next = before[before.length - tail]
  const touches = before[before.length - tail - 1] === '\r' || after[after.length - tail - 1] === '\r'
  if (next === '\n' && touches) tail--
  const lines = linesOf(before)
  const start = placeAt(lines, from)
  const end = placeAt(lines, before.length - tail)
  return {
    range: {
      startLineNumber: start.lineNumber,
      startColumn: start.column,
      endLineNumber: end.lineNumber,
      endColumn: end.column,
    },
    text: after.slice(from, after.length - tail),
  }
}

/** Whether changes of a uniform text leave it uniform and cut no `\r\n`: then offsets can be used as they are. */
export function staysUniform(before: string, changes: readonly Change[], end: ModelEnd): boolean {
  return changes.every(({ from, to, text }) => {
    const cut = end === '\r\n' && (before[from] === '\n' || before[to] === '\n')
    return !cut && uniformEnd(text, end) === end
  })
}
