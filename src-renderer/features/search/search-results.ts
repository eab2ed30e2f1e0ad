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

/** For when all have come and nobody walks among them yet: by path, as people sort. */
export const inOrder = (results: Results): Results => ({
  ...results,
  files: results.files
    .map(file => ({ ...file, matches: [...file.matches].sort((a, b) => a.line - b.line) }))
    .sort((a, b) => compareNames(a.path.path, b.path.path)),
})

export type ResultRow =
  | { readonly kind: 'file'; readonly file: FoundFile; readonly open: boolean; readonly position: number }
  | { readonly kind: 'match'; readonly match: SearchMatch; readonly position: number; readonly siblings: number }

export const rowKey = (row: ResultRow): string =>
  row.kind === 'file' ? pathKey(row.file.path) : `${pathKey(row.match.path)}\0${row.match.line}`

export function resultRows(results: Results, closed: ReadonlySet<string>): ResultRow[] {
  return results.files.flatMap((file, at): ResultRow[] => {
    const open = !closed.has(pathKey(file.path))
    const head: ResultRow = { kind: 'file', file, open, position: at + 1 }
    if (!open) return [head]
    const siblings = file.matches.length
    return [
      head,
      ...file.matches.map((match, place): ResultRow => ({ kind: 'match', match, position: place + 1, siblings })),
    ]
  })
}

export interface Piece {
  readonly text: string
  readonly hit: boolean
}

/** The line as pieces, its indent left out, with a little of what stands before the first hit. */
export function piecesOf(match: SearchMatch): Piece[] {
  const first = match.ranges[0]?.[0] ?? 0
  const indent = /^\s*/.exec(match.text)?.[0].length ?? 0
  const start = Math.max(Math.min(indent, first), first - 60)
  const pieces: Piece[] = start > indent ? [{ text: '…', hit: false }] : []
  let at = start
  for (const [from, to] of match.ranges) {
    if (to <= at) continue
    if (from > at) pieces.push({ text: match.text.slice(at, from), hit: false })
    pieces.push({ text: match.text.slice(Math.max(at, from), to), hit: true })
    at = to
  }
  if (at < match.text.length) pieces.push({ text: match.text.slice(at, at + 400), hit: false })
  return pieces
}
