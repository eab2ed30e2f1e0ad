/** What a server said, as people and models are told it: errors only, first things first, counted whole, shown in part. */
import type { WirePath } from '#contract/path'
import type { Diagnostic, LspVerdict } from '#contract/session-event'
import { flat } from '../base/foreign-text.ts'
import type { Position, PositionEncoding, TextIndex } from './position.ts'
import { objectOf } from './registrations.ts'

/** Shown of one file. */
export const MOST_SHOWN = 20
const MESSAGE_CHARS = 500
const SOURCE_CHARS = 40

/** An error as a server sent it, with where it is in the text. */
export interface FoundError {
  readonly at: Position
  readonly message: string
  readonly source: string
}

/** In the order of the text; the same error twice is one. Items of another shape are left out. */
export function errorsIn(items: readonly unknown[]): FoundError[] {
  const found = items.flatMap((item): FoundError[] => {
    const { severity = 1, message, source, range } = objectOf(item)
    const text = typeof message === 'string' ? message : objectOf(message).value
    if (severity !== 1 || typeof text !== 'string') return []
    const { line, character } = objectOf(objectOf(range).start)
    const at = { line: natural(line), character: natural(character) }
    return [{ at, message: text.slice(0, 4 * MESSAGE_CHARS), source: typeof source === 'string' ? source : '' }]
  })
  const seen = new Set<string>()
  return found
    .sort((a, b) => a.at.line - b.at.line || a.at.character - b.at.character)
    .filter(({ at, message, source }) => {
      const key = `${at.line} ${at.character} ${message}\0${source}`
      return !seen.has(key) && seen.add(key)
    })
}

const natural = (value: unknown): number => (typeof value === 'number' && value > 0 ? Math.floor(value) : 0)

/** `index`: the text that was looked at, for its columns are counted in the units of the server. */
export function verdictOf(
  path: WirePath,
  errors: readonly FoundError[],
  { index, encoding, most = MOST_SHOWN }: { index: TextIndex; encoding: PositionEncoding; most?: number },
): LspVerdict {
  const items = errors.slice(0, most).map(
    ({ at, message, source }): Diagnostic => ({
      ...index.shownAt(index.offsetOf(at, encoding)),
      message: flat(message, MESSAGE_CHARS),
      source: flat(source, SOURCE_CHARS),
    }),
  )
  const state = errors.length > 0 ? 'errors' : 'clean'
  return { path, state, errorCount: errors.length, truncated: errors.length > items.length, items }
}

/** Nothing was learnt. */
export const unknownVerdict = (path: WirePath, state: 'pending' | 'none'): LspVerdict => ({
  ...{ path, state, errorCount: 0, truncated: false, items: [] },
})

/** Those of `after` that `before` had not, wherever they stand: a line further down is no new error. */
export function newErrors(before: readonly FoundError[], after: readonly FoundError[]): FoundError[] {
  const left = new Map<string, number>()
  const key = ({ message, source }: FoundError) => `${message}\0${source}`
  for (const each of before) left.set(key(each), (left.get(key(each)) ?? 0) + 1)
  return after.filter(each => {
    const count = left.get(key(each)) ?? 0
    left.set(key(each), count - 1)
    return count <= 0
  })
}
