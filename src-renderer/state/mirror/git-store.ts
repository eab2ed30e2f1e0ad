/** What git says of each root, and what follows for single paths. Written by client/workspace-pump.ts only. */
import { create } from 'zustand'
import type { GitFileState, GitStatus } from '#contract/git'
import { parentPath, pathKey } from '#contract/path'

export interface GitMirror {
  readonly statuses: Readonly<Record<string, GitStatus>>
  /** By `pathKey`: files that differ from HEAD, and the folders above them (the gravest state below). */
  readonly marks: ReadonlyMap<string, GitMark>
}
export interface GitMark {
  readonly state: GitFileState
  readonly folder: boolean
}

export const gitStore = create<GitMirror>(() => ({ statuses: {}, marks: new Map() }))

const gravity: Record<GitFileState, number> = {
  conflicted: 5,
  deleted: 3,
  modified: 4,
  renamed: 2,
  added: 1,
  untracked: 1,
}

/** A deleted file has no row; it still colours its folders. */
export function marksOf(statuses: readonly GitStatus[]): Map<string, GitMark> {
  const marks = new Map<string, GitMark>()
  for (const { files } of statuses) {
    for (const { path, state } of files) {
      marks.set(pathKey(path), { state, folder: false })
      for (let at = path.path; at !== ''; ) {
        at = parentPath(at)
        const key = pathKey({ rootId: path.rootId, path: at })
        const before = marks.get(key)
        if (before && gravity[before.state] >= gravity[state]) continue
        marks.set(key, { state, folder: true })
      }
    }
  }
  return marks
}
