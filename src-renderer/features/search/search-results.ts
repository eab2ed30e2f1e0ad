/** What a search found, by file, and as rows. Pure: batches may come in any order of files, rows keep the order of arrival. */
import { compareNames } from '#contract/name-order'
import { pathKey, type WirePath } from '#contract/path'
import type { SearchMatch } from '#contract/workspace'

export interface FoundFile {
  readonly path: WirePath
  readonly matches: readonly SearchMatch[]
}
export interface Results {
  readonly files: readonly FoundFile[]
  /** Places, not lines. */
  readonly places: number
}
export const noResults: Results = { files: [], places: 0 }

export function withMatches(results: Results, matches: readonly SearchMatch[]): Results {
  const files = new Map(results.files.map(file => [pathKey(file.path), file]))
  let { places } = results
  for (const match of matches) {
    const key = pathKey(match.path)
    const before = files.get(key)
    files.set(key, { path: match.path, matches: [...(before?.matches ?? []), match] })
    places += match.ranges.length
  }
  return { files: [...files.values()], places }
}

/** What stands in the place of a match of a line, where one is to be replaced; null: nothing. */
export type Fill = (match: SearchMatch, at: number) => string | null

/** For when all have come and nobody walks among them yet: by path, as people sort. */
export const inOrder = (results: Results): Results => ({
  ...results,
  files: results.files
    .map(file => ({ ...file, matches: [...file.matches].sort((a, b) => a.first - b.first) }))
    .sort((a, b) => compareNames(a.path.path, b.path.path)),
})

export type ResultRow =
  | { readonly kind: 'file'; readonly file: FoundFile; readonly open: boolean; readonly position: number }
  | { readonly kind: 'match'; readonly match: SearchMatch; readonly position: number; readonly siblings: number }

export const rowKey = (row: ResultRow): string =>
  row.kind === 'file' ? pathKey(row.file.path) : `${pathKey(row.match.path)}\0${row.match.first}`

/** `each`: a row for every place, where one is to be chosen among several of a line. */
export function resultRows(results: Results, closed: ReadonlySet<string>, each = false): ResultRow[] {
  return results.files.flatMap((file, at): ResultRow[] => {
    const open = !closed.has(pathKey(file.path))
    const head: ResultRow = { kind: 'file', file, open, position: at + 1 }
    if (!open) return [head]
    const matches = each ? file.matches.flatMap(placesOf) : file.matches
    const siblings = matches.length
    return [
      head,
      ...matches.map((match, place): ResultRow => ({ kind: 'match', match, position: place + 1, siblings })),
    ]
  })
}

/** A line with several places as several lines with one. */
function placesOf(match: SearchMatch): SearchMatch[] {
  const { ranges, groups, first } = match
  if (ranges.length < 2) return [match]
  return ranges.map((range, at) => ({
    ...match,
    ranges: [range],
    groups: groups && [groups[at] ?? {}],
    first: first + at,
  }))
}

/** Numbers of the places of a row. */
export const placesIn = (row: ResultRow): number[] =>
  (row.kind === 'file' ? row.file.matches : [row.match]).flatMap(({ first, ranges }) =>
    ranges.map((_, at) => first + at),
  )

export interface Piece {
  readonly text: string
  /** `old` and `put`: what goes and what comes in its place. */
  readonly kind: 'plain' | 'hit' | 'old' | 'put'
}

const BEFORE_CHARACTERS = 60
/** Where two texts need the room. */
const BEFORE_REPLACED = 10
const AFTER_CHARACTERS = 400

/** The line as pieces, its indent left out, with a little of what stands before the first hit. */
export function piecesOf(match: SearchMatch, fill: Fill | null = null): Piece[] {
  const first = match.ranges[0]?.[0] ?? 0
  const indent = /^\s*/.exec(match.text)?.[0].length ?? 0
  const start = Math.max(Math.min(indent, first), first - (fill ? BEFORE_REPLACED : BEFORE_CHARACTERS))
  const pieces: Piece[] = start > indent ? [{ text: '…', kind: 'plain' }] : []
  const add = (text: string, kind: Piece['kind']) => {
    if (text !== '') pieces.push({ text: text.replace(/\r?\n/g, '⏎'), kind })
  }
  let at = start
  for (const [place, [from, to]] of match.ranges.entries()) {
    if (to < at || from < start) continue
    add(match.text.slice(at, from), 'plain')
    add(match.text.slice(Math.max(at, from), to), fill ? 'old' : 'hit')
    if (fill) add(fill(match, place) ?? '', 'put')
    at = to
  }
  add(match.text.slice(at, at + AFTER_CHARACTERS), 'plain')
  return pieces
}
