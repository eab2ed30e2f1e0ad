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
}
const empty: Question = {
  query: '',
  matchCase: false,
  wholeWord: false,
  regex: false,
  include: '',
  exclude: '',
  filters: false,
}
export const question = remembered<Question>('search', empty)

export interface SearchState {
  readonly running: boolean
  /** What the results answer; null before the first search. */
  readonly answered: Question | null
  readonly results: Results
  readonly truncated: boolean
  readonly stopped: boolean
  readonly fault: string | null
  readonly closed: ReadonlySet<string>
  /** Row key of the focused result. */
  readonly focus: string | null
}
export const noSearch: SearchState = {
  running: false,
  answered: null,
  results: noResults,
  truncated: false,
  stopped: false,
  fault: null,
  closed: new Set(),
  focus: null,
}
export const searchState = create<SearchState>(() => noSearch)
