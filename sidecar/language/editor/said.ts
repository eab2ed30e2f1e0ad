/**
 * What servers say, in the words of the wire. Hostile in every field: places land inside the text, what has not the shape is
 * left out, and no text is longer than a page can bear.
 */
import { BelayError } from '#contract/error'
import type { TextEdit } from '#contract/language-edit'
import type { Words } from '#contract/language-editor'
import type { TextPosition, TextRange } from '#contract/text-range'
import type { Position, PositionEncoding, TextIndex } from '../position.ts'
import { arrayOf, objectOf } from '../registrations.ts'

/** A text, and the units in which a server counts in it. */
export interface Units {
  readonly index: TextIndex
  readonly encoding: PositionEncoding
}

const WORDS_CHARS = 100_000

export const toServer = (position: TextPosition, { index, encoding }: Units): Position =>
  index.positionOf(index.offsetOf(position, 'utf-16'), encoding)

export const rangeToServer = ({ start, end }: TextRange, units: Units): { start: Position; end: Position } => ({
  start: toServer(start, units),
  end: toServer(end, units),
})

function offsetFrom(said: unknown, { index, encoding }: Units): number {
  const { line, character } = objectOf(said)
  return index.offsetOf({ line: Number(line), character: Number(character) }, encoding)
}

export const positionFrom = (said: unknown, units: Units): TextPosition =>
  units.index.positionOf(offsetFrom(said, units), 'utf-16')

/** Null for what is none; its ends in their order. */
export function rangeFrom(said: unknown, units: Units): TextRange | null {
  const { start, end } = objectOf(said)
  if (start === undefined || end === undefined) return null
  const [from, to] = [offsetFrom(start, units), offsetFrom(end, units)]
  const { index } = units
  return {
    start: index.positionOf(Math.min(from, to), 'utf-16'),
    end: index.positionOf(Math.max(from, to), 'utf-16'),
  }
}

/** In the order of the text, apart; several that only put something at one place are one. Throws `invalid` where they overlap. */
export function editsFrom(said: unknown, units: Units): TextEdit[] {
  const found = arrayOf(said).flatMap(each => {
    const { range, newText } = objectOf(each)
    const { start, end } = objectOf(range)
    if (typeof newText !== 'string' || start === undefined || end === undefined) return []
    return [{ from: offsetFrom(start, units), to: offsetFrom(end, units), text: newText }]
  })
  const edits: typeof found = []
  for (const edit of found.sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = edits.at(-1)
    if (last && (edit.from < last.to || edit.to < edit.from))
      throw new BelayError('invalid', 'The language server proposed changes that overlap. Nothing was changed.')
    if (last && last.to === edit.from && last.from === last.to) {
      last.to = edit.to
      last.text += edit.text
    } else edits.push(edit)
  }
  return edits.map(({ from, to, text }) => ({
    range: { start: units.index.positionOf(from, 'utf-16'), end: units.index.positionOf(to, 'utf-16') },
    text,
  }))
}

/** A string is `plain` where the protocol says so. */
export function wordsFrom(said: unknown, plain: 'markdown' | 'plaintext'): Words | null {
  if (typeof said === 'string') return said === '' ? null : { kind: plain, text: said.slice(0, WORDS_CHARS) }
  const { kind, language, value } = objectOf(said)
  if (typeof value !== 'string' || value === '') return null
  const text = value.slice(0, WORDS_CHARS)
  if (typeof language === 'string') return { kind: 'code', text, language: language.slice(0, 40) }
  return { kind: kind === 'markdown' ? 'markdown' : 'plaintext', text }
}

export const stringOf = (said: unknown, most = 1000): string | undefined =>
  typeof said === 'string' ? said.slice(0, most) : undefined

/** A whole number between two others, or null. */
export const numberOf = (said: unknown, least: number, most: number): number | null =>
  typeof said === 'number' && Number.isInteger(said) && said >= least && said <= most ? said : null

export const stringsOf = (said: unknown): string[] =>
  arrayOf(said)
    .flatMap(each => (typeof each === 'string' ? [each.slice(0, 40)] : []))
    .slice(0, 200)
