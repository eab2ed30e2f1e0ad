/** The folders this window knows, for reading. */
import type { StoreApi, UseBoundStore } from 'zustand'
import { type TreeMirror, treeStore } from './tree-store.ts'

export type { Branch, Tree, TreeEntry } from './tree-model.ts'
export { entryAt, isFolderKind, isSettled } from './tree-model.ts'
export {
  type EntryRow,
  indexOfRow,
  type NoteRow,
  parentOf,
  rowAt,
  type Shape,
  shapeOf,
  type TreeRow,
} from './tree-rows.ts'

export const useTree: UseBoundStore<Pick<StoreApi<TreeMirror>, 'getState' | 'getInitialState' | 'subscribe'>> =
  treeStore
