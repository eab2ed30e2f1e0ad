/** Problems as rows: files in the order of their names, below each what is wrong in it, as far as the filter lets through. Pure. */

import type { Problem } from '#contract/language-problems'
import { compareNames } from '#contract/name-order'
import type { AnyPath } from '#contract/path'
import type { ListedProblem, ProblemCount, ProblemFile } from '../../state/mirror/problem.ts'

export type ListedSeverity = keyof ProblemCount
export const severities: readonly ListedSeverity[] = ['error', 'warning', 'info']

export interface ProblemFilter {
  readonly error: boolean
  readonly warning: boolean
  readonly info: boolean
  /** Only the file in front. */
  readonly here: boolean
}
export const allShown: ProblemFilter = { error: true, warning: true, info: true, here: false }

export type ProblemRow =
  | {
      readonly kind: 'file'
      readonly file: ProblemFile
      readonly open: boolean
      readonly shown: number
      readonly position: number
      readonly siblings: number
    }
  | {
      readonly kind: 'problem'
      readonly file: ProblemFile
      readonly listed: ListedProblem
      readonly position: number
      readonly siblings: number
    }
  /** There are more than are told. */
  | { readonly kind: 'more'; readonly file: ProblemFile; readonly count: number }

export const problemKey = (file: ProblemFile, { id }: ListedProblem): string => `${file.key}\0${id}`

export const rowKey = (row: ProblemRow): string =>
  row.kind === 'problem' ? problemKey(row.file, row.listed) : row.kind === 'more' ? `${row.file.key}\0` : row.file.key

export const pathText = (path: AnyPath): string => ('uri' in path ? path.uri : path.path)

export const inOrder = (files: Iterable<ProblemFile>): ProblemFile[] =>
  [...files]
    .filter(({ count }) => count.error + count.warning + count.info > 0)
    .sort((a, b) => compareNames(pathText(a.path), pathText(b.path)) || (a.key < b.key ? -1 : 1))

export interface Wanted {
  readonly filter: ProblemFilter
  readonly query: string
  /** `pathKey` of the file in front. */
  readonly here: string | null
  readonly closed: ReadonlySet<string>
}

/** `files` in order. */
export function problemRows(files: readonly ProblemFile[], wanted: Wanted): ProblemRow[] {
  const { filter, here, closed } = wanted
  const words = wanted.query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = files.flatMap(file => {
    if (filter.here && file.key !== here) return []
    const listed = file.listed.filter(({ problem }) => isShown(problem, filter) && hasWords(file, problem, words))
    const left = words.length > 0 ? 0 : unlisted(file, filter)
    return listed.length + left > 0 ? [{ file, listed, left }] : []
  })
  return found.flatMap(({ file, listed, left }, at): ProblemRow[] => {
    const open = !closed.has(file.key)
    const shown = listed.length + left
    const head: ProblemRow = { kind: 'file', file, open, shown, position: at + 1, siblings: found.length }
    if (!open) return [head]
    const siblings = listed.length
    return [
      head,
      ...listed.map(
        (each, place): ProblemRow => ({ kind: 'problem', file, listed: each, position: place + 1, siblings }),
      ),
      ...(left > 0 ? [{ kind: 'more', file, count: left } as const] : []),
    ]
  })
}

const isShown = ({ severity }: Problem, filter: ProblemFilter): boolean => severity !== 'hint' && filter[severity]

/** How many of a file are counted and not listed. */
function unlisted({ count, listed }: ProblemFile, filter: ProblemFilter): number {
  const told = (severity: ListedSeverity) => listed.filter(({ problem }) => problem.severity === severity).length
  return severities.reduce((left, each) => left + (filter[each] ? Math.max(0, count[each] - told(each)) : 0), 0)
}

function hasWords({ path }: ProblemFile, { message, source, code }: Problem, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const text = `${pathText(path)}\n${message}\n${source} ${code ?? ''}`.toLowerCase()
  return words.every(word => text.includes(word))
}
