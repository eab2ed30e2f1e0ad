/** What servers find wrong, for reading. */
import type { StoreApi, UseBoundStore } from 'zustand'
import { type AnyPath, pathKey } from '#contract/path'
import type { ProblemCount } from './problem-model.ts'
import { type ProblemMirror, problemStore } from './problem-store.ts'
import { useSetting } from './settings.ts'

export { comparePlaces, type ListedProblem, type ProblemCount, type ProblemFile } from './problem-model.ts'
export type { ProblemMirror } from './problem-store.ts'

export const problemMirror: UseBoundStore<Pick<StoreApi<ProblemMirror>, 'getState' | 'getInitialState' | 'subscribe'>> =
  problemStore

const none: ProblemMirror['marks'] = new Map()

/** By `pathKey`; none where a person does not want to see them beside names. */
export function useProblemMarks(): ProblemMirror['marks'] {
  const wanted = useSetting('problems.marks')
  const marks = problemStore(state => state.marks)
  return wanted ? marks : none
}

export const useProblemMark = (path: AnyPath | null): ProblemCount | undefined =>
  useProblemMarks().get(path ? pathKey(path) : '')
