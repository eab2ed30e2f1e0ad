/** What servers find wrong in the open workspace. Written by client/problem-pump.ts only. */
import { create } from 'zustand'
import type { Fault } from '#contract/error'
import { noProblems, nothing, type ProblemCount, type Problems } from './problem-model.ts'

export interface ProblemMirror extends Problems {
  readonly status: 'opening' | 'ready' | 'failed'
  readonly fault: Fault | null
  readonly total: ProblemCount
  /** By `pathKey`: files and folders with errors or warnings. */
  readonly marks: ReadonlyMap<string, ProblemCount>
}

export const problemStore = create<ProblemMirror>(() => ({
  status: 'opening',
  fault: null,
  ...noProblems,
  total: nothing,
  marks: new Map(),
}))
