/**
 * Finding the place a model means. A model writes `\n`; the file may hold CRLF, CR or a mix. Matching is on the text with
 * its line ends folded, and the change that comes out touches nothing but what differs, in the file's own line ends.
 */
import type { TextChange } from '#contract/document'

export interface TextEdit {
  old: string
  new: string
  all?: boolean | undefined
}
export type EditPlan = { ok: true; changes: TextChange[]; count: number } | { ok: false; message: string }

/** `text` with every line end as `\n`, and where each of its units stood. */
interface Folded {
  readonly text: string
  /** Offset in the original of a folded offset; exact also at the end. */
  at(offset: number): number
}

function fold(original: string): Folded {
  if (!original.includes('\r')) return { text: original, at: offset => offset }
  const text = original.replace(/\r\n?/g, '\n')
  // Folded offsets at which one original unit (the LF after a CR) was left out, ascending.
  const dropped: number[] = []
  for (let i = original.indexOf('\r\n'); i !== -1; i = original.indexOf('\r\n', i + 2))
    dropped.push(i - dropped.length + 1)
  const at = (offset: number) => {
    let low = 0
    let high = dropped.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((dropped[middle] as number) <= offset) low = middle + 1
      else high = middle
    }
    return offset + low
  }
  return { text, at }
}

/** The line end to write near `offset`: that of the line before, else of the next, else of the platform's habit `\n`. */
function lineEndNear(original: string, offset: number): string {
  const before = /(\r\n|\r|\n)[^\r\n]*$/.exec(original.slice(0, offset))?.[1]
  return before ?? /\r\n|\r|\n/.exec(original.slice(offset))?.[0] ?? '\n'
}

/** All edits against the same text, exact and unique (or `all`), apart; all or nothing. */
export function planEdits(original: string, edits: readonly TextEdit[]): EditPlan {
  const folded = fold(original)
  const changes: TextChange[] = []
  for (const [index, edit] of edits.entries()) {
    const which = edits.length > 1 ? `edits[${index}]: ` : ''
    const wanted = edit.old.replace(/\r\n?/g, '\n')
    const wish = edit.new.replace(/\r\n?/g, '\n')
    if (wanted === '')
      return fail(
        `${which}"old" is empty. Give the exact text to replace; to add text, repeat a neighbouring line in "old" and "new".`,
      )
    if (wanted === wish) return fail(`${which}"old" and "new" are the same: nothing would change.`)
    const places = occurrences(folded.text, wanted)
    if (places.length === 0) return fail(`${which}"old" does not occur in the file. ${nearest(folded.text, wanted)}`)
    if (places.length > 1 && !edit.all)
      return fail(
        `${which}"old" occurs ${places.length} times (lines ${places
          .slice(0, 8)
          .map(place => lineOf(folded.text, place))
          .join(
            ', ',
          )}${places.length > 8 ? ', ...' : ''}). Add surrounding lines until it is unique, or set "all": true.`,
      )
    for (const place of places) changes.push(changeAt(original, folded, place, wanted, wish))
  }
  changes.sort((a, b) => a.from - b.from)
  for (const [i, change] of changes.entries()) {
    const next = changes[i + 1]
    if (next && next.from < change.to) return fail('Two of the edits touch the same text. Join them into one edit.')
  }
  return { ok: true, changes, count: changes.length }
}

const fail = (message: string): EditPlan => ({ ok: false, message })

/** Only the part that differs, so that unchanged line ends inside the match stay as they are. */
function changeAt(original: string, folded: Folded, place: number, wanted: string, wish: string): TextChange {
  let head = 0
  const most = Math.min(wanted.length, wish.length)
  while (head < most && wanted[head] === wish[head]) head++
  let tail = 0
  while (tail < most - head && wanted[wanted.length - 1 - tail] === wish[wish.length - 1 - tail]) tail++
  const from = folded.at(place + head)
  const to = folded.at(place + wanted.length - tail)
  const text = wish.slice(head, wish.length - tail)
  return { from, to, text: text.includes('\n') ? text.replaceAll('\n', lineEndNear(original, from)) : text }
}

function occurrences(text: string, wanted: string): number[] {
  const places: number[] = []
  for (let i = text.indexOf(wanted); i !== -1; i = text.indexOf(wanted, i + wanted.length)) places.push(i)
  return places
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** A hint that helps the model to get it right the next time: the same text but for white space, or its first line. */
function nearest(text: string, wanted: string): string {
  const lines = text.split('\n')
  const squeeze = (line: string) => line.replace(/\s+/g, ' ').trim()
  const first = squeeze(wanted.split('\n').find(line => line.trim() !== '') ?? '')
  const at = first === '' ? -1 : lines.findIndex(line => squeeze(line).includes(first))
  if (at === -1) return 'Read the file again and copy the text exactly, without the line numbers.'
  return `Line ${at + 1} is close: ${JSON.stringify(lines[at]?.slice(0, 200))}. White space and every line must match exactly; read the file again and copy it without the line numbers.`
}

/** `content` for a file that stood with `original`: its line ends are kept where the whole file used one kind. */
export function inLineEndsOf(original: string, content: string): string {
  if (content.includes('\r')) return content
  const crlf = original.match(/\r\n/g)?.length ?? 0
  const others = (original.match(/\r|\n/g)?.length ?? 0) - 2 * crlf
  return crlf > 0 && others === 0 ? content.replaceAll('\n', '\r\n') : content
}
