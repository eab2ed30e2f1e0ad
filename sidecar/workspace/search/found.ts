/**
 * The places of a search, kept so that a person can replace them: exactly these and nothing that came later. One search a
 * client; whoever searches again or leaves gives up the one before.
 */
import { createHash } from 'node:crypto'
import type { TextChange } from '#contract/document'
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import { pathKey, type WirePath } from '#contract/path'
import type { SearchGroups } from '#contract/workspace'
import type { FoundLines } from './record.ts'

/** Where a match is, and what says that it is still there. */
export interface KeptPlace {
  readonly path: WirePath
  /** 1-based, by line feeds. */
  readonly line: number
  /** UTF-16 units from the start of the line. */
  readonly start: number
  readonly text: string
  readonly groups: SearchGroups
  /** Length and hash of the whole lines it lies in. */
  readonly lines: { readonly length: number; readonly mark: string; readonly ended: boolean }
}

export interface KeptPlaces {
  /** False when there is no room for more. */
  add(path: WirePath, found: FoundLines): boolean
}

export interface KeptSearch {
  readonly searchId: string
  readonly workspaceId: WorkspaceId
  readonly regex: boolean
  /** By number; null: replaced. */
  readonly places: (KeptPlace | null)[]
}

/** Characters kept of one search. */
const MOST_CHARACTERS = 64_000_000

export interface Found {
  begin(clientId: string, search: Omit<KeptSearch, 'places'>): KeptPlaces
  /** Throws `stale` with words where this client has searched again since, or the core was restarted. */
  of(clientId: string, searchId: string): KeptSearch
  forget(clientId: string): void
}

export function createFound(): Found {
  const searches = new Map<string, KeptSearch>()
  return {
    begin(clientId, search) {
      const kept: KeptSearch = { ...search, places: [] }
      searches.set(clientId, kept)
      return keeper(kept)
    },
    of(clientId, searchId) {
      const kept = searches.get(clientId)
      if (kept?.searchId !== searchId)
        throw new BelayError('stale', 'These places are of an earlier search. Nothing was replaced; search again.')
      return kept
    },
    forget: clientId => void searches.delete(clientId),
  }
}

function keeper({ places }: KeptSearch): KeptPlaces {
  let characters = 0
  return {
    add(path, { line, lines, places: found }) {
      const facts = factsOf(lines)
      for (const { start, end, groups } of found) {
        const text = lines.slice(start, end)
        places.push({ path, line, start, text, groups, lines: facts })
        characters += text.length + Object.values(groups).reduce((sum, group) => sum + group.length, 0)
      }
      return characters < MOST_CHARACTERS
    },
  }
}

const factsOf = (lines: string): KeptPlace['lines'] => ({
  length: lines.length,
  mark: markOf(lines),
  ended: lines.endsWith('\n'),
})
const markOf = (text: string): string => createHash('sha1').update(text).digest('base64')

/** Where each of these places (of one text, in order) begins in it; null when one is not there exactly as it was found. */
export function locate(text: string, places: readonly KeptPlace[]): number[] | null {
  const begins: number[] = []
  let [line, start] = [1, 0]
  let checked: KeptPlace['lines'] | null = null
  for (const place of places) {
    while (line < place.line) {
      const end = text.indexOf('\n', start)
      if (end < 0) return null
      start = end + 1
      line++
    }
    if (checked !== place.lines && !holds(text, start, place.lines)) return null
    checked = place.lines
    begins.push(start + place.start)
  }
  return begins
}

/** A file was changed at some of its places: those are done, the others are where the change has put them. */
export function follow(
  { places }: KeptSearch,
  done: ReadonlySet<number>,
  { before, after, changes }: { before: string; after: string; changes: readonly TextChange[] },
): void {
  const [some] = done
  const file = some === undefined ? null : (places[some]?.path ?? null)
  const rest = places.flatMap((place, number) =>
    place && file && pathKey(place.path) === pathKey(file) && !done.has(number) ? [{ place, number }] : [],
  )
  for (const number of done) places[number] = null
  const begins = locate(
    before,
    rest.map(({ place }) => place),
  )
  let [line, lineStart, next, shift] = [1, 0, 0, 0]
  for (const [at, { place, number }] of rest.entries()) {
    const begin = begins?.[at]
    // What had changed before stays as it was found: it will be told as stale.
    if (begin === undefined) return
    for (let change = changes[next]; change && change.to <= begin; change = changes[++next])
      shift += change.text.length - (change.to - change.from)
    const start = begin + shift
    for (let end = after.indexOf('\n', lineStart); end >= 0 && end < start; end = after.indexOf('\n', lineStart)) {
      lineStart = end + 1
      line++
    }
    const end = after.indexOf('\n', Math.max(start, start + place.text.length - 1))
    const lines = after.slice(lineStart, end < 0 ? after.length : end + 1)
    places[number] = { ...place, line, start: start - lineStart, lines: factsOf(lines) }
  }
}

function holds(text: string, start: number, { length, mark, ended }: KeptPlace['lines']): boolean {
  return (ended || start + length === text.length) && markOf(text.slice(start, start + length)) === mark
}
