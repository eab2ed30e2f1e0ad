/**
 * The places of a search, kept so that a person can replace them: exactly these and nothing that came later. One search a
 * client; whoever searches again or leaves gives up the one before.
 */
import { createHash } from 'node:crypto'
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { WirePath } from '#contract/path'
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
  /** By number. */
  readonly places: KeptPlace[]
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
      const facts = { length: lines.length, mark: markOf(lines), ended: lines.endsWith('\n') }
      for (const { start, end, groups } of found) {
        const text = lines.slice(start, end)
        places.push({ path, line, start, text, groups, lines: facts })
        characters += text.length + Object.values(groups).reduce((sum, group) => sum + group.length, 0)
      }
      return characters < MOST_CHARACTERS
    },
  }
}

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

function holds(text: string, start: number, { length, mark, ended }: KeptPlace['lines']): boolean {
  return (ended || start + length === text.length) && markOf(text.slice(start, start + length)) === mark
}
