/** What is searched for and what was found. The question is remembered per workspace, the answer is not. */
import { create } from 'zustand'
import { remembered } from '../../state/view/remember.ts'
import { noResults, type Results } from './search-results.ts'

export interface Question {
  readonly query: string
  readonly matchCase: boolean
  readonly wholeWord: boolean
  readonly regex: boolean
  readonly include: string
  readonly exclude: string
  /** The two fields for files are shown. */
  readonly filters: boolean
  /** Only in the files that tabs show. */
  readonly openOnly: boolean
  /** The field for what stands in its place is shown. */
  readonly replacing: boolean
  readonly replacement: string
  readonly preserveCase: boolean
}
const empty: Question = {
  query: '',
  matchCase: false,
  wholeWord: false,
  regex: false,
  include: '',
  exclude: '',
  filters: false,
  openOnly: false,
  replacing: false,
  replacement: '',
  preserveCase: false,
}
const kept = remembered<Question>('search', empty)
/** What an earlier version remembered has fewer parts. */
const whole = (asked: Question): Question => ({ ...empty, ...asked })
export const question = {
  get: (): Question => whole(kept.get()),
  set: (change: Partial<Question>): void => kept.set(now => ({ ...whole(now), ...change })),
  use: (): Question => whole(kept.use()),
}

export interface SearchState {
  readonly running: boolean
  /** What the results answer; null before the first search. */
  readonly answered: Question | null
  readonly results: Results
  /** How many were found; some may have been replaced or looked past since. */
  readonly places: number
  readonly truncated: boolean
  readonly stopped: boolean
  readonly fault: string | null
  /** How far a replacement has come, in files. */
  readonly written: { readonly done: number; readonly files: number } | null
  /** Of the last replacement, while it can be taken back. */
  readonly undoId: string | null
  readonly closed: ReadonlySet<string>
  /** Row key of the focused result. */
  readonly focus: string | null
}
export const noSearch: SearchState = {
  running: false,
  answered: null,
  results: noResults,
  places: 0,
  truncated: false,
  stopped: false,
  fault: null,
  written: null,
  undoId: null,
  closed: new Set(),
  focus: null,
}
export const searchState = create<SearchState>(() => noSearch)
