/** What git says, for reading. */
import type { StoreApi, UseBoundStore } from 'zustand'
import type { GitStatus } from '#contract/git'
import { type AnyPath, pathKey } from '#contract/path'
import { type GitMark, type GitMirror, gitStore } from './git-store.ts'

export type { GitMark, GitMirror } from './git-store.ts'

export const useGit: UseBoundStore<Pick<StoreApi<GitMirror>, 'getState' | 'getInitialState' | 'subscribe'>> = gitStore

export const useGitStatus = (rootId: string | undefined): GitStatus | null =>
  gitStore(state => (rootId === undefined ? null : (state.statuses[rootId] ?? null)))
/** Undefined for what is as in HEAD, or where there is no git. */
export const useGitMark = (path: AnyPath): GitMark | undefined => gitStore(state => state.marks.get(pathKey(path)))
