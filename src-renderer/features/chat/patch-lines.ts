/** A unified patch, or two texts, as numbered lines: what a diff in a card shows. */
import { structuredPatch } from 'diff'

export interface DiffLine {
  readonly kind: 'same' | 'add' | 'del' | 'gap' | 'note'
  /** In the new text; null for removed lines. */
  readonly number: number | null
  readonly text: string
}

/** Lines shown before "show all": a card is no editor. */
export const MAX_LINES = 400

export function linesBetween(before: string, after: string): DiffLine[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, timeout: 1000 })
  return patch ? patch.hunks.flatMap((hunk, index) => hunkLines(hunk.lines, hunk.newStart, index > 0)) : []
}

/** The lines of a patch text as the sidecar made it; null when it is none. */
export function linesOfPatch(patch: string): DiffLine[] | null {
  const lines = patch.split('\n')
  const first = lines.findIndex(line => line.startsWith('@@'))
  if (first === -1 || !lines.slice(0, first).some(line => line.startsWith('+++'))) return null
  const out: DiffLine[] = []
  let body: string[] = []
  let start = 1
  const flush = () => {
    if (body.length > 0) out.push(...hunkLines(body, start, out.length > 0))
    body = []
  }
  for (const line of lines.slice(first)) {
    const header = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(line)
    if (header) {
      flush()
      start = Number(header[1])
    } else body.push(line)
  }
  if (body.at(-1) === '') body.pop()
  flush()
  return out
}

function hunkLines(lines: readonly string[], start: number, gap: boolean): DiffLine[] {
  let number = start
  const body = lines.map((line): DiffLine => {
    const text = line.slice(1)
    if (line.startsWith('\\')) return { kind: 'note', number: null, text: text.trim() }
    if (line.startsWith('-')) return { kind: 'del', number: null, text }
    return { kind: line.startsWith('+') ? 'add' : 'same', number: number++, text }
  })
  return gap ? [{ kind: 'gap', number: null, text: '' }, ...body] : body
}

export const linesOfNew = (content: string): DiffLine[] => {
  const lines = content.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((text, index) => ({ kind: 'add', number: index + 1, text }))
}
